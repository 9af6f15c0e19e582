import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import type { Expense } from '#shared/contract/expenses'
import { FlagIcon } from '#renderer/records/expense/flag-list'
import { useFlagWords } from '#renderer/records/expense/flag-words'
import type { GridColumn } from '#renderer/ui/grid/grid-types'
import { now } from '#renderer/ui/values/clock'
import classes from '../review.module.css'
import type { ExpenseRow } from '#renderer/records/expense/expense-store'

/** The columns that say what is wrong: findings, the worst first, and how long ago the money was spent. */
export function findingColumns(t: TFunction<'review'>): GridColumn<ExpenseRow>[] {
  return [
    {
      id: 'flags',
      header: t('column.flags'),
      width: 240,
      minWidth: 120,
      yields: 5,
      isSortable: true,
      render: ({ expense }) => <Findings expense={expense} />,
    },
    {
      id: 'age',
      header: t('column.age'),
      width: 72,
      whole: true,
      align: 'end',
      isOptional: true,
      isSortable: true,
      render: ({ expense }) => <Age expense={expense} />,
    },
  ]
}

/** The worst finding, with how many more there are. `isShort`: by the name of its policy, and all in words on hover. */
export function Findings({ expense: { flags }, isShort = false }: { expense: Expense; isShort?: boolean }) {
  const { t } = useTranslation('review')
  const wordsOf = useFlagWords()
  const [worst] = flags
  if (!worst) return null
  return (
    <span className={classes.finding} title={flags.map(wordsOf).join('\n')}>
      <FlagIcon flag={worst} />
      <span className={classes.clip}>{(isShort && worst.policy) || wordsOf(worst)}</span>
      {flags.length > 1 && (
        <span className={classes.findingMore}>
          <span aria-hidden>+{flags.length - 1}</span>
          <span className="visually-hidden">{t('mark.more', { count: flags.length - 1 })}</span>
        </span>
      )}
    </span>
  )
}

const dayMs = 86_400_000

function Age({ expense: { occurred_at } }: { expense: Expense }) {
  const { t } = useTranslation('review')
  const count = Math.max(0, Math.floor((now().getTime() - Date.parse(occurred_at)) / dayMs))
  return (
    <span className="tabular" title={t('age.title', { count })}>
      {t('age.days', { count })}
    </span>
  )
}
