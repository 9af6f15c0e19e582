import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ExpenseSummary } from '#shared/contract/expenses'
import { CountCell } from '#renderer/ui/grid/count-cell'
import type { GridColumn } from '#renderer/ui/grid/grid-types'
import { useShortcuts } from '#renderer/ui/keys/shortcuts'
import { useRowFocus } from '#renderer/ui/grid/use-row-focus'
import { VirtualGrid } from '#renderer/ui/grid/virtual-grid'
import { useTotalsText } from '#renderer/records/expense/deciding/totals-text'

/** One group of a grouped list. */
export type Group = ExpenseSummary['groups'][number]

/** The groups of a list with what they hold. `onChoose` narrows the list to one; those without a key are shown and cannot be chosen. */
export function GroupList({
  groups,
  label,
  none,
  onChoose,
  onLeave,
}: {
  groups: readonly Group[]
  label: string
  /** What the group without a key is called. */
  none: string
  onChoose: (group: Group) => void
  /** Back to the list that is not grouped. */
  onLeave: () => void
}) {
  const { t } = useTranslation('review')
  const totalsText = useTotalsText()
  const columns = useMemo<GridColumn<Group>[]>(
    () => [
      { id: 'name', header: label, width: 160, fill: true, fixed: true, render: (group) => group.label ?? none },
      {
        id: 'count',
        header: t('group.count'),
        width: 88,
        whole: true,
        align: 'end',
        fixed: true,
        render: ({ count }) => <CountCell count={count} of="expenses" />,
      },
      {
        id: 'totals',
        header: t('group.sum'),
        width: 160,
        whole: true,
        align: 'end',
        fixed: true,
        render: ({ totals, claimed }) => <span className="tabular">{totalsText(totals, claimed)}</span>,
      },
    ],
    [t, label, none, totalsText],
  )
  const open = (index: number) => {
    const group = groups[index]
    if (group) onChoose(group)
  }
  const [index, setFocusIndex] = useRowFocus(`groups ${label}`, groups.length)
  useShortcuts({ scope: 'review-groups', title: label }, [{ id: 'leave', keys: 'escape', label: t('group.leave'), run: onLeave }])
  return (
    <VirtualGrid
      gridId="review-groups"
      label={label}
      columns={columns}
      rowCount={groups.length}
      getRow={(index) => groups[index]}
      focusIndex={index}
      onFocusIndex={setFocusIndex}
      onOpen={open}
    />
  )
}
