import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitOf } from '#shared/domain/statements/split'

test('the parts of a split always come to the line, each above zero; what cannot be split is not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 40 }), fc.array(fc.integer({ min: -5, max: 2 ** 38 }), { maxLength: 6 }), (line, given) => {
      const parts = splitOf(line, given)
      const isPossible = given.length > 0 && given.every((part) => part > 0) && given.reduce((sum, part) => sum + part, 0) < line
      expect(parts !== undefined).toBe(isPossible)
      if (!parts) return
      expect(parts.slice(0, -1)).toEqual(given)
      expect(parts.every((part) => part > 0)).toBe(true)
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(line)
    }),
  )
})
