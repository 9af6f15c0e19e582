import { type Flag, receiptFlag } from '#shared/domain/policies'
import type { FieldReading } from '#shared/readings/reading'

/** The known data of a receipt. */
export interface ReadReceipt {
  readonly sha256: string
  readonly state: 'waiting' | 'read' | 'gave_up' | 'unreadable'
  readonly fields: readonly FieldReading[]
}

/** The value of a field that is certain enough to fill a form. */
export function sureValue(fields: readonly FieldReading[], field: FieldReading['field']): FieldReading | undefined {
  return fields.find((reading) => reading.field === field && reading.fills)
}

/** The certain values of a receipt, by which repeats are found: `said`, day and total; `seller`, a tax number. Null if day or total are uncertain. */
export function saidBy(fields: readonly FieldReading[]): { said: string | null; seller: string | null } {
  const [day, total] = [sureValue(fields, 'date'), sureValue(fields, 'total')]
  if (!day || !total) return { said: null, seller: null }
  return { said: `${day.value} ${total.value}`, seller: sureValue(fields, 'supplier_tax_id')?.value ?? null }
}

/**
 * The amount that an expense should have by its receipts, if all totals are certain and neither one of them nor their sum is the claimed amount.
 * Undefined with a receipt in another currency, or one that was not read.
 */
export function findOtherTotal(
  { amount_minor: claimed, currency }: { readonly amount_minor: number; readonly currency: string },
  receipts: readonly ReadReceipt[],
): Flag | undefined {
  const totals = receipts.map(({ fields }) => sureValue(fields, 'total'))
  const known = totals.flatMap((total) => (total?.currency === currency ? [Number(total.value)] : []))
  if (known.length === 0 || known.length < receipts.length) return undefined
  const sum = known.reduce((all, one) => all + one, 0)
  return known.includes(claimed) || sum === claimed ? undefined : receiptFlag({ read: sum, claimed, currency })
}
