import type { SelectionExtent } from '../../state/review-selection'
import type { GridSelect } from '../../ui/grid-types'

type Identified = { readonly id: number }

/** How much of a list is selected. */
export function extentOf(offers: readonly Identified[], selected: ReadonlySet<number>): SelectionExtent {
  const count = offers.filter(({ id }) => selected.has(id)).length
  return count === 0 ? 'none' : count === offers.length ? 'all' : 'some'
}

/** The selection after what was done to it in the grid. */
export function select(offers: readonly Identified[], selected: ReadonlySet<number>, act: GridSelect): ReadonlySet<number> {
  const all = new Set(offers.map(({ id }) => id))
  switch (act.kind) {
    case 'all':
      return all
    case 'toggle_all':
      return extentOf(offers, selected) === 'all' ? new Set() : all
    case 'toggle': {
      const id = offers[act.index]?.id
      return id === undefined ? selected : selected.symmetricDifference(new Set([id]))
    }
    case 'range': {
      const [from, to] = [Math.min(act.from, act.to), Math.max(act.from, act.to)]
      return selected.union(new Set(offers.slice(from, to + 1).map(({ id }) => id)))
    }
  }
}
