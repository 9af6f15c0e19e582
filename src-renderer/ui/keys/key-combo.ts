/** One press: a key with its modifiers. `mod` is Ctrl, on a Mac Command. */
export type KeyCombo = { key: string; mod: boolean; shift: boolean; alt: boolean }

/** What of a keyboard event decides which combo it is. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'> & { isAltGraph: boolean }

/** Where the focus is when a key goes down, as far as shortcuts care. `full`: on a receipt that fills the window. */
export type FocusPlace = 'page' | 'typing' | 'control' | 'dialog' | 'full'

const keyNames: Readonly<Record<string, string>> = { ' ': 'space', esc: 'escape' }
const editingKeys = new Set(['a', 'c', 'v', 'x', 'y', 'z'])

function nameOf(key: string): string {
  const lower = key.toLowerCase()
  return keyNames[lower] ?? lower
}

/** What the keys that are no letters and no digits say where the layout is Latin, without and with Shift. */
const symbolPlaces: Readonly<Record<string, readonly [string, string]>> = {
  Slash: ['/', '?'],
  Period: ['.', '>'],
  BracketLeft: ['[', '{'],
  BracketRight: [']', '}'],
  Minus: ['-', '_'],
  Equal: ['=', '+'],
}

/** What no Latin layout writes: letters, digits and signs of other scripts. */
const isForeign = (key: string) => [...key].length === 1 && key > '\u024f'

/**
 * The key that a shortcut means: by what it writes where that is Latin, so that AZERTY's A is `a`; by its place where it is not, as on
 * Cyrillic, Greek, Hebrew, Arabic and Korean layouts. AltGr writes signs on any layout.
 */
export function latinKey({
  key,
  code,
  shiftKey,
  isAltGraph = false,
}: Pick<KeyPress, 'key' | 'code' | 'shiftKey'> & { isAltGraph?: boolean }): string {
  if (!isForeign(key) || isAltGraph) return key
  const [, place] = /^(?:Key|Digit)(.)$/.exec(code) ?? []
  const written = place ?? symbolPlaces[code]?.[shiftKey ? 1 : 0] ?? key
  return shiftKey ? written : written.toLowerCase()
}

/** Reads `mod+shift+k`, `a`, `?`, `space`, `escape`; `g r` is two presses one after the other. */
export function parseKeys(keys: string): KeyCombo[] {
  return keys.split(' ').map((press) => {
    const parts = press === '+' ? ['+'] : press.split('+')
    const key = nameOf(parts.at(-1) ?? '')
    const modifiers = new Set(parts.slice(0, -1))
    return { key, mod: modifiers.has('mod'), shift: modifiers.has('shift'), alt: modifiers.has('alt') }
  })
}

/** Whether the key is a symbol such as `?` or `/`: its position, and so whether Shift is needed, differs by keyboard. */
function isSymbol(key: string): boolean {
  return key.length === 1 && key.toLowerCase() === key.toUpperCase() && !/\d/.test(key)
}

/** Whether the press is the combo. */
export function isPress(combo: KeyCombo, press: KeyPress, isMac: boolean): boolean {
  if (nameOf(latinKey(press)) !== combo.key) return false
  if (isSymbol(combo.key) && press.isAltGraph) return !combo.mod && !combo.alt
  const mod = isMac ? press.metaKey : press.ctrlKey
  const other = isMac ? press.ctrlKey : press.metaKey
  const isShiftRight = isSymbol(combo.key) || press.shiftKey === combo.shift
  return mod === combo.mod && !other && press.altKey === combo.alt && isShiftRight
}

/** Whether a combo may fire with the focus where it is: letters never while typing, nothing that edits text there, nothing but `mod` in a dialog. */
export function mayFire(combo: KeyCombo, place: FocusPlace): boolean {
  if (place === 'page') return true
  if (place === 'control') return combo.key !== 'space' && combo.key !== 'enter'
  const isCommand = combo.mod && !editingKeys.has(combo.key)
  return place === 'typing' ? isCommand || combo.key === 'escape' : isCommand
}

const typingSelector =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable=""], [contenteditable=true], [role=textbox], [role=combobox]'
/** A closed list of choices in which one does not type: as a button. */
const closedChoiceSelector = 'input[readonly][aria-expanded=false]'
const dialogSelector = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
const fullSelector = '[data-full-view]'
const groundSelector = 'form, [role=grid]'
const controlSelector = 'button, a[href], summary, input, [role=button], [role=separator], [role=tab]'

/** Where the focus is, from the element that has it. */
export function focusPlaceOf(element: Element | null): FocusPlace {
  if (element === null) return 'page'
  const dialog = element.closest(dialogSelector)
  const isFull = dialog?.matches(fullSelector) === true
  if (dialog && !isFull) return 'dialog'
  if (element.matches(typingSelector) && !element.matches(closedChoiceSelector)) return 'typing'
  // A radio, a checkbox or a button of a form is as much of it as its text fields; a list inside a form has its own keys.
  if (element.closest(groundSelector)?.matches('form')) return 'typing'
  if (dialog) return dialog.querySelector(dialogSelector) === null ? 'full' : 'dialog'
  return element.matches(controlSelector) ? 'control' : 'page'
}

const symbolsOnMac: Readonly<Record<string, string>> = { mod: '⌘', shift: '⇧', alt: '⌥' }
const symbols: Readonly<Record<string, string>> = {
  mod: 'Ctrl',
  shift: 'Shift',
  alt: 'Alt',
  escape: 'Esc',
  enter: 'Enter',
  space: 'Space',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  home: 'Home',
  end: 'End',
  delete: 'Del',
  backspace: '⌫',
}

/** The caps to draw for a shortcut, in order: `mod+k` gives `Ctrl`, `K`. */
export function keyCaps(keys: string, isMac: boolean): string[] {
  return keys
    .split(' ')
    .flatMap((press) => (press === '+' ? ['+'] : press.split('+')))
    .map((part) => (isMac ? symbolsOnMac[part] : undefined) ?? symbols[part] ?? part.toUpperCase())
}
