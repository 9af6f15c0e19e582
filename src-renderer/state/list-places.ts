import { createPageStore } from '../api/page/page-state'

/** The row that was left in each list, by the list's name: who comes back goes on there. */
export const useListPlaces = createPageStore<Readonly<Record<string, number>>>(() => ({}))
