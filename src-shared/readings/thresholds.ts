import type { ReadField } from '#shared/readings/reading'

/**
 * From which probability a field fills an empty field of a form; below it, it is offered. Above 1: it is never filled. Set on made receipts and on
 * a set of real ones that is not part of the program.
 */
export const fillsFrom: Readonly<Record<ReadField, number>> = {
  date: 0.7,
  time: 2,
  total: 0.65,
  currency: 0.95,
  // A new name is offered: engines mistake letters, and lose accents.
  supplier_name: 2,
  supplier_tax_id: 0.99,
  document_number: 2,
  tax: 2,
}
