import { expect, test } from 'vitest'
import { isPress, keyCaps, mayFire, parseKeys, type KeyCombo, type KeyPress } from '../../src-renderer/ui/keys/key-combo'

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  return { key, code: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, isAltGraph: false, ...held }
}

function combo(keys: string): KeyCombo {
  const [first] = parseKeys(keys)
  if (!first) throw new Error(`no combo in ${keys}`)
  return first
}

test.each([
  ['a', press('a'), true],
  ['a', press('A', { shiftKey: true }), false],
  ['a', press('a', { ctrlKey: true }), false],
  ['shift+a', press('A', { shiftKey: true }), true],
  ['mod+k', press('k', { ctrlKey: true }), true],
  ['mod+k', press('k', { metaKey: true }), false],
  ['mod+shift+z', press('Z', { ctrlKey: true, shiftKey: true }), true],
  ['?', press('?', { shiftKey: true }), true],
  ['/', press('/', { ctrlKey: true, altKey: true, isAltGraph: true }), true],
  ['/', press('/', { shiftKey: true }), true],
  ['space', press(' '), true],
  ['escape', press('Escape'), true],
  ['1', press('1', { shiftKey: true }), false],
])('%s and the press of %o: %s', (keys, pressed, expected) => {
  expect(isPress(combo(keys), pressed, false)).toBe(expected)
})

test.each([
  ['a', 'ф', 'KeyA', {}, true],
  ['shift+a', 'Ф', 'KeyA', { shiftKey: true }, true],
  ['mod+k', 'л', 'KeyK', { ctrlKey: true }, true],
  ['a', 'α', 'KeyA', {}, true],
  ['t', 'א', 'KeyT', {}, true],
  ['f', 'ب', 'KeyF', {}, true],
  ['a', 'ㅁ', 'KeyA', {}, true],
  ['[', 'х', 'BracketLeft', {}, true],
  ['?', '؟', 'Slash', { shiftKey: true }, true],
  ['1', '١', 'Digit1', {}, true],
  // Where the layout is Latin the letter counts, not its place: AZERTY, Dvorak, and what AltGr writes.
  ['a', 'a', 'KeyQ', {}, true],
  ['q', 'a', 'KeyQ', {}, false],
  ['j', 'j', 'KeyC', {}, true],
  ['e', '€', 'KeyE', { isAltGraph: true }, false],
  ['o', 'ø', 'KeyO', {}, false],
] as const)('%s is the press of %s at %s with %o: %s', (keys, key, code, held, expected) => {
  expect(isPress(combo(keys), press(key, { code, ...held }), false)).toBe(expected)
})

test('on a Mac the command key is mod', () => {
  expect(isPress(combo('mod+k'), press('k', { metaKey: true }), true)).toBe(true)
  expect(isPress(combo('mod+k'), press('k', { ctrlKey: true }), true)).toBe(false)
})

test.each([
  ['a', 'page', true],
  ['a', 'typing', false],
  ['a', 'dialog', false],
  ['a', 'control', true],
  ['mod+k', 'typing', true],
  ['mod+k', 'dialog', true],
  ['mod+z', 'typing', false],
  ['mod+z', 'page', true],
  ['escape', 'typing', true],
  ['escape', 'dialog', false],
  ['space', 'control', false],
  ['enter', 'control', false],
  ['space', 'page', true],
] as const)('%s with the focus on %s may fire: %s', (keys, place, expected) => {
  expect(mayFire(combo(keys), place)).toBe(expected)
})

test('caps are drawn as the keyboard has them', () => {
  expect(keyCaps('mod+shift+k', false)).toEqual(['Ctrl', 'Shift', 'K'])
  expect(keyCaps('mod+k', true)).toEqual(['⌘', 'K'])
  expect(keyCaps('g r', false)).toEqual(['G', 'R'])
  expect(keyCaps('?', false)).toEqual(['?'])
})
