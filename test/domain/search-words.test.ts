import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSearchable, searchWords } from '#shared/domain/search-words'

test.each([
  ['taxi Taxi TAXI', ['TAXI']],
  ['tax taxi', ['taxi']],
  ['almoco almoço', ['almoço']],
  ['31.07', ['31', '07']],
  ['  ,,, ', []],
  ['São Paulo s', ['São', 'Paulo']],
])('%j is searched by %j', (search, words) => {
  expect(searchWords(search)).toEqual(words)
})

test('what is left out is begun by something that stays, whatever was typed', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'á', 'A', 'b', ' ', '-', '1'), maxLength: 40 })
  const fold = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  fc.assert(
    fc.property(text, (search) => {
      const words = searchWords(search).map(fold)
      const typed = search.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
      for (const one of typed) expect(words.some((word) => word.startsWith(fold(one)))).toBe(true)
      for (const [at, one] of words.entries()) expect(words.some((word, other) => other !== at && word.startsWith(one))).toBe(false)
    }),
  )
})

test('ten words and 200 characters are searched for, not more', () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}x`).join(' ')
  expect([isSearchable(words(10)), isSearchable(words(11))]).toEqual([true, false])
  expect([isSearchable('x'.repeat(200)), isSearchable('x'.repeat(201))]).toEqual([true, false])
  expect(isSearchable('taxi '.repeat(39))).toBe(true)
})
