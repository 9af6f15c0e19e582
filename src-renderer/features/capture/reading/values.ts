import { writeAmount } from '#shared/domain/amount-text'
import { exponentOf, isCurrency } from '#shared/domain/currencies'
import type { ReceiptReading } from '#shared/contract/instance/readings'
import type { Language } from '#shared/domain/locales'
import { fromMinor } from '#shared/domain/money'
import { formatTaxId } from '#shared/domain/tax-ids'
import { type FieldReading, type PlaceOnPage, mostTrustedFirst } from '#shared/readings/reading'
import type { KnownSupplier } from '#renderer/api/readings/supplier-memory'
import type { Draft, DraftForm } from '#renderer/state/draft'
import type { FileReadings } from './draft-readings'

/** The fields of the form that receipts fill or offer. */
export const filledFields = ['amount', 'date', 'supplier_name', 'supplier_tax_id'] as const
export type FilledField = (typeof filledFields)[number]

/** Where a value stands: on which receipt, and where on it. */
export interface ReceiptPlace {
  readonly fileId: string
  readonly place: PlaceOnPage
}

/** A value for a field, as a person types it. `isSure`: it fills an empty field; others are offered. */
export interface ReadValue {
  readonly field: FilledField
  readonly text: string
  readonly isSure: boolean
  /** That comes with an amount. */
  readonly currency?: string
  readonly at?: ReceiptPlace
}

/** How a receipt is read for a form. `today`: `YYYY-MM-DD` where the person is. */
export interface ReadingFor {
  readonly language: Language
  readonly today: string
}

/** A year of a receipt that is read wrong makes it old: older ones are offered. */
const oldestDays = 400
const dayMs = 86_400_000

/** What the receipts of a draft say for its form, of each field the best first. Receipts that differ are of several purchases: nothing is sure then. */
export function valuesOf({ files, form }: Draft, readings: FileReadings, reading: ReadingFor): ReadValue[] {
  const known = files.flatMap(({ id }) => {
    const found = readings.get(id)
    return found && found.fields.length > 0 ? [{ id, fields: mostTrustedFirst(found.fields) }] : []
  })
  const all = known.flatMap(({ id, fields }) => valuesOfFile(id, fields, { ...reading, currency: form.currency }))
  if (known.length < 2) return all
  const isSame = (field: FilledField) => new Set(all.filter((one) => one.field === field && one.isSure).map(({ text }) => text)).size === 1
  return all.map((one) => ({ ...one, isSure: one.isSure && isSame(one.field) }))
}

function valuesOfFile(
  fileId: string,
  fields: readonly FieldReading[],
  { language, today, currency }: ReadingFor & Pick<DraftForm, 'currency'>,
): ReadValue[] {
  const best = (field: FieldReading['field']) => fields.find((one) => one.field === field)
  return fields.flatMap((one): ReadValue[] => {
    const at = one.place ? { at: { fileId, place: one.place } } : {}
    if (one.field === 'total') return amountOf(one, { language, currency }).map((amount) => ({ ...amount, ...at }))
    if (one.field === 'date') return [{ field: 'date', text: one.value, isSure: one.fills && isRecent(one.value, today), ...at }]
    if (one.field === 'supplier_name')
      return one === best('supplier_name') ? [{ field: 'supplier_name', text: one.value, isSure: one.fills, ...at }] : []
    return one.field === 'supplier_tax_id' ? [{ field: 'supplier_tax_id', text: formatTaxId(one.value), isSure: one.fills, ...at }] : []
  })
}

/** An amount as a person types it; one whose currency was not read is offered in that of the form. */
function amountOf(
  { value, currency: read, fills }: FieldReading,
  { language, currency }: Pick<ReadingFor, 'language'> & Pick<DraftForm, 'currency'>,
): ReadValue[] {
  if (read !== undefined && isCurrency(read)) {
    const text = writeAmount(fromMinor(Number(value), read), { currency: read, language })
    return [{ field: 'amount', text, currency: read, isSure: fills }]
  }
  // Without a currency, amounts are in hundredths.
  if (!isCurrency(currency) || exponentOf(currency) !== 2) return []
  return [{ field: 'amount', text: writeAmount(fromMinor(Number(value), currency), { currency, language }), currency, isSure: false }]
}

