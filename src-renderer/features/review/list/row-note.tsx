import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useShallow } from 'zustand/react/shallow'
import { FlagList } from '#renderer/records/expense/flag-list'
import { usePreferences } from '#renderer/state/preferences'
import { formatMoney } from '#renderer/ui/values/format'
import { changesOf } from '#renderer/records/expense/deciding/changes'
import { targetOf } from '#renderer/records/expense/deciding/decision'
import classes from '../review.module.css'
import { lookAgain, setRowStates, useExpenseStore, type ExpenseRow, type Unsent } from '#renderer/records/expense/expense-store'

/** Why an act left an expense as it was, in words; undefined where it did not. */
export function useReasonText(row: ExpenseRow | undefined): string | undefined {
  const { t } = useTranslation('review')
  const state = row?.state
  if (state?.kind === 'refused') return state.reason === '' ? t('row.noAnswer') : state.reason
  if (!row || state?.kind !== 'changed') return undefined
  const what = changesOf(state.seen, row.expense).map((part) => t(`changed.${part}`))
  return t('row.changed', { what: what.join(', ') })
}

/** All of the reason that its row has room for a part of, and what clears it; `hasFindings`: else what was found against it. */
export function RowNote({ uid, hasFindings = false }: { uid: string | undefined; hasFindings?: boolean }) {
  const { t } = useTranslation('review')
  const row = useExpenseStore(({ rows }) => (uid === undefined ? undefined : rows.get(uid)))
  const text = useReasonText(row)
  if (uid === undefined) return null
  if (text === undefined)
    return hasFindings && row && row.expense.flags.length > 0 ? (
      <div className={classes.rowNote} role="note" data-findings>
        <FlagList flags={row.expense.flags} label={t('column.flags')} />
      </div>
    ) : null
  return (
    <div className={classes.rowNote} role="note">
      <span>{text}</span>
      <Button variant="subtle" onClick={() => lookAgain(uid)}>
        {t('action.lookAgain')}
      </Button>
    </div>
  )
}

/** The most decisions that are named. */
const mostNamed = 3

/** Decisions that got no response from the server: what they are, and the ways to send them all again or to drop them. */
export function UnsentBar({ onRetry }: { onRetry: (unsent: readonly Unsent[]) => void }) {
  const { t } = useTranslation(['review', 'status'])
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const unsent = useExpenseStore(
    useShallow(({ rows }) => [...rows.values()].flatMap(({ state }) => (state?.kind === 'refused' && state.unsent ? [state.unsent] : []))),
  )
  if (unsent.length === 0) return null
  const named = unsent
    .slice(0, mostNamed)
    .map(({ act, seen }) =>
      t('review:unsent.one', {
        what: seen.description || t('review:noDescription'),
        amount: formatMoney(act.kind === 'approve_part' ? { ...seen, amount: act.amount } : seen, { language, display }),
        status: t(`status:${targetOf(act)}`),
      }),
    )
  const more = unsent.length - named.length
  if (more > 0) named.push(t('review:unsent.more', { count: more }))
  return (
    <div className={classes.foot} role="group" aria-label={t('review:unsent.label')}>
      <span>
        {t('review:unsent.count', { count: unsent.length })} <span className={classes.unsentNames}>{named.join(' · ')}</span>
      </span>
      <span data-grow />
      <Button variant="subtle" onClick={() => setRowStates(unsent.map(({ seen }) => [seen.uid, undefined]))}>
        {t('review:unsent.drop')}
      </Button>
      <Button onClick={() => onRetry(unsent)}>{t('review:unsent.retry')}</Button>
    </div>
  )
}
