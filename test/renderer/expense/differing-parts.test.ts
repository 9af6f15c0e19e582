import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differingParts } from '../../../src-renderer/features/expense/repeats/differing-parts'

const texts = fc.array(fc.constantFrom('Ride', 'to', 'BSB', '30/05', ' ', '\n'), { maxLength: 8 }).map((words) => words.join(' '))

test('the words that only one of two texts has are marked', () => {
  expect(differingParts('Voo 3805 de ANA LIMA em 30/05', 'Voo 3805 de JORGE REIS em 20/06')).toEqual([
    { text: 'Voo 3805 de ', differs: false },
    { text: 'ANA LIMA', differs: true },
    { text: ' em ', differs: false },
    { text: '30/05', differs: true },
  ])
  expect(differingParts('Taxi', '')).toEqual([{ text: 'Taxi', differs: true }])
})

test('the parts of a text are the text, and nothing is marked that the other has too', () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const parts = differingParts(one, other)
      expect(parts.map(({ text }) => text).join('')).toBe(one)
      const marked = parts.flatMap(({ text, differs }) => (differs ? text.trim().split(/\s+/) : []))
      expect(marked.filter((word) => word !== '' && other.split(/\s+/).includes(word))).toEqual([])
    }),
  )
})
