import { z } from 'zod'
import { readingSchema } from '#shared/readings/stored'
import { statementLineRepresentation } from '../organization-records/statements'
import { nothing, organizationParams, pathId } from '../requests'
import { route } from '../route'

const shown = {
  /** `off`: this instance does not read receipts. `unknown`: it has no such file, or does not read its type, such as XML. */
  state: z.enum(['waiting', 'read', 'gave_up', 'unreadable', 'off', 'unknown']),
  /** The candidates of each field, most likely first. Amounts in minor units of their currency; hundredths without one. */
  fields: z.array(readingSchema),
  /** Of receipts that are on no expense yet: the line of the caller's own card that it surely is, to be sent as `statement_line_id`. */
  line: statementLineRepresentation.nullable(),
}

/** A receipt's reading, as far as this instance could read it (extension). A receipt that takes too long is given up. */
export const receiptReadingRepresentation = z
  /** `file`: its hash (SHA-256), or the Location that it was asked for by. */
  .object({ file: z.string().nullable(), capture_id: z.int().nullable(), attachment_id: z.int().nullable(), ...shown })
  .meta({ id: 'ReceiptReading' })
export type ReceiptReading = z.infer<typeof receiptReadingRepresentation>

const list = { method: 'GET', body: nothing, status: 200 } as const
const texts = z
  .string('invalid')
  .max(6500, 'invalid')
  .transform((text) => text.split(',').filter((part) => part !== ''))

/** Readings of receipts. Not part of the contract. */
export const receiptReadingRoutes = {
  list: route({
    ...list,
    name: 'readings.list',
    action: 'expenses.create',
    path: '/organizations/:organization_id/readings',
    summary: 'Show what receipts say that are on no expense yet',
    params: organizationParams,
    query: z.object({
      /** The Locations of the caller's uploads, and the caller's captures, with commas between. */
      files: texts.optional(),
      capture_ids: texts.pipe(z.array(pathId)).optional(),
    }),
    response: z.object({ readings: z.array(receiptReadingRepresentation) }),
  }),
  ofExpense: route({
    ...list,
    name: 'readings.list_of_expense',
    action: 'expenses.read',
    path: '/expenses/:expense_id/readings',
    summary: 'Show what the receipts of an expense say',
    params: z.object({ expense_id: pathId }),
    query: nothing,
    response: z.object({ readings: z.array(receiptReadingRepresentation) }),
  }),
}
