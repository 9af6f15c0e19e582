import { findAmounts } from '#shared/readings/amounts'
import { type Choice, type Features, rank } from '#shared/readings/classify'
import { orderOf } from '#shared/readings/countries'
import { type Printed, findCurrency, printedIn } from '#shared/readings/currency'
import { findDates, findTime } from '#shared/readings/dates'
import { withDoubts } from '#shared/readings/doubts'
import { findNames } from '#shared/readings/names'
import { type FieldCandidate, type ReadField, type ReadingSource } from '#shared/readings/reading'
import { type Part, type TextRow, findParts, placeOf, squeeze, toRows } from '#shared/readings/rows'
import { findIssuer } from '#shared/readings/tax-numbers'
import type { TextLine } from '#shared/readings/text-line'
import weights from './weights.json' with { type: 'json' }

const choices: Readonly<Record<'total' | 'date' | 'name', Choice>> = weights

/** The most values of a field that are offered. */
export const mostOffered = 3
/** One wrong number in a hundred has valid check digits: a number is certain at the top of a receipt, with a label. */
const sure = { taxNumber: 0.995, time: 0.9, document: 0.7, tax: 0.6 }
/** The probability of a day whose month may be its day: both are offered. */
const doubtfulDay = 0.49

type Source = Extract<ReadingSource, 'text' | 'pixels'>
type Best<Candidate> = Array<{ readonly candidate: Candidate; readonly probability: number }>

function best<Candidate extends { readonly features: Features; readonly parts: readonly Part[] }>(
  choice: Choice,
  candidates: readonly Candidate[],
): Best<Candidate> {
  return offered(rank(choice, candidates))
}

const offered = <Candidate>(ranked: Best<Candidate>) =>
  ranked.filter(({ probability }, at) => at === 0 || probability > 0.001).slice(0, mostOffered)

/** Reads the fields in a receipt's text, most likely values first. */
export function readFields(lines: readonly TextLine[], source: Source): FieldCandidate[] {
  const rows = toRows(lines)
  if (rows.length === 0) return []
  const { currency, amounts, printed } = findTotals(rows)
  const order = currency?.country.order ?? (currency && orderOf(currency.value))
  const toReading =
    (field: ReadField) =>
    (value: string, probability: number, part?: Part): FieldCandidate => ({
      ...{ field, value, source },
      ...((field === 'total' || field === 'tax') && currency && { currency: currency.value }),
      probability: Math.round(Math.min(0.999, probability) * 1000) / 1000,
      ...(part && { place: placeOf(part) }),
    })
  const dates = best(choices.date, findDates(rows, order))
  const time = findTime(
    rows,
    (dates[0]?.candidate.parts ?? []).map(({ row }) => row),
  )
  const issuer = findIssuer(rows)
  const document = findDocument(rows)
  return [
    ...dates.flatMap(({ candidate: { value, swapped, parts }, probability }) => {
      if (swapped === undefined) return [toReading('date')(value, probability, parts[0])]
      const doubted = Math.min(probability, doubtfulDay)
      return [toReading('date')(value, doubted, parts[0]), toReading('date')(swapped, doubted - 0.001, parts[0])]
    }),
    ...amounts.map(({ candidate: { value, parts }, probability }) => toReading('total')(String(value), probability, parts[0])),
    ...(currency ? [toReading('currency')(currency.value, currency.probability)] : []),
    ...best(choices.name, findNames(rows)).map(({ candidate: { value, parts }, probability }) =>
      toReading('supplier_name')(value, probability, parts[0]),
    ),
    ...(issuer ? [toReading('supplier_tax_id')(issuer.value, sure.taxNumber, issuer.part)] : []),
    ...(time ? [toReading('time')(time.value, sure.time, time.part)] : []),
    ...(document ? [toReading('document_number')(document.value, sure.document, document.part)] : []),
    ...findTaxes(rows, printed.decimals).map(({ value, part }) => toReading('tax')(value, sure.tax, part)),
  ]
}

/** The possible totals and their currency, which says how they are printed: the sign next to the total decides it. */
function findTotals(rows: readonly TextRow[]) {
  const amountsIn = (printed: Printed) => {
    const { candidates, found } = findAmounts(rows, printed)
    return offered(withDoubts(rows, found, rank(choices.total, candidates)))
  }
  const first = findCurrency(rows)
  const provisional = printedIn(first?.value)
  const found = amountsIn(provisional)
  const row = found[0]?.candidate.parts[0]?.row
  const currency = row === undefined ? first : findCurrency(rows, row)
  const printed = printedIn(currency?.value)
  const isSame = printed.decimals === provisional.decimals && printed.isWhole === provisional.isWhole
  return { currency, printed, amounts: isSame ? found : amountsIn(printed) }
}

const documentPattern =
  /(?:(?:invoice|inv|bill|receipt|rcpt|doc(?:ument)?|slip|check|chk)\s?(?:no|num(?:ber)?|#)\.?|NFC-?e\s?(?:n[ºo°.]*)?|NF-?e\s?n?[ºo°.]*|extrato\s?n?[ºo°.]*|n[uú]mero|COO|nota\s?n?[ºo°.]*|doc\.?)\s?[:#.]*\s*([A-Z]{0,4}[-/ ]?\d[\dA-Z/-]{2,})|\b((?:FS|FT|FR|FA)\s?[A-Z0-9.]{1,8}\/\d{1,8})/gi

function findDocument(rows: readonly TextRow[]): { value: string; part: Part } | undefined {
  for (const part of findParts(rows, documentPattern)) {
    const value = (part.match[1] ?? part.match[2] ?? '').trim()
    if (/\d{3}|\//.test(value) && !/^\d{1,2}[/-]\d{1,2}[/-]\d{2,4}$/.test(value)) return { value, part }
  }
  return undefined
}

/** Numbers with a number of decimals, and no percentages. */
const taxPatterns: readonly RegExp[] = [0, 1, 2, 3].map(
  (decimals) =>
    new RegExp(
      String.raw`(?<![\d.,])(\d{1,3}(?:[.,' ]\d{3})+|\d{1,7})${decimals === 0 ? '()(?![.,%])(?!' : String.raw`[.,](\d{${decimals}})(?!`}[\d%])`,
      'g',
    ),
)

function findTaxes(rows: readonly TextRow[], decimals: number): Array<{ value: string; part: Part }> {
  const found = [...findParts(rows, taxPatterns[decimals] ?? /$^/g)].filter((part) => {
    const label = squeeze(part.before)
    return (
      /(?:gst|tax|iva|vat|tribut|icms|mwst|tva|moms|btw)/.test(label) &&
      !/total(?:incl|sales|excl)|incl|excl|base|summary|analysis|id/.test(label)
    )
  })
  return found
    .slice(0, 3)
    .map((part) => ({ value: String(Number((part.match[1] ?? '').replaceAll(/\D/g, '') + (part.match[2] ?? ''))), part }))
}
