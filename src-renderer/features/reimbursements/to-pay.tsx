import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CountCell } from '../../ui/grid/count-cell'
import { useLocation, useSearch } from 'wouter'
import type { Reimbursement } from '#shared/contract/reimbursements'
import { actOnSaved } from '../../state/open-forms'
import { failureText } from '../../api/failure-text'
import { type Due, useDues } from '../../api/reimbursements'
import { usePreferences } from '../../state/preferences'
import { Amount } from '../../ui/values/amount'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { formatMoney, type Money } from '../../ui/values/format'
import { select } from '../../ui/grid/grid-selection'
import type { GridColumn, GridSelect } from '../../ui/grid/grid-types'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { SplitPane } from '../../ui/panes/split-pane'
import { useGridFocus } from '../../ui/grid/use-grid-focus'
import type { OfferUndo } from '../../ui/feedback/use-undo'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import { dueAddress, dueName, findDue, nextDue } from './dues'
import { sumMoney } from '../../ui/values/sums'
import { OwedByAdvances } from './owed-by-advances'
import { PaySheet, type PlannedPayment } from './pay-sheet'
import { Payment } from './payment'
import classes from './reimbursements.module.css'
import { useOfferPaymentUndo, usePayMany } from './use-pay-many'

const paneWidthPx = 640

/** Who is owed what, and next to it the expenses to pay to the chosen person. */
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
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<readonly Due[] | null>(null)
  const offer = useOfferPaymentUndo(offerUndo)
  const payMany = usePayMany(offerUndo)
  const chosen = (dues ?? []).filter((due) => selected.has(dueName(due)))
  const ask = () => {
    const focusedDue = dues?.[Math.min(focusIndex, dues.length - 1)]
    if (chosen.length > 0) setAsked(chosen)
    else if (focusedDue) setAsked([focusedDue])
  }
  const onPay = (paid: Money, paying: Promise<Reimbursement | undefined>, due: Due) => {
    offer({ ...paid, name: due.name }, paying, {
      onUndone: () => {
        if (window.location.pathname === '/reimbursements') show(due)
      },
    })
  }
  const onPaid = (due: Due) => {
    // Someone else may be open by then: they stay.
    if (!findDue([due], new URLSearchParams(window.location.search))) return
    show(nextDue(dues ?? [], due))
    setFocusIndex(null)
    focusGrid()
  }
  const pay = (payments: readonly PlannedPayment[]) => {
    setAsked(null)
    setSelected(new Set())
    if (open) show(undefined)
    void payMany(payments)
    focusGrid()
  }
  useShortcuts({ scope: 'to-pay', title: t('view.toPay') }, [
    { id: 'pay', keys: 'p', label: t('pay.action'), run: ask, when: () => asked === null && dues !== undefined && dues.length > 0 },
    { id: 'clear', keys: 'escape', label: t('pay.clear'), run: () => setSelected(new Set()), when: () => selected.size > 0 },
  ])
  if (error && !dues)
    return <ErrorState happened={t('toPay.error')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  if (!dues) return <SkeletonRows count={8} />
  if (dues.length === 0) return <NothingToPay organizationId={organizationId} />
  return (
    <div ref={gridRef} className={classes.body}>
      <SplitPane
        paneId="to-pay"
        defaultWidthPx={paneWidthPx}
        detailLabel={t('pay.label')}
        detail={
          open && (
            <Payment
              key={dueName(open)}
              due={open}
              isBatch={chosen.length > 0}
              onClose={close}
              onPaid={() => onPaid(open)}
              onPay={(paid, paying) => onPay(paid, paying, open)}
            />
          )
        }
        list={
          <>
            <DueList
              dues={dues}
              focusIndex={Math.min(focusIndex, dues.length - 1)}
              onFocusIndex={move}
              onOpen={show}
              selected={selected}
              onSelect={(act) => setSelected((known) => select(dues.map(dueName), known, act))}
            />
            <OwedByAdvances organizationId={organizationId} />
            {chosen.length > 0 && <ChosenBar chosen={chosen} onPay={ask} />}
            {asked && <PaySheet dues={asked} onPay={pay} onCancel={() => setAsked(null)} />}
          </>
        }
      />
    </div>
  )
}

function NothingToPay({ organizationId }: { organizationId: number }) {
  const { t } = useTranslation('reimbursements')
  const [, navigate] = useLocation()
  const showPaid = () => navigate('/reimbursements/paid')
  return (
    <>
      <EmptyState sentence={t('toPay.empty')} action={{ label: t('view.paid'), run: showPaid, keys: 'v p' }} />
      <OwedByAdvances organizationId={organizationId} />
    </>
  )
}

type DueListProps = {
  dues: readonly Due[]
  focusIndex: number
  onFocusIndex: (index: number) => void
  onOpen: (due: Due | undefined) => void
  selected: ReadonlySet<string>
  onSelect: (act: GridSelect) => void
}

/** Who is chosen to be paid, and the sum in each currency. */
function ChosenBar({ chosen, onPay }: { chosen: readonly Due[]; onPay: () => void }) {
  const { t } = useTranslation('reimbursements')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const sums = sumMoney(chosen).map((sum) => formatMoney(sum, { language, display }))
  return (
    <div className={classes.foot} role="toolbar" aria-label={t('pay.selection')}>
      <span className="tabular">
        {t('pay.selected', { count: chosen.length })} · {sums.join(' · ')}
      </span>
      <span className={classes.spring} />
      <Button rightSection={<KeyHint keys="p" />} onClick={() => actOnSaved(t('pay.action'), onPay)}>
        {t('pay.action')}
      </Button>
    </div>
  )
}

function DueList({ dues, focusIndex, onFocusIndex, onOpen, selected, onSelect }: DueListProps) {
  const { t } = useTranslation('reimbursements')
  const columns = useMemo<GridColumn<Due>[]>(
    () => [
      { id: 'name', header: t('column.receiver'), width: 120, fill: true, fixed: true, render: ({ name }) => name },
      {
        id: 'count',
        header: t('column.expenses'),
        width: 88,
        align: 'end',
        render: ({ count }) => <CountCell count={count} of="expenses" />,
      },
      {
        id: 'amount',
        header: t('column.owed'),
        width: 136,
        align: 'end',
        fixed: true,
        render: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
      },
    ],
    [t],
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
      selection={{
        isSelected: (due) => selected.has(dueName(due)),
        extent: selected.size === 0 ? 'none' : dues.every((due) => selected.has(dueName(due))) ? 'all' : 'some',
        onSelect,
      }}
    />
  )
}
