const fewestDigits = 12
const mostDigits = 19
const shownDigits = 4

/**
 * The digits of a card number that was typed with digits, spaces and dashes: 12 to 19 of them, with a check digit that fits.
 * Undefined for anything else. Contract 2.8.
 */
export function parseCardNumber(text: string): string | undefined {
  if (!/^[\d -]+$/.test(text)) return undefined
  const digits = text.replace(/\D/g, '')
  const isLongEnough = digits.length >= fewestDigits && digits.length <= mostDigits
  return isLongEnough && hasCheckDigit(digits) ? digits : undefined
}

/** Whether a text that is stored as it is holds a card number: such a text would give the number away. */
export function holdsCardNumber(text: string): boolean {
  return (text.match(/\d[\d -]*\d/g) ?? []).some((run) => parseCardNumber(run) !== undefined)
}

/** What is shown of a number: all but its last four digits replaced by asterisks. Contract 2.8. */
export function maskCardNumber({ length, last4 }: { length: number; last4: string }): string {
  return '*'.repeat(Math.max(length - shownDigits, 0)) + last4
}

/** The digits of a number that are kept and shown. */
export function lastDigitsOf(number: string): string {
  return number.slice(-shownDigits)
}

/** The formula of Luhn: from the right, every second digit doubled, the digits of it all add up to a multiple of ten. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
