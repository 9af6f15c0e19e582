import type { Expense } from '#shared/contract/expenses'
import { createPageStore } from '../api/page/page-state'

/**
 * The receipt that fills the window. `place`: where forms that an act asks for are drawn meanwhile, null while nothing fills the
 * window; `shown`: the expense in it, null while that loads.
 */
export const useFullView = createPageStore<{ place: HTMLElement | null; shown: Expense | null }>(() => ({ place: null, shown: null }))

/** Whether a receipt fills the window. */
export function isFullView(): boolean {
  return useFullView.getState().place !== null
}

/** Whether the expense that fills the window is this one, and at least as new. */
export function isShownInFull({ id, version }: Pick<Expense, 'id' | 'version'>): boolean {
  const { shown } = useFullView.getState()
  return shown?.id === id && shown.version >= version
}
