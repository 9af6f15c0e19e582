import { create } from 'zustand'
import { isPress, mayFire, parseKeys, type FocusPlace, type KeyPress } from './key-combo'

/**
 * One thing the keyboard can do. `keys`: see `parseKeys`. `label`: shown in the `?` sheet and in Ctrl+K, already
 * in the user's language. `when`: whether it can be done now. `id` is unique within its scope.
 */
export type Shortcut = { keys: string; id: string; label: string; run: () => void; when?: () => boolean }

/** A screen or part with shortcuts; `title` heads them in the `?` sheet. The higher `turn` was drawn later, so inside or above the lower one. */
export type ShortcutScope = { scope: string; title: string; turn: number; shortcuts: readonly Shortcut[] }

/** Every scope on the screen, the highest turn first. */
export const useShortcutScopes = create<{ scopes: readonly ShortcutScope[] }>()(() => ({ scopes: [] }))

/** The scopes with one added or changed, in order. */
export function putScope(scopes: readonly ShortcutScope[], scope: ShortcutScope): readonly ShortcutScope[] {
  return [...scopes.filter((known) => known.scope !== scope.scope), scope].toSorted((a, b) => b.turn - a.turn)
}

/** Whether the shortcut can be done now. */
export function isActive(shortcut: Shortcut): boolean {
  return shortcut.when?.() ?? true
}

/** What a press leads to: something to run, the start of a sequence, or nothing of ours. */
export type PressOutcome = { kind: 'run'; shortcut: Shortcut } | { kind: 'pending' } | { kind: 'none' }

/** Where a press happens. `presses`: the unfinished sequence, this press last. */
export type PressContext = { presses: readonly KeyPress[]; place: FocusPlace; isMac: boolean }

/** The shortcut that the presses name, the newest scope first. */
export function resolvePress(scopes: readonly ShortcutScope[], context: PressContext): PressOutcome {
  let isPending = false
  for (const shortcut of scopes.flatMap((scope) => scope.shortcuts)) {
    const combos = parseKeys(shortcut.keys)
    const isPrefix = context.presses.every((press, index) => {
      const combo = combos[index]
      return combo !== undefined && mayFire(combo, context.place) && isPress(combo, press, context.isMac)
    })
    if (!isPrefix || !isActive(shortcut)) continue
    if (combos.length === context.presses.length) return { kind: 'run', shortcut }
    isPending = true
  }
  return isPending ? { kind: 'pending' } : { kind: 'none' }
}
