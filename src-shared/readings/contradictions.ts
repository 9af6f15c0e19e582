import type { Found } from '#shared/readings/amount-evidence'
import { amountLabels, labelOf } from '#shared/readings/amount-labels'
import type { AmountCandidate } from '#shared/readings/amounts'
import type { Features } from '#shared/readings/classify'
import { currencySign } from '#shared/readings/currency'
import type { TextRow } from '#shared/readings/rows'

/** The most by which totals are rounded, in minor units. */
export const mostRounded = 5
/** A total that nothing confirms has no sign that the engine is less sure of than this. */
const mostBlurred = 0.15
/** A whole amount of this many digits without a separator may have lost its point: where amounts have decimals, and where they seldom do. */
const longWhole = { pointed: 3, seldom: 5 }

/** That other amounts come to a total. */
const strong = ['sum', 'paid', 'withTax', 'split'] as const
const arithmetic = [...strong, 'splitRounded', 'givenBelow', 'rounded', 'exact'] as const
const notTotals = ['sub', 'discount', 'quantity', 'change', 'supplies', 'tax', 'tender', 'rounding'] as const
const endsInDigits = new RegExp(String.raw`\d[.,:]?[lIOS]?\s?(?:${currencySign})?\s*$`, 'u')

export const has = (features: Features, ...names: readonly string[]) => names.some((name) => (features[name] ?? 0) > 0)
export const isCalled = (name: string, label: string) => amountLabels[name]?.test(label) === true

/** What else is on the receipt of a total. */
interface Rest {
  readonly rows: readonly TextRow[]
  readonly found: readonly Found[]
}

/**
 * Whether the rest of a receipt contradicts what may be its total: it is said otherwise, the amounts around it come to another one, it is only what
 * was given, or the total that is printed could not be read.
 */
export function isContradicted(rest: Rest, candidate: AmountCandidate): boolean {
  const { value, features, parts } = candidate
  // What is printed as the total differs from what the amounts around it come to.
  if (has(features, 'misread') && !(has(features, 'paid') && has(features, 'split'))) return true
  if (has(features, 'sub') && !has(features, 'cleanTotal', 'cleanGrand')) return true
  if (isUnread(rest, candidate) || isExceeded(rest, candidate) || isSaidOtherwise(rest, candidate)) return true
  const { items, sums, reduced, given } = around(rest, candidate)
  if (!has(features, 'paid') && given.some((left) => isMisreadAs(left, value))) return true
  const isBlurred = (features.blurred ?? 0) > mostBlurred
  const isOff = sums.some((sum) => isMisreadAs(sum, value))
  // With a tax, a total is confirmed by one that is off by one, too.
  if (has(features, ...strong)) return isOff && isBlurred && !has(features, 'sum', 'paid')
  if (isOff) return true
  if (reduced.length > 0 && reduced.every((one) => Math.abs(one - value) > mostRounded)) return true
  if (isWithoutPoint(rest, candidate)) return true
  // What is returned makes the total less than an item.
  if (items.some((item) => item > value) && rest.found.every((one) => one.value > 0)) return true
  return isBlurred && !has(features, ...arithmetic) && parts.length === 1
}

