import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Reimbursement } from '#shared/contract/reimbursements'
import { CountCell } from '../../ui/grid/count-cell'
import { failureText } from '../../api/failure-text'
import { pageSize, usePagedRows } from '../../api/pages'
import { readReimbursementPage, reimbursementKeys } from '../../api/reimbursements'
import { Amount } from '../../ui/values/amount'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import type { GridColumn, GridSort } from '../../ui/grid/grid-types'
import { Instant } from '../../ui/values/instant'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import { paidFilterNames, toApiFilter, toApiSort, type PaidFilter } from './paid-filter'
import classes from './reimbursements.module.css'

type PaidListProps = {
  organizationId: number
  filter: PaidFilter
  sort: GridSort
  /** What the detail shows. */
  openId: number | null
  /** The detail is next to the list and follows its focus. */
  isFollowed: boolean
  onSort: (sort: GridSort) => void
  onOpen: (id: number, isReplacing?: boolean) => void
  /** The rows are there for the first time. */
  onArrived: () => void
}

/** The reimbursements, as many as there are. */
export function PaidList({ organizationId, filter, sort, openId, isFollowed, onSort, onOpen, onArrived }: PaidListProps) {
  const { t } = useTranslation('reimbursements')
  const [focused, setFocusIndex] = useState<number | null>(null)
  const columns = usePaidColumns()
  const asked = toApiFilter(filter, organizationId)
  const order = toApiSort(sort)
  const { count, getRow, onRangeChange, error, retry } = usePagedRows<Reimbursement>({
    queryKey: reimbursementKeys.list(asked, order),
    read: (page, signal) => readReimbursementPage({ filter: asked, sort: order, page }, signal),
  })
  const focusIndex = focused ?? indexOf(openId, getRow)
  const hasRows = count !== undefined && count > 0
  const arrive = useEffectEvent(() => {
    if (document.activeElement === document.body) onArrived()
  })
  useEffect(() => {
    if (hasRows) arrive()
  }, [hasRows])
  const open = (index: number, isReplacing = false) => {
    const row = getRow(index)
    if (row) onOpen(row.id, isReplacing)
  }
  const move = (index: number) => {
    setFocusIndex(index)
    if (isFollowed) open(index, true)
  }
  const last = (count ?? 0) - 1
  if (error) return <ErrorState happened={t('paid.error')} kept={failureText(error)} onRetry={retry} error={error} />
  if (count === undefined) return <SkeletonRows count={12} />
  if (count === 0)
    return <EmptyState sentence={paidFilterNames.some((name) => filter[name] !== '') ? t('paid.noMatch') : t('paid.empty')} />
  return (
    <VirtualGrid
      gridId="reimbursements"
      label={t('title')}
      columns={columns}
      rowCount={count}
      getRow={getRow}
      focusIndex={Math.min(focusIndex, last)}
      onFocusIndex={move}
      onOpen={open}
      onRangeChange={onRangeChange}
      sort={sort}
      onSort={onSort}
    />
  )
}

/** The row of a reimbursement among those of the first page; the first row when it is not there. */
function indexOf(id: number | null, getRow: (index: number) => Reimbursement | undefined): number {
  const index = Array.from({ length: pageSize }, (_, row) => getRow(row)?.id).findIndex((known) => known !== undefined && known === id)
  return Math.max(0, index)
}

function usePaidColumns(): GridColumn<Reimbursement>[] {
  const { t } = useTranslation('reimbursements')
  return useMemo(
    () => [
      { id: 'date', header: t('column.date'), width: 96, whole: true, isSortable: true, render: ({ date }) => <Instant value={date} /> },
      {
        id: 'receiver',
        header: t('column.receiver'),
        width: 184,
        minWidth: 96,
        render: ({ receiver }) => <span title={receiver.name}>{receiver.name}</span>,
      },
      {
        id: 'description',
        header: t('column.description'),
        width: 200,
        minWidth: 120,
        fill: true,
        fixed: true,
        render: ({ description }) => description ?? <span className={classes.quiet}>{t('untitled')}</span>,
      },
      {
        id: 'tags',
        header: t('column.tags'),
        width: 160,
        minWidth: 80,
        yields: 1,
        render: ({ tags }) => <span title={tags.join(', ')}>{tags.join(', ')}</span>,
      },
      {
        id: 'expenses',
        header: t('column.expenses'),
        width: 88,
        whole: true,
        align: 'end',
        render: ({ expenses }) => <CountCell count={expenses.length} of="expenses" />,
      },
      {
        id: 'amount',
        header: t('column.amount'),
        width: 136,
        whole: true,
        align: 'end',
        fixed: true,
        isSortable: true,
        render: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
      },
    ],
    [t],
  )
}
