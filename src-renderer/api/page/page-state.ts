import { create, type StateCreator, type StoreApi, type UseBoundStore } from 'zustand'

const resets = new Set<() => void>()

/** Registers what empties state that a module of the page keeps, other than caches of what is the same for everyone. */
export function onReset(reset: () => void): void {
  resets.add(reset)
}

/** Empties what the page keeps in memory of a person. What this device keeps on its disk stays. */
export function resetPage(): void {
  for (const reset of resets) reset()
}

/** A store of the page, which a reset brings back to its first state. */
export function createPageStore<T>(initialize: StateCreator<T>): UseBoundStore<StoreApi<T>> {
  const store = create<T>()(initialize)
  onReset(() => store.setState(store.getInitialState(), true))
  return store
}
