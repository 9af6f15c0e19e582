import { create } from 'zustand'
import type { FormName } from '../../state/form-names'
import { dirtyForms } from '../../state/open-forms'
import { isPress, mayFire, parseKeys, type FocusPlace, type KeyPress } from './key-combo'

/**
 * One thing the keyboard can do. `keys`: see `parseKeys`. `label`: shown in the `?` sheet and in Ctrl+K, already
 * in the user's language. `words`: what Ctrl+K finds it by as well. `when`: whether it can be done now. `id` is unique within its scope. `form`: the form whose own key it is.
 * `inFull`: it also works on a receipt that fills the window.
 */
export type Shortcut = {
  keys: string
  id: string
  label: string
  words?: string
  run: () => void
  when?: () => boolean
  form?: FormName
  inFull?: boolean
}

/** A screen or part with shortcuts; `title` heads them in the `?` sheet. The higher `turn` was drawn later, so inside or above the lower one. */
export type ShortcutScope = { scope: string; title: string; turn: number; shortcuts: readonly Shortcut[] }

/** Every scope on the screen, the highest turn first. */
export const useShortcutScopes = create<{ scopes: readonly ShortcutScope[] }>()(() => ({ scopes: [] }))

/** The scopes with one added or changed, in order. */
export function putScope(scopes: readonly ShortcutScope[], scope: ShortcutScope): readonly ShortcutScope[] {
  return [...scopes.filter((known) => known.scope !== scope.scope), scope].toSorted((a, b) => b.turn - a.turn)
}

/** What a list shows of the shortcuts under one title: parts of a screen may have the same. `key` is unique among all. */
export type TitledShortcuts = { readonly title: string; readonly shortcuts: ReadonlyArray<Shortcut & { readonly key: string }> }

/** The shortcuts that are to be shown, each title once. */
export function titled(scopes: readonly ShortcutScope[], isShown: (shortcut: Shortcut) => boolean): TitledShortcuts[] {
  const shown = scopes.flatMap(({ scope, title, shortcuts }) =>
    shortcuts.filter(isShown).map((shortcut) => ({ ...shortcut, title, key: `${scope} ${shortcut.id}` })),
  )
  return [...Map.groupBy(shown, ({ title }) => title)].map(([title, members]) => ({ title, shortcuts: members }))
}

/** Whether the shortcut can be done now. */
export function isActive(shortcut: Shortcut): boolean {
  return shortcut.when?.() ?? true
}

/** The keys that move about and look, on every screen; `g` and `v` begin the ways to a screen and to a view. Any other key may change something. */
const lookingKeys = new Set([
  ...['escape', 'enter', 'space', '/', '?', '.', '[', ']', '+', '-', '0', 'shift+r', 'mod+k', 'mod+p'],
  ...['j', 'k', 'shift+j', 'shift+k', 'x', 'mod+shift+a', 'shift+arrowleft', 'shift+arrowright'],
])
const lookingSequence = /^[gv] /

/** Whether the shortcut waits while forms have unsaved changes: everything does but looking around and the form's own keys. */
export function isHeld({ keys, form }: Shortcut, dirty: readonly FormName[] = dirtyForms()): boolean {
  const isLooking = lookingKeys.has(keys) || lookingSequence.test(keys)
  return !isLooking && !dirty.every((name) => name === form)
}

/** What a press leads to: something to run, something that has to wait for a form, the start of a sequence, or nothing of ours. */
export type PressOutcome =
  { kind: 'run'; shortcut: Shortcut } | { kind: 'held'; shortcut: Shortcut } | { kind: 'pending' } | { kind: 'none' }

/** Where a press happens. `presses`: the unfinished sequence, this press last; `dirty`: the forms with unsaved changes. */
export type PressContext = { presses: readonly KeyPress[]; place: FocusPlace; isMac: boolean; dirty?: readonly FormName[] }

/** The shortcut that the presses name, the newest scope first. */
export function resolvePress(scopes: readonly ShortcutScope[], context: PressContext): PressOutcome {
  let isPending = false
  for (const shortcut of scopes.flatMap((scope) => scope.shortcuts)) {
    const combos = parseKeys(shortcut.keys)
    const place = context.place === 'full' && shortcut.inFull === true ? 'page' : context.place
    const isPrefix = context.presses.every((press, index) => {
      const combo = combos[index]
      return combo !== undefined && mayFire(combo, place) && isPress(combo, press, context.isMac)
    })
    if (!isPrefix || !isActive(shortcut)) continue
    if (combos.length === context.presses.length) return { kind: isHeld(shortcut, context.dirty ?? []) ? 'held' : 'run', shortcut }
    isPending = true
  }
  return isPending ? { kind: 'pending' } : { kind: 'none' }
}
