/**
 * Which of the expenses that match are selected, without naming all of them: everything or nothing,
 * except some. `except` holds uids. A value: every change gives a new one.
 */
export type ReviewSelection = { readonly default: 'none' | 'all'; readonly except: ReadonlySet<string> }

/** How the box above the list is drawn. */
export type SelectionExtent = 'none' | 'some' | 'all'

/** Nothing selected. */
export const emptySelection: ReviewSelection = { default: 'none', except: new Set() }

/** Whether the expense is selected. */
export function isSelected(selection: ReviewSelection, uid: string): boolean {
  return (selection.default === 'all') !== selection.except.has(uid)
}

/** The selection with one expense selected or not. */
export function setSelected(selection: ReviewSelection, uid: string, selected: boolean): ReviewSelection {
  return setManySelected(selection, [uid], selected)
}

/** The selection with each of the expenses selected or not; the same value when nothing changes. */
export function setManySelected(selection: ReviewSelection, uids: Iterable<string>, selected: boolean): ReviewSelection {
  const except = new Set(selection.except)
  const isException = selected !== (selection.default === 'all')
  for (const uid of uids) {
    if (isException) except.add(uid)
    else except.delete(uid)
  }
  return except.symmetricDifference(selection.except).size === 0 ? selection : { default: selection.default, except }
}

/** The selection with one expense the other way round. */
export function toggle(selection: ReviewSelection, uid: string): ReviewSelection {
  return setSelected(selection, uid, !isSelected(selection, uid))
}

/** Everything that matches, known to the window or not. */
export function selectAllMatching(): ReviewSelection {
  return { default: 'all', except: new Set() }
}

/** Nothing selected. */
export function clear(): ReviewSelection {
  return emptySelection
}

/** How many of `total` matching expenses are selected. */
export function countSelected(selection: ReviewSelection, total: number): number {
  const count = selection.default === 'all' ? total - selection.except.size : selection.except.size
  return Math.min(total, Math.max(0, count))
}

/** Whether none, some or all of `total` matching expenses are selected. */
export function extentOf(selection: ReviewSelection, total: number): SelectionExtent {
  const count = countSelected(selection, total)
  if (count === 0) return 'none'
  return count === total ? 'all' : 'some'
}