function isRecent(day: string, today: string): boolean {
  const days = (Date.parse(today) - Date.parse(day)) / dayMs
  return days >= 0 && days <= oldestDays
}

/** The draft with sure values in fields that are empty and were not filled before: what a person took out or typed over stays so. Undefined: nothing changes. */
export function filledFrom(draft: Draft, values: readonly ReadValue[]): Draft | undefined {
  const { form, read } = draft
  const sure = filledFields.flatMap((field) => {
    const value = values.find((one) => one.field === field && one.isSure)
    return value && form[field].trim() === '' && read[field] === undefined ? [value] : []
  })
  if (sure.length === 0) return undefined
  const texts = Object.fromEntries(sure.map(({ field, text }) => [field, text]))
  const currency = sure.find(({ field }) => field === 'amount')?.currency
  return { ...draft, form: { ...form, ...texts, ...(currency === undefined ? {} : { currency }) }, read: { ...read, ...texts } }
}

/** The draft with a known supplier, where nobody typed another: once. Undefined: nothing changes. */
export function withSupplier(
  draft: Draft,
  { name, tags, currency, isRegistered }: KnownSupplier,
  { isCurrencyRead }: { isCurrencyRead: boolean },
): Draft | undefined {
  const { form, read } = draft
  const isOpen = form.supplier_name === '' && read.supplier_name === undefined
  // What was read is spelled as it is printed; the register knows the name.
  const isSpelled = isRegistered && form.supplier_name !== '' && form.supplier_name === read.supplier_name && form.supplier_name !== name
  if (!isOpen && !isSpelled) return undefined
  const isUntagged = form.tags.length === 0 && read.tags === undefined
  const isUnpriced =
    !isCurrencyRead && currency !== null && read.currency === undefined && (form.amount === '' || form.amount === read.amount)
  return {
    ...draft,
    form: { ...form, supplier_name: name, ...(isUntagged && { tags: [...tags] }), ...(isUnpriced && { currency }) },
    read: { ...read, supplier_name: name, ...(isUntagged && { tags: tags.join(',') }), ...(isUnpriced && { currency }) },
  }
}

/** The fields that have what was read from a receipt. */
export function readFieldsOf({ form, read }: Draft): FilledField[] {
  return filledFields.filter((field) => (read[field] ?? '') !== '' && form[field] === read[field])
}

const mostOffered: Readonly<Record<FilledField, number>> = { amount: 3, date: 2, supplier_name: 1, supplier_tax_id: 1 }

/** What is offered for empty fields, the best first; of amounts three, of days two, as the month may be the day; of others one. */
export function offersOf({ form }: Draft, values: readonly ReadValue[]): ReadValue[] {
  return filledFields.flatMap((field) => {
    if (form[field].trim() !== '') return []
    const texts = new Set<string>()
    const own = values.filter((one) => one.field === field && !texts.has(one.text) && texts.add(one.text))
    return own.slice(0, mostOffered[field])
  })
}

/** The card line that a receipt surely is. */
export type ReceiptLine = NonNullable<ReceiptReading['line']>

/** The card line of a draft's receipts, while its form says what they do, of the user's own, and nobody has taken it off. */
export function lineOf({ form, files, read }: Draft, readings: FileReadings, values: readonly ReadValue[]): ReceiptLine | undefined {
  const [line, ...more] = files.flatMap(({ id }) => readings.get(id)?.line ?? [])
  const isOther = more.some(({ id }) => id !== line?.id) || (form.card_id !== null && form.card_id !== line?.corporative_card_id)
  const isSaid = (['amount', 'date'] as const).every((name) =>
    values.some(({ field, text, currency = form.currency }) => field === name && text === form[name] && currency === form.currency),
  )
  return form.kind === 'monetary' && form.receiver_id === null && isSaid && !isOther && read.statement_line_id === undefined
    ? line
    : undefined
}

/** Notes which fields a person typed in: receipts do not fill them any more, and offer instead. */
export function withTyped(read: Draft['read'], part: Partial<DraftForm>): Draft['read'] {
  const names = Object.keys(part).filter((name) => read[name] === undefined)
  return names.length === 0 ? read : { ...read, ...Object.fromEntries(names.map((name) => [name, ''])) }
}
