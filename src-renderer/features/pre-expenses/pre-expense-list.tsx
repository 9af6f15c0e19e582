import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { PreExpense } from '#shared/contract/pre-expenses'
import type { PreExpenseState } from '#shared/domain/pre-expense-state'
import { Amount } from '../../ui/values/amount'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import type { GridColumn } from '../../ui/grid/grid-types'
import { Instant } from '../../ui/values/instant'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import classes from './pre-expenses.module.css'
import { sourceOf } from './source'
import type { PreExpenseRows } from './use-pre-expense-list'

const gridId = 'pre-expenses'

/** The pre-expenses of one state, newest first. */
export function PreExpenseList({
  inbox,
  state,
  onOpen,
}: {
  inbox: PreExpenseRows
  state: PreExpenseState
  onOpen: (row: PreExpense) => void
}) {
  const { t } = useTranslation('pre-expenses')
  const columns = useColumns()
  const { count, error, retry, getRow, onRangeChange } = inbox.rows
  if (error) return <ErrorState happened={t('error')} kept={t('errorKept')} onRetry={retry} error={error} />
  if (count === undefined) return <SkeletonRows count={12} />
  if (count === 0) return <EmptyState sentence={t(`empty.${state}`)} />
  return (
    <VirtualGrid
      gridId={gridId}
      label={t(`state.${state}`)}
      columns={columns}
      rowCount={count}
      getRow={getRow}
      focusIndex={inbox.focusIndex}
      onFocusIndex={inbox.move}
      onOpen={(index) => {
        const row = getRow(index)
        if (row) onOpen(row)
      }}
      selection={state === 'converted' ? undefined : inbox.selection}
      onRangeChange={onRangeChange}
    />
  )
}

function useColumns(): GridColumn<PreExpense>[] {
  const { t } = useTranslation('pre-expenses')
  return useMemo(() => {
    const missing = <span className={classes.quiet}>{t('missing')}</span>
    return [
      {
        id: 'occurred_at',
        header: t('field.date'),
        width: 96,
        whole: true,
        render: ({ occurred_at }) => (occurred_at === null ? missing : <Instant value={occurred_at} />),
      },
      {
        id: 'description',
        header: t('field.description'),
        width: 200,
        minWidth: 120,
        fill: true,
        fixed: true,
        render: ({ description }) => description ?? <span className={classes.quiet}>{t('untitled')}</span>,
      },
      {
        id: 'source',
        header: t('field.source'),
        width: 140,
        minWidth: 80,
        yields: 2,
        render: (row) => {
          const source = sourceOf(row)
          const text = source.kind === 'statement' ? source.card : t(`source.${source.kind}`)
          return <span title={text}>{text}</span>
        },
      },
      { id: 'tags', header: t('field.tags'), width: 160, minWidth: 80, yields: 1, render: ({ tags }) => <span title={tags}>{tags}</span> },
      {
        id: 'amount',
        header: t('field.amount'),
        width: 136,
        whole: true,
        align: 'end',
        render: ({ amount, currency }) => (amount === null || currency === null ? missing : <Amount amount={amount} currency={currency} />),
      },
    ]
  }, [t])
}
