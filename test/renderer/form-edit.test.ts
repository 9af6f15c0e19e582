import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  beginEdit,
  changedFields,
  followStored,
  inLanguage,
  isDirty,
  isLike,
  rebase,
  resumeEdit,
  withPlainDay,
} from '../../src-renderer/state/form-edit'

const text = fc.constantFrom('', 'a', 'b', 'c')
const form = fc.record({ title: text, place: text, tags: fc.array(text, { maxLength: 2 }), isOpen: fc.boolean() })
const forms = fc.record({ before: form, mine: form, theirs: form })
const seen = { language: 'en', isNew: false } as const

test('edited fields stay, and all others show what is stored now', () => {
  fc.assert(
    fc.property(forms, (three) => {
      const result = rebase(three)
      const own = new Set<string>(changedFields(three.before, three.mine))
      for (const field of changedFields(three.before, { ...three.before, ...result })) expect(result).toHaveProperty(field)
      for (const [field, value] of Object.entries(result))
        expect(value).toEqual(Object.entries(own.has(field) ? three.mine : three.theirs).find(([name]) => name === field)?.[1])
    }),
  )
})

test('nothing that others changed is overwritten without being shown', () => {
  fc.assert(
    fc.property(forms, ({ before, mine, theirs }) => {
      const edit = resumeEdit({ before, value: mine, language: 'en' }, { ...seen, stored: theirs })
      const sent = changedFields(edit.base, edit.value)
      const own = changedFields(before, mine)
      for (const field of changedFields(theirs, edit.value)) expect(own).toContain(field)
      const shown = new Set(edit.difference.map(({ field }) => field))
      for (const field of changedFields(before, theirs)) if (sent.includes(field)) expect(shown).toContain(field)
    }),
  )
})

test('an edit that was left and taken up again is the same edit', () => {
  fc.assert(
    fc.property(form, form, (before, mine) => {
      const edit = resumeEdit({ before, value: mine, language: 'en' }, { ...seen, stored: before })
      expect(edit.value).toEqual(mine)
      expect(edit.difference).toEqual([])
      expect(isDirty(edit)).toBe(changedFields(before, mine).length > 0)
    }),
  )
})

test('an untouched form shows the stored record', () => {
  fc.assert(
    fc.property(form, form, (before, theirs) => {
      const edit = followStored(beginEdit(before, 'en'), { ...seen, stored: theirs })
      expect(edit.value).toEqual(theirs)
      expect(isDirty(edit)).toBe(false)
    }),
  )
})

test('an edit equal to the stored value is no longer an edit', () => {
  const before = { title: 'a' }
  const edit = resumeEdit({ before, value: { title: 'b' }, language: 'en' }, { ...seen, stored: { title: 'b' } })
  expect(isDirty(edit)).toBe(false)
  expect(edit.difference).toEqual([])
})

test('a change of the language keeps an amount that is being typed', () => {
  expect(inLanguage({ amount: '1,234', currency: 'KWD' }, 'en', 'pt').amount).toBe('1234')
  expect(inLanguage({ amount: '1.234', currency: 'KWD' }, 'en', 'pt').amount).toBe('1,234')
  expect(inLanguage({ amount: '12,5', currency: 'BRL' }, 'pt', 'en').amount).toBe('12.5')
  expect(inLanguage({ amount: 'twelve', currency: 'BRL' }, 'en', 'pt').amount).toBe('twelve')
})

test('yesterday is kept as a day', () => {
  expect(withPlainDay({ date: 'yesterday', amount: '5' }, '2026-11-22')).toEqual({ date: '21/11/2026', amount: '5' })
  expect(withPlainDay({ date: 'soon' }, '2026-11-22')).toEqual({ date: 'soon' })
})

test('what has other fields than the form, or of another kind, is not taken up', () => {
  const like = { title: '', tags: ['a'], receiver_id: 1 }
  expect(isLike({ title: 'x', tags: [], receiver_id: null }, like)).toBe(true)
  expect(isLike({ title: 'x', tags: [] }, like)).toBe(false)
  expect(isLike({ title: 'x', tags: 'a', receiver_id: 1 }, like)).toBe(false)
  expect(isLike({ title: 'x', tags: [], receiver_id: 1, more: '' }, like)).toBe(false)
})
