import type { FormName } from './form-names'
import { createPageStore } from '../api/page/page-state'

/** The forms on the screen with unsaved changes, by the id of their edit; `held`: the name of the act that was last not done because of them. */
export const useOpenForms = createPageStore<{ dirty: ReadonlyMap<string, FormName>; held: string | null }>(() => ({
  dirty: new Map(),
  held: null,
}))

/** Says that a form has unsaved changes, until the returned function is called. */
export function markDirty(id: string, form: FormName): () => void {
  useOpenForms.setState(({ dirty }) => ({ dirty: new Map(dirty).set(id, form), held: null }))
  return () => useOpenForms.setState(({ dirty }) => ({ dirty: new Map([...dirty].filter(([known]) => known !== id)), held: null }))
}

/** The names of the forms with unsaved changes. */
export function dirtyForms(): FormName[] {
  return [...useOpenForms.getState().dirty.values()]
}

/**
 * Does what a button says, unless a form has unsaved changes: like an act key it then waits, and the form says so. `act`: the
 * button's own words.
 */
export function actOnSaved(act: string, run: () => void): void {
  if (dirtyForms().length > 0) useOpenForms.setState({ held: act })
  else run()
}
