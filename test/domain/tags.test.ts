import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseTagNames, splitTagNames, tagKey } from '#shared/domain/tags'

const rent = 'Aluguel de imóveis para escritório político, compreendendo despesas concernentes a eles.'
const knows =
  (...names: string[]) =>
  (key: string) =>
    names.map(tagKey).includes(key)

describe('parseTagNames', () => {
  it('takes the names of an array verbatim, each once', () => {
    expect(parseTagNames([' Travel', 'food', '', 'FOOD', 'travel '])).toEqual(['Travel', 'food'])
    expect(parseTagNames(['a,b', rent, 'c'])).toEqual(['a,b', rent, 'c'])
    expect(parseTagNames([])).toEqual([])
  })

  it('knows a name by its letters, not by their composition', () => {
    expect(parseTagNames(['Alimentac\u0327a\u0303o', 'alimenta\u00e7\u00e3o'])).toHaveLength(1)
    expect(tagKey('Viagem S\u00c3O')).toBe('viagem s\u00e3o')
  })
})

describe('splitTagNames', () => {
  it('splits at commas where no name is known to have one', () => {
    expect(splitTagNames(' Travel, food ,, FOOD,travel', knows())).toEqual(['Travel', 'food'])
    expect(splitTagNames('', knows())).toEqual([])
    expect(splitTagNames(rent, knows())).toHaveLength(2)
  })

  it('keeps the name of an existing tag in one piece, whatever its case', () => {
    expect(splitTagNames(`Travel, ${rent}, food`, knows(rent))).toEqual(['Travel', rent, 'food'])
    expect(splitTagNames(`${rent.toUpperCase()},food`, knows(rent))).toEqual([rent.toUpperCase(), 'food'])
    expect(splitTagNames('a,b', knows('a, b'))).toEqual(['a, b'])
    expect(splitTagNames('x, a,b', knows('a,b'))).toEqual(['x', 'a,b'])
  })

  it('prefers the longest name', () => {
    expect(splitTagNames('a, b, c, d', knows('a, b', 'a, b, c'))).toEqual(['a, b, c', 'd'])
  })

  it('gives back what a representation wrote, where no name begins with another', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/)
    const words = fc.uniqueArray(word, { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 4 }), (all, size) => {
        const names = Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
          all.slice(index * size, (index + 1) * size).join(', '),
        )
        expect(splitTagNames(names.join(', '), knows(...names.filter((name) => name.includes(','))))).toEqual(names)
      }),
    )
  })

  it('never gives a blank name, or one name twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.func(fc.boolean()), (text, isKnown) => {
        const names = splitTagNames(text, isKnown)
        expect(new Set(names.map(tagKey)).size).toBe(names.length)
        expect(names.every((name) => name !== '' && name === name.trim())).toBe(true)
      }),
    )
  })
})

describe('tagKey', () => {
  it('keys are stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(tagKey(tagKey(name))).toBe(tagKey(name))
      }),
    )
  })
})
