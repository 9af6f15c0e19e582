import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure-text'
import { useAcknowledgeRecovery, useRecoveries } from '../../api/recoveries'
import { useSession } from '../../api/session'
import { notifyFailure } from '../../state/notices'
import { DamageNotice } from './damage-notice'
import { RecoveryNotice } from './recovery-notice'

/** Shows what a start found damaged, until someone confirms that they know, and damaged rows in the database that is in use. */
export function RecoveryBanner() {
  const { t } = useTranslation('recovery')
  const { data: session } = useSession()
  const { data } = useRecoveries(session !== undefined)
  const acknowledge = useAcknowledgeRecovery()
  const [recovery] = data?.recoveries ?? []
  const damage = data?.damage && <DamageNotice damage={data.damage} />
  if (!recovery) return damage
  const understand = () =>
    acknowledge.mutate(recovery.id, { onError: (error) => notifyFailure({ title: t('failed'), message: failureText(error) }) })
  return (
    <>
      {damage}
      <RecoveryNotice key={recovery.id} recovery={recovery}>
        <Button variant="default" loading={acknowledge.isPending} onClick={understand}>
          {t('understood')}
        </Button>
      </RecoveryNotice>
    </>
  )
}
