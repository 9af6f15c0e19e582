import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bandsOf, hashPicture, maxPictureDistance, pictureDistance } from '#shared/domain/picture-hash'

const hashes = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 })

function flip(hash: string, bits: readonly number[]): string {
  const digits = [...hash]
  for (const bit of bits) digits[bit >> 2] = (Number.parseInt(digits[bit >> 2] ?? '0', 16) ^ (1 << (bit & 3))).toString(16)
  return digits.join('')
}

test('hashes that differ in at most fifteen bits have a band in common', () => {
  const bits = fc.uniqueArray(fc.integer({ min: 0, max: 255 }), { maxLength: maxPictureDistance })
  fc.assert(
    fc.property(hashes, bits, (hash, flipped) => {
      const other = flip(hash, flipped)
      expect(pictureDistance(hash, other)).toBe(flipped.length)
      expect(bandsOf(hash).some((band) => bandsOf(other).includes(band))).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('a blank picture has no hash', () => {
  expect(hashPicture(new Uint8Array(64 * 64).fill(250))).toBeUndefined()
  expect(hashPicture(Uint8Array.from({ length: 64 * 64 }, (_, at) => (at % 64) * 4))).toMatch(/^[0-9a-f]{64}$/)
})
