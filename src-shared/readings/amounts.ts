import { currencyExponents } from '#shared/domain/currencies'
import { type Features, mergeFeatures } from '#shared/readings/classify'
import { type Found, among, knownOf, misreadFrom } from '#shared/readings/amount-evidence'
import { amountLabels, labelOf } from '#shared/readings/amount-labels'
import { type Printed, currencySign } from '#shared/readings/currency'
import { wordsOf } from '#shared/readings/receipt-words'
import { type Part, type TextRow, findParts, rightOf, weakestOf } from '#shared/readings/rows'

/** An amount on a receipt, in minor units of its currency, with all its places. */
export interface AmountCandidate {
  readonly value: number
  readonly parts: readonly Part[]
  readonly features: Features
}

/** Engines read O as 0, and shops leave the zero out. */
const noDigits = String.raw`(?<=${currencySign}\s?)O|(?<=(?:^|\s)-?)(?=\.\d\d(?!\d))`
const grouped = String.raw`\d{1,3}(?:[.,' ]\d{3})+`
const [start, end] = [String.raw`(?<![\d/:.,-]|(?<!\p{L})[lI|])(-?)\s?(${currencySign})?\s?`, String.raw`\s?(%|-(?!\d)|${currencySign})?`]

/** Amounts with two decimals, or whole ones with a sign; of four digits, a point may be lost. */
const twoDecimals = new RegExp(
  String.raw`${start}(?:(${grouped}|\d+|${noDigits})\s?[.,:]\s?([\dOo]\s?[\dOo])(?![\d/:]|[.,]\d)|(?<=${currencySign}\s?)(\d{1,3})(?![\d.,/:-]|\s\d{3}(?!\d)))${end}`,
  'gu',
)
const threeDecimals = new RegExp(
  String.raw`${start}(?:(${grouped}|\d+)\s?[.,]\s?(\d{3})(?![\d/:]|[.,]\d)|(?<=${currencySign}\s?)(\d{1,3})(?![\d.,/:-]|\s\d{3}(?!\d)))${end}`,
  'gu',
)
/** Whole amounts: other numbers of the receipt are like them, so a sign, groups of digits or a label has to say so. */
const noDecimals = new RegExp(String.raw`${start}()()(${grouped}|\d{1,9})(?![\d/:]|[.,]\d|-\d)${end}`, 'gu')

/** A separate amount that lost its point; counts only if a label says so. */
const pointlessPattern = /^()()(\d{1,5}) ?(\d{2})()()$/g
const namesSum = new RegExp(
  `total|${['total', 'grand', 'tender', 'change'].map((name) => wordsOf(name)).join('|')}|amount|cash|card|visa|master|change|paid|due|balance|subtotal`,
  'u',
)
const namesAmount = /total|cash|change|rounding|amount|gst|tax|tender|payable/

/** The heading of a tax table, whose totals are not what is paid, and its most rows. */
const summaries = /(?:gst|tax|vat|iva|g5t|6st).{0,3}(?:summary|sunnary|analysis|rate|code)|resumo(?:do)?iva/
const summaryRows = 7

/** The most amounts to read, from the end, as what is paid is at the bottom. Each is compared with all others. */
const mostAmounts = 300

const none: Features = {}

const usual: Printed = { decimals: 2, isWhole: false }

/** The amounts of a receipt. `found`: each at its place, also those below zero. */
export interface Amounts {
  readonly candidates: readonly AmountCandidate[]
  readonly found: readonly Found[]
}

/** Finds every amount on a receipt, with the evidence that it is what was paid. `printed`: how its currency is. */
export function findAmounts(rows: readonly TextRow[], printed = usual): Amounts {
  const summary = rows.findIndex(({ text }) => summaries.test(labelOf(text)))
  const toFound = (part: AmountPart, pointless = 0): Found[] => {
    const value = toMinor(part.match, printed.decimals)
    const below = part.row - summary
    const underSummary = summary !== -1 && below >= 0 && below < summaryRows ? 1 : 0
    return value === undefined || value === 0 || isTime(part)
      ? []
      : [{ ...part, value, features: { ...featuresOf(part, rows), underSummary, pointless } }]
  }
  const unpointed =
    printed.isWhole || printed.decimals !== 2
      ? []
      : [...findParts(rows, pointlessPattern)].filter(({ before }) => namesAmount.test(labelOf(before)))
  const all = [...partsOf(rows, printed).flatMap((part) => toFound(part)), ...unpointed.flatMap((part) => toFound(part, 1))]
    .sort((a, b) => a.row - b.row)
    .slice(-mostAmounts)
  const known = knownOf(all.map((one) => (isRefunded(one) ? { ...one, value: -one.value } : one)))
  const toCandidate = (value: number, parts: readonly Found[], misread = 0): AmountCandidate => ({
    ...{ value, parts: bestFirst(parts) },
    features: { ...mergeFeatures(parts.map(({ features }) => features)), ...among(value, parts, known), misread },
  })
  const candidates = [...Map.groupBy(known.found, ({ value }) => value)].map(([value, parts]) => toCandidate(value, parts))
  return { candidates: [...candidates, ...misreadFrom(known).map(({ value, parts }) => toCandidate(value, parts, 1))], found: all }
}

/** A total below zero is what comes back. */
function isRefunded({ value, features }: Found): boolean {
  return value < 0 && (features.cleanTotal ?? 0) + (features.cleanGrand ?? 0) > 0
}

type AmountPart = Part & { match: RegExpMatchArray }

