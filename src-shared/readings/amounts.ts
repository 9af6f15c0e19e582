import { type Features, mergeFeatures } from '#shared/readings/classify'
import { type Found, among, knownOf, misreadFrom } from '#shared/readings/amount-evidence'
import { amountLabels, labelOf } from '#shared/readings/amount-labels'
import { type Part, type TextRow, findParts, rightOf, weakestOf } from '#shared/readings/rows'

/** An amount on a receipt, in hundredths of its currency, with all its places. */
export interface AmountCandidate {
  readonly value: number
  readonly parts: readonly Part[]
  readonly features: Features
}

const currencySign = String.raw`(?:R\$|RS|RM|MYR|EUR|€|GBP|£|USD|US\$|\$)`
/** Engines read O as 0, and shops leave the zero out. */
const noDigits = String.raw`(?<=${currencySign}\s?)O|(?<=(?:^|\s)-?)(?=\.\d\d(?!\d))`
const digits = String.raw`\d{1,3}(?:[.,' ]\d{3})+|\d+|${noDigits}`
const amountPattern = new RegExp(
  String.raw`(?<![\d/:.,-])(-?)\s?(${currencySign})?\s?(?:(${digits})\s?[.,:]\s?([\dOo]\s?[\dOo])(?![\d/:]|[.,]\d)|(?<=${currencySign}\s?)(\d{1,6})(?![\d.,]))\s?(%|-(?!\d)|${currencySign})?`,
  'gi',
)

/** A separate amount that lost its point; counts only if a label says so. */
const pointlessPattern = /^()()(\d{1,5}) ?(\d{2})()()$/g
const namesAmount = /total|cash|change|rounding|amount|gst|tax|tender|payable/

/** The heading of a tax table, whose totals are not what is paid, and its most rows. */
const summaries = /(?:gst|tax|vat|iva|g5t|6st).{0,3}(?:summary|sunnary|analysis|rate|code)|resumo(?:do)?iva/
const summaryRows = 7

/** The most amounts to read, from the end, as what is paid is at the bottom. Each is compared with all others. */
const mostAmounts = 300

const none: Features = {}

/** Finds every amount on a receipt, with the evidence that it is what was paid. */
export function findAmounts(rows: readonly TextRow[]): AmountCandidate[] {
  const summary = rows.findIndex(({ text }) => summaries.test(labelOf(text)))
  const toFound = (part: Part & { match: RegExpMatchArray }, pointless = 0): Found[] => {
    const value = toMinor(part.match)
    const below = part.row - summary
    const underSummary = summary !== -1 && below >= 0 && below < summaryRows ? 1 : 0
    return value === undefined || value === 0 || isTime(part)
      ? []
      : [{ ...part, value, features: { ...featuresOf(part, rows), underSummary, pointless } }]
  }
  const unpointed = [...findParts(rows, pointlessPattern)].filter(({ before }) => namesAmount.test(labelOf(before)))
  const all = [...[...findParts(rows, amountPattern)].flatMap((part) => toFound(part)), ...unpointed.flatMap((part) => toFound(part, 1))]
    .sort((a, b) => a.row - b.row)
    .slice(-mostAmounts)
  const known = knownOf(all)
  const toCandidate = (value: number, parts: readonly Found[], misread = 0): AmountCandidate => ({
    ...{ value, parts: bestFirst(parts) },
    features: { ...mergeFeatures(parts.map(({ features }) => features)), ...among(value, parts, known), misread },
  })
  const printed = [...Map.groupBy(known.found, ({ value }) => value)].map(([value, parts]) => toCandidate(value, parts))
  return [...printed, ...misreadFrom(known).map(({ value, parts }) => toCandidate(value, parts, 1))]
}

/** Orders places for display: where it is labelled as total, otherwise the last. */
function bestFirst(parts: readonly Found[]): Found[] {
  const worth = ({ features }: Found) => 3 * (features.grand ?? 0) + 2 * (features.cleanTotal ?? 0) + (features.total ?? 0)
  return parts.toSorted((a, b) => worth(b) - worth(a) || b.row - a.row)
}

/** Labels of times, next to which a colon separates hours. */
const timeWords = /ti[mn]e|date|data|hora|entry|exit/

/** Whether a value is a time: a colon may be a misread point, but without an amount's label it is a time. */
function isTime({ match: [text], before }: Part & { match: RegExpMatchArray }): boolean {
  if (!/(?<!\d)(?:[01]?\d|2[0-3]):[0-5]\d/.test(text)) return false
  const label = labelOf(before)
  return label.length < 2 || timeWords.test(label)
}

/** Negative if a minus is printed. */
function toMinor(match: RegExpMatchArray): number | undefined {
  const [, sign, , whole, fraction, round, end] = match
  if (end === '%') return undefined
  const text =
    whole === undefined ? `${round ?? ''}00` : whole.replaceAll(/\D/g, '') + (fraction ?? '').replaceAll(/o/gi, '0').replaceAll(/\s/g, '')
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value >= 1_000_000_000) return undefined
  return sign === '-' || end === '-' ? -value : value
}

function featuresOf(part: Part & { match: RegExpMatchArray }, rows: readonly TextRow[]): Features {
  const row = rows[part.row]
  if (!row) return none
  const own = labelOf(part.before.replaceAll(amountPattern, ' '))
  const isBare = own.replaceAll(/rm|r?\$|rs|€|£|eur/g, '').length < 2
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
    sign: part.match[2] !== undefined || part.match[6] !== undefined || /(?:rm|r\$|€|£|\$)$/.test(own) ? 1 : 0,
    low: row.y,
    large: Math.min(2, Math.max(0, row.size - 1)),
    right: rightOf(part),
    blurred: 1 - weakestOf(part),
    last: isLastInRow(part) ? 1 : 0,
  }
}

function isLastInRow({ after }: Part): boolean {
  return !/\d[.,]\d{2}/.test(after)
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
