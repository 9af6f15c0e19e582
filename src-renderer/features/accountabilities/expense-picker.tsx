import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { accountabilityKeys, type Parties, readJoinable } from '../../api/accountabilities'
import { readWhole } from '../../api/pages'
import { failureText } from '../../api/failure-text'
import { usePagedRows } from '../../api/pages'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import type { GridSelect } from '../../ui/grid/grid-types'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { notifyFailure } from '../../state/notices'
import { useGridFocus } from '../../ui/grid/use-grid-focus'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import classes from './accountabilities.module.css'
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
  const toggle = (index: number) => {
    const row = getRow(index)
    if (row) onChosen(chosen.has(row.id) ? new Map([...chosen].filter(([id]) => id !== row.id)) : new Map(chosen).set(row.id, row))
  }
  useShortcuts({ scope: 'accountability-picker', title: t('picker.title') }, [
    { id: 'choose', keys: 'space', label: t('picker.choose'), run: () => toggle(focusIndex), when: () => hasRows },
  ])
  if (error) return <ErrorState happened={t('picker.error')} kept={failureText(error)} onRetry={retry} />
  if (count === undefined) return <SkeletonRows count={8} />
  if (count === 0) return <EmptyState sentence={t('picker.empty')} />
  const put = (rows: readonly Expense[]) => onChosen(new Map([...chosen, ...rows.map((row) => [row.id, row] as const)]))
  const takeAll = () =>
    readWhole((page) => readJoinable(parties, page)).then(put, (failure: unknown) =>
      notifyFailure({ title: t('picker.error'), message: failureText(failure) }),
    )
  const onSelect = (act: GridSelect) => {
    if (act.kind === 'toggle') toggle(act.index)
    else if (act.kind === 'range') put(rowsBetween(getRow, act))
    else if (act.kind === 'toggle_all' && chosen.size > 0) onChosen(new Map())
    else void takeAll()
  }
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
        onOpen={toggle}
        onRangeChange={onRangeChange}
        selection={{
          isSelected: ({ id }) => chosen.has(id),
          extent: chosen.size === 0 ? 'none' : chosen.size >= count ? 'all' : 'some',
          onSelect,
        }}
      />
    </div>
  )
}

function rowsBetween(getRow: (index: number) => Expense | undefined, { from, to }: { from: number; to: number }): Expense[] {
  const first = Math.min(from, to)
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, offset) => getRow(first + offset)).filter((row) => row !== undefined)
}

/** How many are chosen; before that, how to choose with a mouse or keys. */
export function ChosenCount({ count }: { count: number }) {
  const { t } = useTranslation('accountabilities')
  if (count === 0) return <span className={classes.keyText}>{t('picker.hint')}</span>
  return <span className="tabular">{t('expenses', { count })}</span>
}
