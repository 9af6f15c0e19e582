import { useLayoutEffect, useRef, useState } from 'react'
import { dirtyForms, useOpenForms } from '../../state/open-forms'
import { focusGround } from './focus-ground'
import { focusPlaceOf, type FocusPlace, type KeyPress } from './key-combo'
import { putScope, resolvePress, useShortcutScopes, type Shortcut } from './shortcut-registry'

/** Whether this is a Mac, where `mod` is Command. */
export const isMac = typeof navigator !== 'undefined' && /mac/i.test(navigator.userAgent)

const sequenceTimeoutMs = 1000

let lastTurn = 0

/** A part is drawn after the screen that holds it, though its effects run before: the turn of drawing says who is inside. */
function takeTurn(): number {
  lastTurn += 1
  return lastTurn
}

/** Offers shortcuts while the component is on the screen: by key, in the `?` sheet, in Ctrl+K. An inner scope wins a key over the one around it. What is drawn answers at once, also to who presses faster than a screen settles. */
export function useShortcuts(scope: { scope: string; title: string }, shortcuts: readonly Shortcut[]): void {
  const { scope: id, title } = scope
  const [turn] = useState(takeTurn)
  const latest = useRef(shortcuts)
  useLayoutEffect(() => {
    latest.current = shortcuts
  })
  const shape = JSON.stringify(shortcuts.map(({ keys, id: shortcutId, label }) => ({ keys, id: shortcutId, label })))
  useLayoutEffect(() => {
    const find = (shortcutId: string) => latest.current.find((known) => known.id === shortcutId)
    const live = latest.current.map(({ keys, id: shortcutId, label, words, form, inFull }) => ({
      keys,
      id: shortcutId,
      label,
      words,
      form,
      inFull,
      run: () => find(shortcutId)?.run(),
      when: () => find(shortcutId)?.when?.() ?? true,
    }))
    useShortcutScopes.setState(({ scopes }) => ({ scopes: putScope(scopes, { scope: id, title, turn, shortcuts: live }) }))
  }, [id, title, turn, shape])
  useLayoutEffect(() => () => useShortcutScopes.setState(({ scopes }) => ({ scopes: scopes.filter((known) => known.scope !== id) })), [id])
}

function toPress(event: KeyboardEvent): KeyPress {
  const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event
  return { key, code, ctrlKey, metaKey, shiftKey, altKey, isAltGraph: event.getModifierState('AltGraph') }
}

/** A menu gets the focus a moment after it is drawn: until then no key may act on what is beneath it. */
function currentPlace(): FocusPlace {
  const place = focusPlaceOf(document.activeElement)
  const isUnderMenu = place !== 'typing' && document.querySelector('[aria-haspopup=menu][aria-expanded=true]') !== null
  return isUnderMenu ? 'dialog' : place
}

/** The keys that move about the rows of a list. */
const rowKeys = new Set(['j', 'k', 'shift+j', 'shift+k'])
const composedKeyCode = 229
const modifierKeys = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'Dead', 'Process'])

/** Listens for every shortcut on the screen. Once, in the app. */
export function useShortcutListener(): void {
  useLayoutEffect(() => {
    let presses: KeyPress[] = []
    let placeBefore: FocusPlace = 'page'
    // What another listener does first may close the dialog that the press was for, or bring focus back into one.
    const placeOfPress = () => (placeBefore === 'page' || placeBefore === 'control' ? currentPlace() : placeBefore)
    let timeout: ReturnType<typeof setTimeout> | undefined
    const resolve = (tried: KeyPress[]) =>
      resolvePress(useShortcutScopes.getState().scopes, { presses: tried, place: placeOfPress(), isMac, dirty: dirtyForms() })
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || modifierKeys.has(event.key)) return
      clearTimeout(timeout)
      const press = toPress(event)
      const continued = resolve([...presses, press])
      const outcome = continued.kind === 'none' && presses.length > 0 ? resolve([press]) : continued
      presses = outcome.kind === 'pending' ? [...(outcome === continued ? presses : []), press] : []
      if (outcome.kind === 'none') {
        // Letters are for the screen again.
        if (event.key === 'Escape' && placeOfPress() === 'typing') focusGround()
        return
      }
      event.preventDefault()
      if (outcome.kind === 'run') {
        outcome.shortcut.run()
        // Enter is then for the row, not for the tab or the button that was clicked before.
        if (rowKeys.has(outcome.shortcut.keys) && placeBefore === 'control') focusGround()
      } else if (outcome.kind === 'held') useOpenForms.setState({ held: outcome.shortcut.label })
      else
        timeout = setTimeout(() => {
          presses = []
        }, sequenceTimeoutMs)
    }
    // Read before any other listener: a dialog that Escape closes is gone, and its focus with it, by the time the press gets here.
    const onCapture = (event: KeyboardEvent) => {
      placeBefore = currentPlace()
      // What an input method reads, such as the Enter that ends a composition, is no key of any form, list or screen. Safari says so by 229 only.
      if (event.isComposing || event.keyCode === composedKeyCode) event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', onCapture, { capture: true })
    window.addEventListener('keydown', onKeyDown)
    return () => {
      window.removeEventListener('keydown', onCapture, { capture: true })
      window.removeEventListener('keydown', onKeyDown)
      clearTimeout(timeout)
    }
  }, [])
}
