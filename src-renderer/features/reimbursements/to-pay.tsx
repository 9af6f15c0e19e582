import { useMediaQuery } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import type { Reimbursement } from '#shared/contract/reimbursements'
import { failureText } from '../../api/failure-text'
import { type Due, useDeleteReimbursement, useDues } from '../../api/reimbursements'
import { usePreferences } from '../../state/preferences'
import { Amount } from '../../ui/amount'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { formatCount, formatMoney } from '../../ui/format'
import type { GridColumn } from '../../ui/grid-types'
import { useShortcuts } from '../../ui/shortcuts'
import { SkeletonRows } from '../../ui/skeleton-rows'
import { SplitPane } from '../../ui/split-pane'
import { useGridFocus } from '../../ui/use-grid-focus'
import type { OfferUndo } from '../../ui/use-undo'
import { VirtualGrid } from '../../ui/virtual-grid'
import { dueAddress, dueName, findDue, nextDue } from './dues'
import { Payment } from './payment'
import classes from './reimbursements.module.css'

const paneWidthPx = 640

/** Who is owed what, and beside it the expenses to pay to the one who is chosen. */
export function ToPay({ organizationId, offerUndo }: { organizationId: number; offerUndo: OfferUndo }) {
  const { t } = useTranslation('reimbursements')
  const [, navigate] = useLocation()
  const isNarrow = useMediaQuery('(max-width: 1199px)', undefined, { getInitialValueInEffect: false })
  const { data: dues, error, refetch } = useDues(organizationId, true)
  const open = findDue(dues ?? [], new URLSearchParams(useSearch()))
  const [focused, setFocusIndex] = useState<number | null>(null)
  const focusIndex = focused ?? Math.max(0, dues?.findIndex((due) => due === open) ?? 0)
  const { ref: gridRef, focus: focusGrid } = useGridFocus(dues !== undefined && dues.length > 0)
  const show = (due: Due | undefined) => navigate(due ? dueAddress(due) : '/reimbursements', { replace: true })
  const move = (index: number) => {
    setFocusIndex(index)
    if (open && !isNarrow) show(dues?.[index])
  }
  const close = () => {
    show(undefined)
    focusGrid()
  }
  const takeBack = useTakeBack(show)
  const onPaid = (reimbursement: Reimbursement, due: Due) => {
    takeBack(reimbursement, due, offerUndo)
    show(nextDue(dues ?? [], due))
    setFocusIndex(null)
    focusGrid()
  }
  useShortcuts({ scope: 'to-pay', title: t('view.toPay') }, [
    { id: 'down', keys: 'j', label: t('next'), run: () => move(Math.min(focusIndex + 1, (dues?.length ?? 1) - 1)) },
    { id: 'up', keys: 'k', label: t('previous'), run: () => move(Math.max(focusIndex - 1, 0)) },
    {
      id: 'open',
      keys: 'enter',
      label: t('open'),
      run: () => show(dues?.[focusIndex]),
      when: () => dues !== undefined && dues.length > 0,
    },
  ])
  if (error && !dues)
    return <ErrorState happened={t('toPay.error')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  if (!dues) return <SkeletonRows count={8} />
  if (dues.length === 0)
    return (
      <EmptyState
        sentence={t('toPay.empty')}
        action={{ label: t('view.paid'), run: () => navigate('/reimbursements/paid'), keys: 'v p' }}
      />
    )
  return (
    <div ref={gridRef} className={classes.body}>
      <SplitPane
        paneId="to-pay"
        defaultWidthPx={paneWidthPx}
        detailLabel={t('pay.label')}
        detail={
          open && (
            <Payment key={dueName(open)} due={open} onClose={close} onPaid={(reimbursement) => onPaid(reimbursement, open)} />
          )
        }
        list={<DueList dues={dues} focusIndex={Math.min(focusIndex, dues.length - 1)} onFocusIndex={move} onOpen={show} />}
      />
    </div>
  )
}

/** Tells that somebody was paid, and offers to take it back. */
function useTakeBack(show: (due: Due) => void) {
  const { t } = useTranslation('reimbursements')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const { mutateAsync: remove } = useDeleteReimbursement()
  return (reimbursement: Reimbursement, due: Due, offerUndo: OfferUndo) => {
    const params = { amount: formatMoney(reimbursement, { language, display }), name: due.name }
    offerUndo(t('pay.done', params), async () => {
      await remove(reimbursement)
      if (window.location.pathname === '/reimbursements') show(due)
    })
  }
}

type DueListProps = {
  dues: readonly Due[]
  focusIndex: number
  onFocusIndex: (index: number) => void
  onOpen: (due: Due | undefined) => void
}

function DueList({ dues, focusIndex, onFocusIndex, onOpen }: DueListProps) {
  const { t } = useTranslation('reimbursements')
  const language = usePreferences((state) => state.language)
  const columns = useMemo<GridColumn<Due>[]>(
    () => [
      { id: 'name', header: t('column.receiver'), width: 120, fill: true, fixed: true, render: ({ name }) => name },
      {
        id: 'count',
        header: t('column.expenses'),
        width: 88,
        whole: true,
        align: 'end',
        render: ({ count }) => <span className="tabular">{formatCount(count, language)}</span>,
      },
      {
        id: 'amount',
        header: t('column.owed'),
        width: 136,
        whole: true,
        align: 'end',
        fixed: true,
        render: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
      },
    ],
    [t, language],
  )
  return (
    <VirtualGrid
      gridId="to-pay"
      label={t('toPay.label')}
      columns={columns}
      rowCount={dues.length}
      getRow={(index) => dues[index]}
      focusIndex={focusIndex}
      onFocusIndex={onFocusIndex}
      onOpen={(index) => onOpen(dues[index])}
    />
  )
}
