/**
 * The check digit, modulo 11, of the characters before it: weights from 2 to the heaviest, repeated from the right, and 0 if the remainder is 0 or 1.
 * A character's value is its ASCII code minus 48, so digits have their own value and letters count too (Nota Técnica Conjunta 2025.001). Detects any
 * single changed character, except a change by 11, 22 or 33, or if the remainder changes between 0 and 1.
 */
export function checkDigitOf(text: string, { heaviest = 9 } = {}): string {
  const weights = heaviest - 1
  const sum = [...text].reduceRight(
    ({ total, place }, character) => ({ total: total + (character.charCodeAt(0) - zeroCode) * (2 + (place % weights)), place: place + 1 }),
    { total: 0, place: 0 },
  ).total
  const remainder = sum % 11
  return remainder < 2 ? '0' : String(11 - remainder)
}

const zeroCode = 48
