import { Button, Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { localUrl } from '../../api/attachments'
import { useLeaveExpense, useParticipants } from '../../api/comments'
import { PersonAvatar } from '../../ui/person-avatar'
import { notifyDone, notifyFailure } from '../../ui/toast'
import type { ExpenseAccess } from './expense-access'
import classes from './expense.module.css'
import { failureText } from './failure-text'

const mostShown = 8

/** Who hears of what happens to the expense, and the way out for oneself. */
export function Participants({ expense, access, onClose }: { expense: Expense; access: ExpenseAccess; onClose: () => void }) {
  const { t } = useTranslation('expense')
  const { data: participants = [] } = useParticipants(expense.id)
  const leave = useLeaveExpense(expense.id)
  if (participants.length === 0) return null
  const named = participants.map((user) => ({ ...user, name: `${user.first_name} ${user.last_name}`.trim() }))
  const keepsSeeing = access.isReviewer || access.relation.is_receiver
  const run = () =>
    leave.mutate(undefined, {
      onSuccess: () => {
        notifyDone(t('participants.left'))
        if (!keepsSeeing) onClose()
      },
      onError: (error) => notifyFailure({ title: t('participants.notLeft'), message: failureText(error, t) }),
    })
  return (
    <div className={classes.participants}>
      <span className={classes.small}>{t('participants.title')}</span>
      <ul className={classes.avatars}>
        {named.slice(0, mostShown).map((user) => {
          const avatar = user.avatar.find(({ style }) => style === 'tiny')
          return (
            <li key={user.uid}>
              <Tooltip label={user.name}>
                <span tabIndex={0} role="img" aria-label={user.name}>
                  <PersonAvatar name={user.name} src={avatar && localUrl(avatar.url)} />
                </span>
              </Tooltip>
            </li>
          )
        })}
      </ul>
      {named.length > mostShown && <span className={`${classes.small} tabular`}>+{named.length - mostShown}</span>}
      <span className={classes.grow} />
      {named.some(({ id }) => id === access.user_id) && (
        <Tooltip label={t('participants.leaveHint')} multiline w={240}>
          <Button variant="subtle" color="gray" disabled={leave.isPending} onClick={run}>
            {t('participants.leave')}
          </Button>
        </Tooltip>
      )}
    </div>
  )
}
