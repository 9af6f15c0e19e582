import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { accountabilityKeys, type Parties, readJoinable } from '../../api/accountabilities'
import { readWhole } from '../../api/pages'
import { failureText } from '../../api/failure-text'
import { usePagedRows } from '../../api/pages'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { notifyFailure } from '../../state/notices'
import { useGridFocus } from '../../ui/grid/use-grid-focus'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import classes from './accountabilities.module.css'
import { pagedSelection } from '../../records/list-screen/paged-selection'
import { expenseColumns } from './expense-columns'

/** Expenses that were chosen, by id. */
export type Chosen = ReadonlyMap<number, Expense>

/** The expenses of one receiver that are in no accountability yet, to choose from. */
export function ExpensePicker({
  parties,
  chosen,
  onChosen,
  view,
}: {
  parties: Parties
  chosen: Chosen
  onChosen: (chosen: Chosen) => void
  view: 'choosing' | 'narrow'
}) {
  const { t } = useTranslation('accountabilities')
  const columns = useMemo(() => expenseColumns(t, view), [t, view])
  const { count, getRow, onRangeChange, error, retry } = usePagedRows<Expense>({
    queryKey: accountabilityKeys.joinable(parties),
    read: (page, signal) => readJoinable(parties, page, signal),
  })
  const [focusIndex, setFocusIndex] = useState(0)
  const hasRows = count !== undefined && count > 0
  const { ref, focus } = useGridFocus(hasRows)
  const take = useEffectEvent(focus)
  useEffect(() => {
    if (hasRows && view === 'narrow') take()
  }, [hasRows, view])
  if (error) return <ErrorState happened={t('picker.error')} kept={failureText(error)} onRetry={retry} />
  if (count === undefined) return <SkeletonRows count={8} />
  if (count === 0) return <EmptyState sentence={t('picker.empty')} />
  const selection = pagedSelection<Expense>({
    count,
    getRow,
    selected: chosen,
    onSelected: onChosen,
    readAll: () => readWhole((page) => readJoinable(parties, page)),
    onFailure: (failure) => notifyFailure({ title: t('picker.error'), message: failureText(failure) }),
  })
  return (
    <div ref={ref} className={classes.picker}>
      <VirtualGrid
        gridId={`accountability-${view}`}
        label={t('picker.title')}
        columns={columns}
        rowCount={count}
        getRow={getRow}
        focusIndex={Math.min(focusIndex, count - 1)}
        onFocusIndex={setFocusIndex}
        onOpen={(index) => selection.onSelect({ kind: 'toggle', index })}
        onRangeChange={onRangeChange}
        selection={selection}
      />
    </div>
  )
}

/** How many are chosen; before that, how to choose with a mouse or keys. */
export function ChosenCount({ count }: { count: number }) {
  const { t } = useTranslation('accountabilities')
  if (count === 0) return <span className={classes.keyText}>{t('picker.hint')}</span>
  return <span className="tabular">{t('expenses', { count })}</span>
}
