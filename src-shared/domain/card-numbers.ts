const fewestDigits = 12
const mostDigits = 19
const shownDigits = 4

/** The digits of a typed card number with spaces and dashes: 12 to 19 of them. Undefined otherwise. Contract 2.8; supplement 3, "Cards". */
export function parseCardNumber(text: string): string | undefined {
  if (!/^[\d -]+$/.test(text)) return undefined
  const digits = text.replace(/\D/g, '')
  return digits.length >= fewestDigits && digits.length <= mostDigits ? digits : undefined
}

const longRun = new RegExp(String.raw`\d(?:[ -]?\d){${fewestDigits - 1}}`)

/**
 * Masks every run of digits as long as a card number to its last four, keeping spaces and dashes: a name is stored and shown, and must not reveal a
 * number.
 */
export function maskNumbersIn(text: string): string {
  if (!longRun.test(text)) return text
  return text.replace(/\d(?:[ -]?\d)*/g, (run) => {
    const count = run.replace(/\D/g, '').length
    let place = 0
    return count < fewestDigits ? run : run.replace(/\d/g, (digit) => ((place += 1) <= count - shownDigits ? '*' : digit))
  })
}

/** The shown form of a number: asterisks except for the last four digits. Contract 2.8. */
export function maskCardNumber({ length, last4 }: { length: number; last4: string }): string {
  return '*'.repeat(Math.max(length - shownDigits, 0)) + last4
}

/** The digits of a number that are stored and shown. */
export function lastDigitsOf(number: string): string {
  return number.slice(-shownDigits)
}

/**
 * Whether the last digit is valid by Luhn's formula: from the right, every second digit doubled, all digits add up to a multiple of ten. Used only to
 * warn of a mistyped number, as not all issuers use a check digit.
 */
export function fitsCheckDigit(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
