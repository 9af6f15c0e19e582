import { expect, test } from 'vitest'
import type { FocusPlace, KeyPress } from '../../src-renderer/ui/keys/key-combo'
import { isHeld, putScope, resolvePress, titled, type Shortcut, type ShortcutScope } from '../../src-renderer/ui/keys/shortcut-registry'

function shortcut(keys: string, id: string, when?: () => boolean): Shortcut {
  return { keys, id, label: id, run: () => undefined, when }
}

function scope(name: string, turn: number, ...shortcuts: Shortcut[]): ShortcutScope {
  return { scope: name, title: name, turn, shortcuts }
}

function outcome(scopes: readonly ShortcutScope[], keys: string[], place: FocusPlace = 'page') {
  const presses = keys.map((key): KeyPress => ({
    key,
    code: '',
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    isAltGraph: false,
  }))
  const found = resolvePress(scopes, { presses, place, isMac: false })
  return found.kind === 'run' ? found.shortcut.id : found.kind
}

test('the inner scope wins a key, whichever is registered first', () => {
  const scopes = putScope(putScope([], scope('review', 2, shortcut('n', 'ask'))), scope('everywhere', 1, shortcut('n', 'new')))
  expect(outcome(scopes, ['n'])).toBe('ask')
})

test('a scope that changes keeps its place', () => {
  const scopes = [scope('review', 2, shortcut('a', 'approve')), scope('everywhere', 1, shortcut('a', 'other'))]
  expect(outcome(putScope(scopes, scope('everywhere', 1, shortcut('a', 'changed'))), ['a'])).toBe('approve')
})

test('a shortcut that cannot be done now leaves its key to the next', () => {
  const scopes = [
    scope(
      'review',
      2,
      shortcut('a', 'approve', () => false),
    ),
    scope('everywhere', 1, shortcut('a', 'other')),
  ]
  expect(outcome(scopes, ['a'])).toBe('other')
})

test('two presses one after the other name one shortcut', () => {
  const scopes = [scope('everywhere', 1, shortcut('g r', 'review'), shortcut('g s', 'settings'))]
  expect(outcome(scopes, ['g'])).toBe('pending')
  expect(outcome(scopes, ['g', 's'])).toBe('settings')
  expect(outcome(scopes, ['g', 'x'])).toBe('none')
  expect(outcome(scopes, ['r'])).toBe('none')
})

test('letters do nothing while typing', () => {
  expect(outcome([scope('review', 2, shortcut('a', 'approve'))], ['a'], 'typing')).toBe('none')
})

test('while a form has unsaved changes, only navigation and its own keys work', () => {
  const acts = ['a', 'p', 'r', 'n', 't', 'd', 'b', 'o', 'u', 'e', 'c', 'i', 'f', 'delete', 'backspace', 'mod+z', 'mod+shift+z']
  expect(acts.filter((keys) => !isHeld(shortcut(keys, keys), ['expense-edit']))).toEqual([])
  const looking = ['g r', 'v d', 'mod+k', '?', 'escape', 'j', 'k', '[', 'space']
  expect(looking.filter((keys) => isHeld(shortcut(keys, keys), ['expense-edit']))).toEqual([])
  const pay: Shortcut = { ...shortcut('p', 'pay'), form: 'payment-new' }
  expect(isHeld(pay, ['payment-new'])).toBe(false)
  expect(isHeld(pay, ['payment-new', 'comment-new'])).toBe(true)
})

test('a key that has to wait is not left to another scope', () => {
  const scopes = [scope('expense', 2, shortcut('a', 'approve')), scope('everywhere', 1, shortcut('a', 'other'))]
  const press: KeyPress = { key: 'a', code: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, isAltGraph: false }
  expect(resolvePress(scopes, { presses: [press], place: 'page', isMac: false, dirty: ['expense-edit'] }).kind).toBe('held')
})

test('parts of a screen with the same title are listed together, what cannot be done now not at all', () => {
  const scopes = [
    { ...scope('views', 3, shortcut('v s', 'save')), title: 'Review' },
    scope('everywhere', 2, shortcut('?', 'help')),
    {
      ...scope(
        'list',
        1,
        shortcut('j', 'next'),
        shortcut('a', 'approve', () => false),
      ),
      title: 'Review',
    },
  ]
  expect(titled(scopes, ({ when }) => when?.() ?? true).map(({ title, shortcuts }) => [title, shortcuts.map(({ key }) => key)])).toEqual([
    ['Review', ['views save', 'list next']],
    ['everywhere', ['everywhere help']],
  ])
})
