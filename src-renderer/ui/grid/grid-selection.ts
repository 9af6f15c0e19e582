import type { SelectionExtent } from '../../state/review-selection'
import type { GridSelect } from './grid-types'

/** The key of each row in the order of the list; undefined: the row is not there yet, or cannot be selected. */
export type RowKeys<K> = readonly (K | undefined)[]

const known = <K>(keys: RowKeys<K>) => keys.filter((key) => key !== undefined)

/** How much of a list is selected. */
export function extentOf<K>(keys: RowKeys<K>, selected: ReadonlySet<K>): SelectionExtent {
  const rows = known(keys)
  const count = rows.filter((key) => selected.has(key)).length
  if (count === 0) return 'none'
  return count === rows.length ? 'all' : 'some'
}

/** The selection after what was done to it in the grid. */
export function select<K>(keys: RowKeys<K>, selected: ReadonlySet<K>, act: GridSelect): ReadonlySet<K> {
  switch (act.kind) {
    case 'all':
    case 'matching':
      return new Set(known(keys))
    case 'toggle_all':
      return extentOf(keys, selected) === 'all' ? new Set() : new Set(known(keys))
    case 'toggle':
      return selected.symmetricDifference(new Set(known([keys[act.index]])))
    case 'range':
      return selected.union(new Set(known(keys.slice(Math.min(act.from, act.to), Math.max(act.from, act.to) + 1))))
  }
}
