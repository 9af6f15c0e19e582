import { RecoveryBanner } from './features/recovery/recovery-banner'
import { GuardBanner } from './features/sync/guard-banner'
import { JoinedBanner } from './features/team/joined-banner'

/** What stands above every screen until someone has decided about it. */
export function Banners() {
  return (
    <>
      <RecoveryBanner />
      <GuardBanner />
      <JoinedBanner />
    </>
  )
}
