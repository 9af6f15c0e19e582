const fewestDigits = 12
const mostDigits = 19
const shownDigits = 4

/**
 * The digits of a card number that was typed with digits, spaces and dashes: any 12 to 19 of them. Undefined for anything else.
 * Contract 2.8; supplement 3, "Cards".
 */
export function parseCardNumber(text: string): string | undefined {
  if (!/^[\d -]+$/.test(text)) return undefined
  const digits = text.replace(/\D/g, '')
  return digits.length >= fewestDigits && digits.length <= mostDigits ? digits : undefined
}

/**
 * A text with every run of digits that is as long as a card number masked to its last four, its spaces and dashes kept: a name
 * is stored and shown, and must not give a number away.
 */
export function maskNumbersIn(text: string): string {
  return text.replace(/\d(?:[ -]?\d)*/g, (run) => {
    const count = run.replace(/\D/g, '').length
    let place = 0
    return count < fewestDigits ? run : run.replace(/\d/g, (digit) => ((place += 1) <= count - shownDigits ? '*' : digit))
  })
}

/** The displayed form of a number: all but its last four digits replaced by asterisks. Contract 2.8. */
export function maskCardNumber({ length, last4 }: { length: number; last4: string }): string {
  return '*'.repeat(Math.max(length - shownDigits, 0)) + last4
}

/** The digits of a number that are kept and shown. */
export function lastDigitsOf(number: string): string {
  return number.slice(-shownDigits)
}

/**
 * Whether the last digit checks the others by the formula of Luhn: from the right, every second digit doubled, all digits add up
 * to a multiple of ten. A reason to warn of a mistyped number, not to refuse it: not every issuer's numbers have a check digit.
 */
export function fitsCheckDigit(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
