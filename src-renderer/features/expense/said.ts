import type { AttachmentRepresentation } from '#shared/contract/attachments'
import type { Expense } from '#shared/contract/expenses'
import { parseAmount } from '#shared/domain/money'
import { toTaxNumber } from '#shared/domain/tax-ids'
import type { ReceiptReading } from '#shared/contract/instance/readings'
import { sureValue } from '#shared/readings/other-total'
import { type FieldReading, type PlaceOnPage, mostTrustedFirst } from '#shared/readings/reading'

/** The fields of an expense next to which it is shown what its receipts say. */
export const saidFields = ['amount', 'occurred_at', 'supplier_name', 'supplier_tax_id'] as const
export type SaidField = (typeof saidFields)[number]

/** What one receipt says of a field. `index`: of the receipt among those of the expense; `isOther`: the expense claims otherwise. */
export interface Said {
  readonly index: number
  readonly value: string
  readonly currency: string
  readonly isOther: boolean
  readonly place: PlaceOnPage | undefined
}

/** Names are never sure: they are shown from here on, and never taken for another. */
const leastName = 0.6

/** An evening is the next day in UTC. */
const nearMs = 36 * 3_600_000

const readAs = { amount: 'total', occurred_at: 'date', supplier_name: 'supplier_name', supplier_tax_id: 'supplier_tax_id' } as const

/** What the receipts of an expense say of its fields, where they were read surely. */
export function saidOf(
  expense: Pick<Expense, 'amount' | 'currency' | 'occurred_at' | 'supplier_tax_id'>,
  attachments: readonly Pick<AttachmentRepresentation, 'id'>[],
  readings: readonly ReceiptReading[],
): ReadonlyMap<SaidField, readonly Said[]> {
  const known = attachments.flatMap(({ id }, index) => {
    const fields = readings.find((one) => one.attachment_id === id)?.fields ?? []
    return fields.length === 0 ? [] : [{ index, fields, currency: sureValue(fields, 'total')?.currency ?? expense.currency }]
  })
  return new Map(
    saidFields.map((field) => {
      const said = known.flatMap(({ index, fields, currency }) => {
        const found = field === 'supplier_name' ? likelyName(fields) : sureValue(fields, readAs[field])
        return found ? [{ index, currency, value: found.value, place: found.place }] : []
      })
      const isOther = isOtherThan(expense, field, said)
      return [field, said.map((one) => ({ ...one, isOther }))] as const
    }),
  )
}

function likelyName(fields: readonly FieldReading[]): FieldReading | undefined {
  const [best] = mostTrustedFirst(fields.filter(({ field }) => field === 'supplier_name'))
  return best && best.probability >= leastName ? best : undefined
}

/** Whether none of the receipts, nor all of them together, say what is claimed. */
function isOtherThan(
  { amount, currency, occurred_at, supplier_tax_id }: Parameters<typeof saidOf>[0],
  field: SaidField,
  said: ReadonlyArray<{ readonly value: string; readonly currency: string }>,
): boolean {
  const values = said.map(({ value }) => value)
  if (field === 'supplier_name' || values.length === 0) return false
  if (field === 'occurred_at') return !values.some((day) => Math.abs(Date.parse(day) - Date.parse(occurred_at)) < nearMs)
  if (field === 'supplier_tax_id') return supplier_tax_id !== null && !values.includes(toTaxNumber(supplier_tax_id))
  const claimed = parseAmount(amount, currency)
  if (claimed.kind !== 'ok' || said.some((one) => one.currency !== currency)) return false
  const sum = values.reduce((all, value) => all + Number(value), 0)
  return sum !== claimed.amount_minor && !values.includes(String(claimed.amount_minor))
}
