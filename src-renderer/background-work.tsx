import { useEffect } from 'react'
import type { Session } from '#shared/contract/instance/instance'
import { may } from '#shared/domain/permissions'
import { useExpenseSummary } from './api/expenses'
import { usePreExpenseCount } from './api/pre-expenses'
import { useDues } from './api/reimbursements'
import { useDelivery } from './features/capture/delivery'
import { useReplicaWatch } from './features/sync/use-replica-watch'
import { useFrame } from './state/frame'
import { usePreferences } from './state/preferences'
import { useIsSettled } from './ui/feedback/use-is-settled'
import { loadLaterParts } from './ui/panes/later'

/** How long the first screen is there before the rest is loaded, in milliseconds. */
const restMs = 3000

/** Sends what the person who is signed in wrote, follows the sync, and once the first screen is there counts and loads the rest. */
export function BackgroundWork({ session }: { session: Session }) {
  const isSettled = useIsSettled()
  useDelivery(session)
  useReplicaWatch()
  useEffect(() => {
    if (!isSettled) return undefined
    const timer = setTimeout(loadLaterParts, restMs)
    return () => clearTimeout(timer)
  }, [isSettled])
  return isSettled && <Counts session={session} />
}

/** The sidebar's counts: expenses that wait for a reviewer, people to pay, suggested expenses that wait, and one's own pending work. */
function Counts({ session: { user, memberships } }: { session: Session }): null {
  const organizationId = usePreferences((state) => state.organizationId)
  const role = memberships.find(({ organization }) => organization.id === organizationId)?.role
  const isReviewer = may('expenses.read', { role })
  const toReview = useExpenseSummary({ payer_id_eq: organizationId }, 'status', isReviewer)
  const own = useExpenseSummary({ receiver_id_eq: user.id }, 'status')
  const dues = useDues(organizationId, may('reimbursements.write', { role })).data?.length ?? 0
  const awaiting = isReviewer ? (toReview.data?.groups.find(({ key }) => key === 'awaiting_analysis')?.count ?? 0) : 0
  const waiting = usePreExpenseCount('waiting_approval') ?? 0
  const pending = own.data?.groups.find(({ key }) => key === 'pending')?.count ?? 0
  useEffect(() => {
    useFrame.setState(({ counts }) => ({
      counts: { ...counts, review: awaiting, 'my-expenses': pending, reimbursements: dues, 'pre-expenses': waiting },
    }))
  }, [awaiting, pending, dues, waiting])
  return null
}
