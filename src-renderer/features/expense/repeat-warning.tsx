import { ActionIcon, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert, X } from 'lucide-react'
import { Fragment } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Expense } from '#shared/contract/expenses'
import { expenseKeys, readExpensePage } from '../../api/expenses'
import { pairOf, useDismissedRepeats } from './dismissed-repeats'
import classes from './expense.module.css'

const mostNamed = 3

function useRepeats(expense: Expense): readonly Expense[] {
  const day = expense.occurred_at.slice(0, 10)
  const filter = {
    amount_eq: expense.amount,
    currency_eq: expense.currency,
    receiver_id_eq: expense.receiver.id,
    occurred_at_gteq: `${day}T00:00:00Z`,
    occurred_at_lteq: `${day}T23:59:59Z`,
    id_not_eq: expense.id,
  }
  const { data } = useQuery({
    queryKey: [...expenseKeys.one(expense.id), 'repeats', filter],
    queryFn: ({ signal }) => readExpensePage({ filter, sort: 'id', page: 1 }, signal),
  })
  return data?.expenses ?? []
}

/** Says that the same claimant has the same amount on the same day elsewhere. Once dismissed it stays so. */
export function RepeatWarning({ expense }: { expense: Expense }) {
  const { t } = useTranslation('expense')
  const { pairs, dismiss } = useDismissedRepeats()
  const repeats = useRepeats(expense).filter((other) => !pairs.includes(pairOf(expense, other)))
  if (repeats.length === 0) return null
  const links = repeats.slice(0, mostNamed).map((other, index) => (
    <Fragment key={other.id}>
      {index > 0 && ', '}
      <Link href={`/expenses/${other.id}`} className={classes.link}>
        #{other.id}
      </Link>
    </Fragment>
  ))
  return (
    <div className={classes.warning} role="note">
      <TriangleAlert size={16} aria-hidden />
      <span className={classes.grow}>
        <Trans
          t={t}
          i18nKey="repeat.same"
          count={repeats.length}
          values={{ count: repeats.length }}
          components={{ links: <>{links}</> }}
        />
        {repeats.length > mostNamed && ` ${t('repeat.more', { count: repeats.length - mostNamed })}`}
      </span>
      <Tooltip label={t('repeat.dismiss')}>
        <ActionIcon
          size={20}
          aria-label={t('repeat.dismiss')}
          onClick={() => dismiss(repeats.map((other) => pairOf(expense, other)))}
        >
          <X size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}
