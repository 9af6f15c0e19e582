import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useTeamWrite } from '../../api/team'
import { notifyFailure } from '../../state/notices'

/** Leaves an organization; shows why where it cannot. What is left is said of every organization that is lost. */
export function useLeave(organization: { id: number; name: string }, onLeft?: () => void) {
  const { t } = useTranslation('team')
  const write = useTeamWrite(organization.id)
  // Not by the callbacks of a call: the components for a member are gone before they would run.
  const leave = () =>
    void write.mutateAsync({ kind: 'leave' }).then(
      () => onLeft?.(),
      (error: Error) => {
        const reason = failureText(error)
        const isOnlyAdmin = error instanceof ApiError && error.status === 422
        notifyFailure({ title: t('leave.failed'), message: isOnlyAdmin ? t('leave.onlyAdmin', { reason }) : reason })
      },
    )
  return { leave, isLeaving: write.isPending }
}