/** Whether a row that is called the total, or the change if this was given, has a number that is no amount: it lost a sign. */
function isUnread({ rows, found }: Rest, { value, parts, features }: AmountCandidate): boolean {
  const isGiven = parts.every(({ before }) => isCalled('tender', labelOf(before)) && !isCalled('total', labelOf(before)))
  const isNamed = has(features, 'cleanTotal', 'cleanGrand')
  const first = Math.min(...parts.map(({ row }) => row))
  return rows.some(({ text }, row) => {
    if (!endsInDigits.test(text)) return false
    const label = labelOf(text.replaceAll(/[\d.,:'-]+/g, ' '))
    const amounts = found.filter((one) => one.row === row)
    if (isGiven && isCalled('change', label)) return amounts.every((one) => one.value < value)
    const isTotal = (isCalled('total', label) || isCalled('grand', label)) && !notTotals.some((name) => isCalled(name, label))
    return isTotal && amounts.length === 0 && (!isNamed || row > first)
  })
}

/** Whether an amount below is the total and what is between them: a tax, a service or a tip whose name was misread. */
function isExceeded({ found }: Rest, { value, parts }: AmountCandidate): boolean {
  const first = Math.min(...parts.map(({ row }) => row))
  const below = found.filter(({ row, features }) => row > first && !has(features, 'change', 'tender'))
  return below.some((most) => below.some((added) => added.row < most.row && added.value > 0 && most.value === value + added.value))
}

/** Whether a total is said again with one sign changed, missing or extra, or without its point. */
function isSaidOtherwise({ found }: Rest, { value, parts, features }: AmountCandidate): boolean {
  const isRounding = (apart: number) =>
    apart <= mostRounded && found.some((one) => Math.abs(one.value) === apart && has(one.features, 'rounding'))
  const others = found
    .map((one) => ({ ...one, amount: Math.abs(one.value) }))
    .filter(({ amount, features: own }) => !has(own, 'sub', 'tax') && !isRounding(Math.abs(amount - value)))
    .filter(({ amount }) => isMisreadAs(amount, value) || amount * 100 === value)
  if (others.length === 0 || has(features, 'paid')) return false
  const isTotal = has(features, 'cleanTotal', 'cleanGrand')
  const first = Math.min(...parts.map(({ row }) => row))
  return others.some(({ amount, row, features: own }) => {
    if (has(own, 'total', 'grand') && !isTotal) return true
    // Less than the total cannot have been given for it.
    if (has(own, 'tender') && amount < value && !has(features, 'exact')) return true
    if (has(features, ...strong)) return false
    return has(own, 'total', 'grand', 'tender') || (!isTotal && row < first && has(own, 'last', 'sign'))
  })
}

/** The items above a total, what the amounts around it come to, what a discount leaves, and what was given less the change. */
function around({ found }: Rest, { parts }: AmountCandidate) {
  const row = Math.min(...parts.map((part) => part.row))
  const named = (...names: readonly string[]) => found.filter(({ features }) => has(features, ...names)).map(({ value }) => Math.abs(value))
  const items = found
    .filter((one) => one.row < row && has(one.features, 'last') && !has(one.features, 'total', 'grand', 'tender', ...notTotals))
    .map(({ value }) => value)
  const [subs, taxes, discounts] = [named('sub'), named('tax'), named('discount')]
  const reduced = subs.flatMap((sub) => discounts.flatMap((less) => [0, ...taxes].map((tax) => sub - less + tax)))
  const given = named('tender').flatMap((tender) => named('change').map((change) => tender - change))
  const taxed = subs.flatMap((sub) => taxes.map((tax) => sub + tax))
  return { items, sums: [items.reduce((sum, item) => sum + item, 0), ...taxed], reduced, given }
}

/** Whether all digits of a total may have been an amount with decimals: nothing separates them, and its currency has decimals. */
function isWithoutPoint({ found }: Rest, { value, parts }: AmountCandidate): boolean {
  if (parts.length > 1) return false
  const isPointed = found.some(({ match }) => (match[4] ?? '') !== '')
  return found.some(({ value: own, match: [, , , , fraction, digits = ''] }) => {
    // Where decimals are seldom, other patterns find whole amounts, whose empty groups match.
    const least = fraction === undefined || isPointed ? longWhole.pointed : longWhole.seldom
    return own === value && /^\d+$/.test(digits) && value !== Number(digits) && digits.length >= least
  })
}

/** Whether one amount is the other with one digit changed, missing or extra. */
function isMisreadAs(amount: number, other: number): boolean {
  const [one, two] = [String(amount), String(other)]
  if (one === two || Math.abs(one.length - two.length) > 1 || one.length < 3) return false
  const [short, long] = one.length < two.length ? [one, two] : [two, one]
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  return short.slice(one.length === two.length ? at + 1 : at) === long.slice(at + 1)
}