/** The numbers that may be amounts. */
function partsOf(rows: readonly TextRow[], { decimals, isWhole }: Printed): AmountPart[] {
  const pointed = decimals === 2 ? [...findParts(rows, twoDecimals)] : decimals === 3 ? [...findParts(rows, threeDecimals)] : []
  if (!isWhole) return pointed
  const isWithin = (part: Part) => pointed.some(({ line, from, to }) => line === part.line && from < part.to && part.from < to)
  return [...pointed, ...[...findParts(rows, noDecimals)].filter((part) => !isWithin(part) && isAmount(part))]
}

const numbered = /(?:\b(?:no|nr|tel|fax|id|org|cvr|nip|abn|trn|nit|rut|ref|auth|gst|vat)\b|[aá]m)[\s.:#\d-]*$/i

/** Digits of a card, an account or a telephone have none of these. */
function isAmount({ match: [, , before, , , number = '', after], ...part }: AmountPart): boolean {
  if (/[*x]{2,}\s?$|[#.]$|\+[\d\s()./-]*$/i.test(part.before) || /^0\d/.test(number) || numbered.test(part.before)) return false
  const isSigned = before !== undefined || (after !== undefined && after !== '%' && after !== '-')
  return isSigned || /\d[.,' ]\d/.test(number) || namesSum.test(labelOf(part.before))
}

/** Orders places for display: where it is labelled as total, otherwise the last. */
function bestFirst(parts: readonly Found[]): Found[] {
  const worth = ({ features }: Found) => 3 * (features.grand ?? 0) + 2 * (features.cleanTotal ?? 0) + (features.total ?? 0)
  return parts.toSorted((a, b) => worth(b) - worth(a) || b.row - a.row)
}

/** Labels of times, next to which a colon separates hours. */
const timeWords = /ti[mn]e|date|data|hora|heure|zeit|entry|exit|orario|tijd|\btid/
const dayBefore = /\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\s*,?\s*$|\b(?:kl|klo|ora|um|at)\b\.?\s*$/i

/** Whether a value is a time: a colon may be a misread point, but only where a label names an amount; a point separates hours after a day. */
function isTime({ match: [text], before, after }: AmountPart): boolean {
  if (!/(?<!\d)(?:[01]?\d|2[0-3])[:.][0-5]\d/.test(text)) return false
  if (dayBefore.test(before) || /^\s*(?:Uhr|[ap]\.?m\b|h\b)/i.test(after)) return true
  const label = labelOf(before)
  return text.includes(':') && (!namesSum.test(label) || timeWords.test(label))
}

/** In minor units; negative if a minus is printed. */
function toMinor(match: RegExpMatchArray, decimals: number): number | undefined {
  const [, sign, , whole, fraction, round, end] = match
  if (end === '%') return undefined
  const digits = (text = '') => text.replaceAll(/o/gi, '0').replaceAll(/\D/g, '')
  const text = whole
    ? digits(whole) + digits(fraction)
    : whole === '' && fraction
      ? digits(fraction)
      : `${digits(round)}${'0'.repeat(decimals)}`
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value >= 100_000_000_000) return undefined
  return sign === '-' || end === '-' ? -value : value
}

const bareSign = new RegExp(`rm|r?\\$|rs|€|£|kr|^(?:${Object.keys(currencyExponents).join('|').toLowerCase()})$`, 'g')
const endsWithSign = /(?:rm|r\$|€|£|\$)$/

function featuresOf(part: AmountPart, rows: readonly TextRow[]): Features {
  const row = rows[part.row]
  if (!row) return none
  const own = labelOf(part.before.replaceAll(/[\d.,:'-]+/g, ' '))
  const isBare = own.replaceAll(bareSign, '').length < 2
  const above = isBare ? labelOf(labelAbove(part, rows)) : ''
  const label = isBare ? above : own
  const named = Object.fromEntries(Object.entries(amountLabels).map(([name, pattern]) => [name, pattern.test(label) ? 1 : 0]))
  const {
    total = 0,
    sub = 0,
    tax = 0,
    taxIncluded = 0,
    discount = 0,
    quantity = 0,
    tender = 0,
    change = 0,
    supplies = 0,
    grand = 0,
    rounding = 0,
  } = named
  const isWrong = sub + discount + quantity + change + supplies > 0 || (tax === 1 && taxIncluded === 0)
  return {
    ...named,
    above: isBare && above !== '' ? 1 : 0,
    bare: isBare && above === '' ? 1 : 0,
    cleanTotal: total === 1 && !isWrong && tender === 0 ? 1 : 0,
    cleanGrand: grand === 1 && !isWrong ? 1 : 0,
    wrongTotal: total === 1 && isWrong ? 1 : 0,
    onlyRounding: rounding === 1 && total === 0 ? 1 : 0,
    sign: part.match[2] !== undefined || part.match[6] !== undefined || endsWithSign.test(own) ? 1 : 0,
    low: row.y,
    large: Math.min(2, Math.max(0, row.size - 1)),
    right: rightOf(part),
    blurred: 1 - weakestOf(part),
    last: isLastInRow(part) ? 1 : 0,
  }
}

function isLastInRow({ after }: Part): boolean {
  return !/\d[.,]\d{2}|\d{4}/.test(after)
}

/** The words above an amount in its column, or in the row above if that has no amount. */
function labelAbove({ row, line }: Part, rows: readonly TextRow[]): string {
  for (let at = row - 1; at >= Math.max(0, row - 3); at -= 1) {
    const over = rows[at]
    if (!over || over.page !== rows[row]?.page) return ''
    const inColumn = over.lines.filter(({ level }) => level.x < line.level.x + line.level.width && line.level.x < level.x + level.width)
    const words = inColumn.map(({ text }) => text).join(' ')
    if (/[a-z]{3}/i.test(words)) return words
    if (at === row - 1 && /[a-z]{3}/i.test(over.text) && !/\d\s?[.,]/.test(over.text)) return over.text
  }
  return ''
}
