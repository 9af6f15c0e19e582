import type { ReadField } from '#shared/readings/reading'

/**
 * The probability from which a reading fills an empty field; below it, the value is only offered. Above 1: never filled. Tuned on generated receipts
 * and on real ones that are not part of the program.
 */
export const fillsFrom: Readonly<Record<ReadField, number>> = {
  date: 0.7,
  time: 2,
  total: 0.65,
  currency: 0.95,
  // A new name is only offered: engines misread letters and lose accents.
  supplier_name: 2,
  supplier_tax_id: 0.99,
  document_number: 2,
  tax: 2,
}
