import { z } from 'zod'
import { repeatEvidence } from '#shared/domain/repeats'
import { repeatDecision } from '#shared/records/repeat-decision'
import { expenseRepresentation } from '../expenses'
import { amount, currency, instant } from '../fields'
import { listedBy, recordShape, writableOf } from '../record-attributes'
import { organizationRecordRoutes } from '../record-routes'
import { nothing, organizationParams, pathId } from '../requests'
import { type ListOptions, route } from '../route'

/** A decision that two expenses are not repeats (extension of the contract). `name`: the reason. */
export const repeatDecisionRepresentation = z.object(recordShape(repeatDecision)).meta({ id: 'RepeatDecision' })
export type RepeatDecisionRepresentation = z.infer<typeof repeatDecisionRepresentation>

const decisionListOptions = { order: 'created_at', attributes: listedBy(repeatDecision.attributes) } as const satisfies ListOptions

/** The endpoints of decisions that two expenses are not repeats. */
export const repeatDecisionRoutes = organizationRecordRoutes({
  table: repeatDecision.table,
  one: 'a decision that two expenses are no repeats',
  many: 'decisions on repeats',
  attributes: writableOf(repeatDecision.attributes),
  representation: repeatDecisionRepresentation,
  list: decisionListOptions,
  actions: { list: 'repeat_decisions.list', show: 'repeat_decisions.list', write: 'repeat_decisions.write' },
})

/** Another expense that may be the same purchase, with the evidence, strongest first, and a certainty from 1 to 99. */
export const repeatRepresentation = z
  .object({ expense: expenseRepresentation, evidence: z.array(z.enum(repeatEvidence)), score: z.int() })
  .meta({ id: 'Repeat' })

const found = {
  /** The repeats that the caller may see, most certain first. */
  repeats: z.array(repeatRepresentation),
  /** The number of repeats that the caller may not see. */
  hidden_count: z.int(),
}

const list = { method: 'GET', body: nothing, status: 200 } as const
const texts = (longest: number) =>
  z
    .string('invalid')
    .max(longest * 20, 'invalid')
    .transform((text) => text.split(',').filter((part) => part !== ''))

/** Which expenses may be the same purchase as another. Not part of the contract. */
export const repeatRoutes = {
  ofExpense: route({
    ...list,
    name: 'repeats.list_of_expense',
    action: 'expenses.read',
    path: '/expenses/:expense_id/repeats',
    summary: 'List the expenses that an expense may repeat, and what was decided of such pairs',
    params: z.object({ expense_id: pathId }),
    query: nothing,
    response: z.object({
      ...found,
      /** The decided pairs of this expense; only for reviewers. */
      decisions: z.array(repeatDecisionRepresentation),
    }),
  }),
  preview: route({
    ...list,
    name: 'repeats.preview',
    action: 'expenses.create',
    path: '/organizations/:organization_id/repeats',
    summary: 'List the expenses that one which is not stored yet may repeat',
    params: organizationParams,
    query: z.object({
      /** Without all three, only receipts are compared. */
      amount: amount.optional(),
      currency: currency.optional(),
      occurred_at: instant.optional(),
      receiver_id: pathId.optional(),
      kind: z.enum(['monetary', 'distance'], 'inclusion').optional(),
      description: z.string('invalid').max(10_000, 'invalid').optional(),
      supplier_name: z.string('invalid').max(200, 'invalid').optional(),
      supplier_tax_id: z.string('invalid').max(40, 'invalid').optional(),
      /** Its receipts by their hashes (SHA-256) or the Locations of the caller's uploads, the keys of its electronic invoices, and the caller's captures, with commas between. */
      files: texts(325).optional(),
      invoice_keys: texts(200).optional(),
      capture_ids: texts(15).pipe(z.array(pathId)).optional(),
      /** The id of the expense, if it is stored. */
      except_id: pathId.optional(),
    }),
    response: z.object(found),
  }),
}
