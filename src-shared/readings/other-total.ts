import { exponentOf } from '#shared/domain/currencies'
import { type Flag, receiptFlag } from '#shared/domain/policies'
import { type FieldReading, mostTrustedFirst } from '#shared/readings/reading'
import { fillsFrom } from '#shared/readings/thresholds'

/** What is known of a receipt. */
export interface ReadReceipt {
  readonly sha256: string
  readonly state: 'waiting' | 'read' | 'gave_up' | 'unreadable'
  readonly fields: readonly FieldReading[]
}

/** The surest value of a field, where it is sure enough to fill a form. */
export function sureValue(fields: readonly FieldReading[], field: FieldReading['field']): FieldReading | undefined {
  const [best] = mostTrustedFirst(fields.filter((reading) => reading.field === field))
  return best && best.probability >= fillsFrom[field] ? best : undefined
}

/**
 * What a receipt says for sure, as repeats of its purchase are looked up by it: `said`, the day and the total; `seller`, a tax number. Null
 * where day or total are not sure.
 */
export function saidBy(fields: readonly FieldReading[]): { said: string | null; seller: string | null } {
  const [day, total] = [sureValue(fields, 'date'), sureValue(fields, 'total')]
  if (!day || !total) return { said: null, seller: null }
  return { said: `${day.value} ${total.value}`, seller: sureValue(fields, 'supplier_tax_id')?.value ?? null }
}

/**
 * What an expense should have claimed by its receipts, where each says its total for sure and neither one of them nor their sum is what it
 * claims. A receipt in another currency, or one that was not read, leaves it open.
 */
export function findOtherTotal(
  { amount_minor: claimed, currency }: { readonly amount_minor: number; readonly currency: string },
  receipts: readonly ReadReceipt[],
): Flag | undefined {
  // Amounts are read in hundredths.
  if (exponentOf(currency) !== 2) return undefined
  const totals = receipts.map(({ fields }) => {
    const read = sureValue(fields, 'currency')
    return read !== undefined && read.value !== currency ? undefined : sureValue(fields, 'total')
  })
  const known = totals.flatMap((total) => (total === undefined ? [] : Number(total.value)))
  if (known.length === 0 || known.length < receipts.length) return undefined
  const sum = known.reduce((all, one) => all + one, 0)
  return known.includes(claimed) || sum === claimed ? undefined : receiptFlag({ read: sum, claimed, currency })
}
