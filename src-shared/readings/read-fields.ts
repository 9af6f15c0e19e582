import { findAmounts } from '#shared/readings/amounts'
import { type Choice, type Features, rank } from '#shared/readings/classify'
import { findDates, findTime } from '#shared/readings/dates'
import { findNames } from '#shared/readings/names'
import { type FieldReading, type ReadField, type ReadingSource } from '#shared/readings/reading'
import { type Part, type TextRow, findParts, placeOf, squeeze, toRows } from '#shared/readings/rows'
import { findIssuer, findTaxNumbers } from '#shared/readings/tax-numbers'
import type { TextLine } from '#shared/readings/text-line'
import weights from './weights.json' with { type: 'json' }

const choices: Readonly<Record<'total' | 'date' | 'name', Choice>> = weights

/** The most values of a field that are offered. */
export const mostOffered = 3
/** One wrong number in a hundred has valid check digits: a number is certain at the top of a receipt, with a label. */
const sure = { taxNumber: 0.995, time: 0.9, document: 0.7, tax: 0.6 }
/** An ambiguous day has nearly half the probability: most are written with the day first. */
const ambiguousDay = 0.9

/** Reads the fields in a receipt's text, most likely values first. */
export function readFields(lines: readonly TextLine[], source: Extract<ReadingSource, 'text' | 'pixels'>): FieldReading[] {
  const rows = toRows(lines)
  if (rows.length === 0) return []
  const currency = findCurrency(rows)
  const isMonthFirst = currency?.value === 'USD'
  const toReading =
    (field: ReadField) =>
    (value: string, probability: number, part?: Part): FieldReading => ({
      ...{ field, value, source },
      probability: Math.round(Math.min(0.999, probability) * 1000) / 1000,
      ...(part && { place: placeOf(part) }),
    })
  const best = <Candidate extends { readonly features: Features; readonly parts: readonly Part[] }>(
    choice: Choice,
    candidates: readonly Candidate[],
  ) =>
    rank(choice, candidates)
      .slice(0, mostOffered)
      .filter(({ probability }, at) => at === 0 || probability > 0.001)
  const dates = best(choices.date, findDates(rows, { isMonthFirst }))
  const dateRows = dates[0]?.candidate.parts.map(({ row }) => row) ?? []
  const time = findTime(rows, dateRows)
  const issuer = findIssuer(rows)
  const document = findDocument(rows)
  const isDayFirst = currency !== undefined && currency.value !== 'USD'
  return [
    ...dates.map(({ candidate: { value, isAmbiguous, parts }, probability }) =>
      toReading('date')(value, isAmbiguous && !isDayFirst ? probability * ambiguousDay : probability, parts[0]),
    ),
    ...best(choices.total, findAmounts(rows)).map(({ candidate: { value, parts }, probability }) =>
      toReading('total')(String(value), probability, parts[0]),
    ),
    ...(currency ? [toReading('currency')(currency.value, currency.probability)] : []),
    ...best(choices.name, findNames(rows)).map(({ candidate: { value, parts }, probability }) =>
      toReading('supplier_name')(value, probability, parts[0]),
    ),
    ...(issuer ? [toReading('supplier_tax_id')(issuer.value, sure.taxNumber, issuer.part)] : []),
    ...(time ? [toReading('time')(time.value, sure.time, time.part)] : []),
    ...(document ? [toReading('document_number')(document.value, sure.document, document.part)] : []),
    ...findTaxes(rows).map(({ value, part }) => toReading('tax')(value, sure.tax, part)),
  ]
}

const currencySigns: ReadonlyArray<readonly [currency: string, sign: RegExp, probability: number]> = [
  ['BRL', /R\$|CNPJ|\bNFC-?e\b|CF-?e|Tributos/i, 0.99],
  ['MYR', /\bRM\s?\d|\(RM\)|\bRM\b|SDN\.?\s?BHD|\bBHD\b/i, 0.98],
  ['EUR', /€|\bEUR\b|\bNIF\b|ATCUD|Contribuinte|\bIVA\b/i, 0.98],
  ['GBP', /£|\bGBP\b|\bVAT\s?(?:No|Reg)/i, 0.97],
  ['USD', /\bUSD\b|US\$|(?<![A-Z])\$\s?\d/i, 0.8],
]

function findCurrency(rows: readonly TextRow[]): { value: string; probability: number } | undefined {
  const text = rows.map((row) => row.text).join('\n')
  const found =
    currencySigns.find(([, sign]) => sign.test(text)) ??
    (findTaxNumbers(rows).some(({ kind }) => kind === 'cnpj') ? currencySigns[0] : undefined)
  return found && { value: found[0], probability: found[2] }
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

const taxPattern = /(?<![\d.,])(\d{1,7})[.,](\d{2})(?![\d%])/g

function findTaxes(rows: readonly TextRow[]): Array<{ value: string; part: Part }> {
  const found = [...findParts(rows, taxPattern)].filter((part) => {
    const label = squeeze(part.before)
    return /(?:gst|tax|iva|vat|tribut|icms)/.test(label) && !/total(?:incl|sales|excl)|incl|excl|base|summary|analysis|id/.test(label)
  })
  return found.slice(0, 3).map((part) => ({ value: String(Number((part.match[1] ?? '') + (part.match[2] ?? ''))), part }))
}
