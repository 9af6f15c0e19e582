/**
 * Perceptual hashes of pictures: re-compressed or reduced copies have nearly equal hashes. They do not recognize a second photo of the same thing.
 */

/** The side of the hashed grey picture, in pixels. */
export const hashedSidePx = 64
/** How many of the lowest frequencies per direction make the hash: 16 × 16 bits. */
const frequencies = 16
/** How many bits may differ between hashes of copies. */
export const maxPictureDistance = 15
/** One more part than bits that may differ, so that copies share at least one part. */
const bands = maxPictureDistance + 1
/** Below this spread of grey values a picture shows nothing, like a blank page. */
const leastSpread = 8

const cosines = Array.from({ length: frequencies }, (_, frequency) =>
  Array.from({ length: hashedSidePx }, (_, place) => Math.cos(((2 * place + 1) * frequency * Math.PI) / (2 * hashedSidePx))),
)

/** The hash of a picture as 64 hexadecimal digits, from 64 × 64 grey values row by row; undefined if it shows nothing. */
export function hashPicture(grey: Uint8Array): string | undefined {
  const values = [...grey]
  if (values.length !== hashedSidePx * hashedSidePx) throw new Error('A picture is hashed at 64 × 64 pixels.')
  const rows = Array.from({ length: hashedSidePx }, (_, row) => values.slice(row * hashedSidePx, (row + 1) * hashedSidePx))
  if (spreadOf(values) < leastSpread) return undefined
  const alongRows = rows.map(lowFrequencies)
  const amounts = cosines.flatMap((_, column) => lowFrequencies(alongRows.map((row) => row[column] ?? 0)))
  const sorted = amounts.toSorted((a, b) => a - b)
  const median = ((sorted[sorted.length / 2 - 1] ?? 0) + (sorted[sorted.length / 2] ?? 0)) / 2
  const bits = amounts.map((amount) => (amount > median ? '1' : '0')).join('')
  return bits.replaceAll(/.{4}/g, (four) => Number.parseInt(four, 2).toString(16))
}

function lowFrequencies(values: readonly number[]): number[] {
  return cosines.map((wave) => wave.reduce((sum, height, place) => sum + height * (values[place] ?? 0), 0))
}

function spreadOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
}

const wordDigits = 8

/** The number of differing bits of two hashes. */
export function pictureDistance(one: string, other: string): number {
  let distance = 0
  for (let at = 0; at < one.length; at += wordDigits)
    distance += countOnes(Number.parseInt(one.slice(at, at + wordDigits), 16) ^ Number.parseInt(other.slice(at, at + wordDigits), 16))
  return distance
}

function countOnes(word: number): number {
  let ones = 0
  for (let rest = word >>> 0; rest > 0; rest = (rest & (rest - 1)) >>> 0) ones += 1
  return ones
}

/**
 * The parts of a hash with their positions; copies share at least one. A part mixes bits of all frequencies, as similar pictures, such as receipts,
 * share the lowest ones.
 */
export function bandsOf(hash: string): number[] {
  const bits = [...hash].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
  return Array.from({ length: bands }, (_, band) => {
    const own = Array.from({ length: frequencies }, (_, row) => bits[row * frequencies + ((row + band) % frequencies)])
    return band * 2 ** frequencies + Number.parseInt(own.join(''), 2)
  })
}
