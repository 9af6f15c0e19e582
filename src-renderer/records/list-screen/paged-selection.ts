import type { GridSelect, GridSelection } from '../../ui/grid/grid-types'
import { select } from '../../ui/grid/grid-selection'

type PagedSelection<T> = {
  readonly count: number
  readonly getRow: (index: number) => T | undefined
  readonly selected: ReadonlyMap<number, T>
  readonly onSelected: (selected: ReadonlyMap<number, T>) => void
  /** Reads every row of the list, where an act is about rows that were not read yet. */
  readonly readAll: () => Promise<readonly T[]>
  readonly onFailure: (error: unknown) => void
}

/** The selection of a list that is read page by page; `selected`: the rows by id, which stay when the list is read again. */
export function pagedSelection<T extends { readonly id: number }>(list: PagedSelection<T>): GridSelection<T> {
  const { count, getRow, selected, onSelected, readAll, onFailure } = list
  const put = (rows: ReadonlyArray<T | undefined>, act: GridSelect) => {
    const byId = new Map([...selected, ...rows.flatMap((row) => (row ? [[row.id, row] as const] : []))])
    const ids = select(
      rows.map((row) => row?.id),
      new Set(selected.keys()),
      act,
    )
    onSelected(new Map([...byId].filter(([id]) => ids.has(id))))
  }
  return {
    isSelected: ({ id }) => selected.has(id),
    extent: selected.size === 0 ? 'none' : selected.size >= count ? 'all' : 'some',
    onSelect: (act) => {
      const rows = Array.from({ length: count }, (_, index) => getRow(index))
      const [from, to] = act.kind === 'range' ? [Math.min(act.from, act.to), Math.max(act.from, act.to)] : [0, count - 1]
      const isRead = act.kind === 'toggle' || !rows.slice(from, to + 1).includes(undefined)
      if (isRead) put(rows, act)
      else readAll().then((all) => put(all, act), onFailure)
    },
  }
}
