import { createPageStore } from '../api/page/page-state'

/** The row that a person left in each list, by the list's name: where they go on when they come back. */
export const useListPlaces = createPageStore<Readonly<Record<string, number>>>(() => ({}))
