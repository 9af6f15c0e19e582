import { emptySelection, type ReviewSelection } from './review-selection'
import { createPageStore } from '../api/page/page-state'

/** The reviewer's selection and focus, kept apart from the rows so that both survive a refresh. `focusedUid`: the row the keys act on. */
export type SelectionStore = {
  selection: ReviewSelection
  focusedUid: string | null
  change(step: (selection: ReviewSelection) => ReviewSelection): void
  focus(uid: string | null): void
}

/** The selection of the review screen. */
export const useSelection = createPageStore<SelectionStore>((set) => ({
  selection: emptySelection,
  focusedUid: null,
  change: (step) => set((state) => ({ selection: step(state.selection) })),
  focus: (focusedUid) => set({ focusedUid }),
}))
