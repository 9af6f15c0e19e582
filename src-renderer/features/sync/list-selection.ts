import type { SelectionExtent } from '../../state/review-selection'
import type { GridSelect } from '../../ui/grid/grid-types'

/** How much of a list is selected; rows are named by their keys, in the order of the list. */
export function extentOf<K>(keys: readonly K[], selected: ReadonlySet<K>): SelectionExtent {
  const count = keys.filter((key) => selected.has(key)).length
  return count === 0 ? 'none' : count === keys.length ? 'all' : 'some'
}

/** The selection after what was done to it in the grid. */
export function select<K>(keys: readonly K[], selected: ReadonlySet<K>, act: GridSelect): ReadonlySet<K> {
  switch (act.kind) {
    case 'all':
      return new Set(keys)
    case 'toggle_all':
      return extentOf(keys, selected) === 'all' ? new Set() : new Set(keys)
    case 'toggle': {
      const key = keys[act.index]
      return key === undefined ? selected : selected.symmetricDifference(new Set([key]))
    }
    case 'range': {
      const [from, to] = [Math.min(act.from, act.to), Math.max(act.from, act.to)]
      return selected.union(new Set(keys.slice(from, to + 1)))
    }
  }
}
