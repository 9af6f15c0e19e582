import fc from 'fast-check'
import { stringify } from 'qs'
import { expect, test } from 'vitest'
import { toQueryString } from '../../src-renderer/api/client'

const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined))
const query = fc.dictionary(
  fc.string({ minLength: 1 }).filter((name) => !['__proto__', 'constructor', 'toString'].includes(name)),
  fc.oneof(value, fc.array(value), fc.dictionary(fc.constantFrom('status_eq', 'a b', 'ção'), fc.oneof(value, fc.array(value)))),
)

test('a query is written as the library of the server reads it', () => {
  const pairsOf = (text: string) => [...new URLSearchParams(text)]
  fc.assert(
    fc.property(query, (given) => {
      expect(pairsOf(toQueryString(given))).toEqual(pairsOf(stringify(given, { arrayFormat: 'brackets', skipNulls: true })))
    }),
  )
})
