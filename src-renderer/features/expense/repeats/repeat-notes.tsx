import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Expense } from '#shared/contract/expenses'
import type { RepeatDecisionRepresentation } from '#shared/contract/organization-records/repeats'
import { failureText } from '#renderer/api/failure-text'
import { useDecisionWrite, useRepeats } from '#renderer/api/repeats'
import { notifyDone, notifyFailure } from '#renderer/state/notices'
import { Instant } from '#renderer/ui/values/instant'
import type { ExpenseAccess } from '../expense-access'
import { RepeatNotice, isRepeat } from './repeat-notice'
import classes from './repeats.module.css'

/** What is known of the pairs of an expense later than the expense itself: later ones that may repeat it, and what was decided of others. */
export function RepeatNotes({ expense, access }: { expense: Expense; access: ExpenseAccess }) {
  const { t } = useTranslation('repeats')
  const { data } = useRepeats(expense.id)
  const later = isRepeat(expense) ? 0 : (data?.repeats.length ?? 0)
  return (
    <>
      {!isRepeat(expense) && (
        <div className={classes.later}>
          {later > 0 && <span>{t('later', { count: later })}</span>}
          <RepeatNotice expense={expense} access={access} isFound={later > 0} />
        </div>
      )}
      <Decisions expense={expense} />
    </>
  )
}

/** Who said that pairs of this expense are no repeats, and why. */
function Decisions({ expense }: { expense: Expense }) {
  const { t } = useTranslation('repeats')
  const { data } = useRepeats(expense.id)
  const { mutate, isPending } = useDecisionWrite(expense.payer.id)
  const decisions = data?.decisions ?? []
  if (decisions.length === 0) return null
  const takeBack = (record: RepeatDecisionRepresentation) =>
    mutate(
      { kind: 'delete', record },
      {
        onSuccess: () => notifyDone(t('takenBack')),
        onError: (error) => notifyFailure({ title: t('notTakenBack'), message: failureText(error) }),
      },
    )
  return (
    <ul className={classes.decisions} aria-label={t('decisions')}>
      {decisions.map((decision) => {
        const other = decision.expense_id === expense.id ? decision.other_expense_id : decision.expense_id
        return (
          <li key={decision.id}>
            <span>
              {t('decided')}{' '}
              <Link href={`/expenses/${String(other)}`} className={classes.link}>
                #{other}
              </Link>
              : “{decision.name}” · {decision.user.name}, <Instant value={decision.created_at} show="day" />
            </span>
            <Button variant="default" size="compact-xs" disabled={isPending} onClick={() => takeBack(decision)}>
              {t('takeBack')}
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
