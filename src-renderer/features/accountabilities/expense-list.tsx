import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Expense } from '#shared/contract/expenses'
import { accountabilityKeys, hinderingFilter, readAccountabilityExpenses } from '../../api/accountabilities'
import { failureText } from '../../api/failure-text'
import { usePagedRows } from '../../api/pages'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { useGridFocus } from '../../ui/grid/use-grid-focus'
import { useRowFocus } from '../../ui/grid/use-row-focus'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import classes from './accountabilities.module.css'
import { type ColumnView, expenseColumns } from './expense-columns'

/** The props of the list. `isOnly`: only those that are not approved. Omitted acts are not offered. */
export type ExpenseListProps = {
  id: number
  isOnly: boolean
  view: ColumnView
  /** The user may approve expenses here at all. */
  isReviewer: boolean
  asActed: (expense: Expense) => Expense
  canApprove: (expense: Expense) => boolean
  onApprove: (expense: Expense) => void
  onRemove?: (expense: Expense) => void
  onAdd?: () => void
}

/** The expenses of an accountability; a key approves the one that has the focus, another takes it out. */
export function ExpenseList(props: ExpenseListProps) {
  const { id, view, isOnly, isReviewer, asActed, canApprove, onApprove, onRemove, onAdd } = props
  const { t } = useTranslation('accountabilities')
  const [, navigate] = useLocation()
  const columns = useMemo(() => expenseColumns(t, view), [t, view])
  // Next to the expenses to choose from, the keys belong to those.
  const isActive = view !== 'narrow'
  const filter = isOnly ? hinderingFilter : {}
  const { count, getRow, onRangeChange, error, retry } = usePagedRows<Expense>({
    queryKey: accountabilityKeys.expenses(id, filter),
    read: (page, signal) => readAccountabilityExpenses({ id, filter, page }, signal),
  })
  const { ref } = useGridFocus(isActive && count !== undefined && count > 0)
  const rowAt = (index: number) => {
    const row = getRow(index)
    return row && asActed(row)
  }
  const [index, setFocusIndex] = useRowFocus(`accountability ${id} ${isOnly}`, count ?? 0)
  const focused = rowAt(index)
  const approve = () => {
    if (!focused) return
    onApprove(focused)
    for (let next = index + 1; next < (count ?? 0); next += 1) {
      const row = rowAt(next)
      if (!row) break
      if (canApprove(row)) return setFocusIndex(next)
    }
  }
  useShortcuts({ scope: 'accountability-expenses', title: t('column.expenses') }, [
    {
      id: 'approve',
      keys: 'a',
      label: t('approve.one'),
      run: approve,
      when: () => isActive && focused !== undefined && canApprove(focused),
    },
    {
      id: 'remove',
      keys: 'delete',
      label: t('remove'),
      run: () => focused && onRemove?.(focused),
      when: () => isActive && focused !== undefined && onRemove !== undefined,
    },
  ])
  if (error) return <ErrorState happened={t('list.error')} kept={failureText(error)} onRetry={retry} />
  if (count === undefined) return <SkeletonRows count={6} />
  if (count === 0)
    return (
      <EmptyState
        sentence={isOnly ? t('list.allApproved') : t('list.empty')}
        action={!isOnly && onAdd ? { label: t('add'), run: onAdd, keys: 'n' } : undefined}
      />
    )
  return (
    <>
      <div ref={ref} className={classes.grid}>
        <VirtualGrid
          gridId="accountability"
          isFitted
          label={t('column.expenses')}
          columns={columns}
          rowCount={count}
          getRow={rowAt}
          focusIndex={index}
          onFocusIndex={setFocusIndex}
          onOpen={(row) => {
            const expense = getRow(row)
            if (expense) navigate(`/expenses/${expense.id}`)
          }}
          onRangeChange={onRangeChange}
        />
      </div>
      {(isReviewer || onRemove) && (
        <div className={classes.rowActions}>
          {isReviewer && (
            <Button variant="default" disabled={!focused || !canApprove(focused)} rightSection={<KeyHint keys="a" />} onClick={approve}>
              {t('approve.one')}
            </Button>
          )}
          {onRemove && (
            <Button
              variant="default"
              disabled={!focused}
              rightSection={<KeyHint keys="delete" />}
              onClick={() => focused && onRemove(focused)}
            >
              {t('remove')}
            </Button>
          )}
        </div>
      )}
    </>
  )
}
