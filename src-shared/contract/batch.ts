import { z } from 'zod'
import { flag } from './fields'
import { nothing } from './requests'
import { route } from './route'

/** The most operations in a batch (supplement 4). */
export const maxBatchOperations = 1000

/** A v1 mutation of a batch; its path is relative to {base_url}. */
export const batchOperation = z.object({
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE'], 'inclusion'),
  path: z.string('blank').min(1, 'blank').max(2000, 'invalid'),
  body: z.record(z.string(), z.unknown()).optional(),
  if_match: z.string('invalid').optional(),
  idempotency_key: z.string('invalid').max(255, 'too_long:255').optional(),
})
export type BatchOperation = z.infer<typeof batchOperation>

const operations = z
  .array(batchOperation, { error: ({ input }) => (input === undefined ? 'blank' : 'invalid') })
  .max(maxBatchOperations, `too_many_operations:${maxBatchOperations}`)

/** Many writes in one request, independent unless `atomic` (supplement 4). */
export const batchRoute = route({
  name: 'batch',
  action: 'batch.send',
  method: 'POST',
  path: '/batch',
  summary: 'Run many writes in one request',
  params: nothing,
  query: nothing,
  body: z.object({ atomic: flag.optional(), operations }),
  response: z.object({ results: z.array(z.object({ status: z.int(), body: z.unknown() })) }),
  status: 200,
})

/**
 * Operations with the same result in a batch. `operations`: their positions in the request, from 0. `reason`: the error's code with the values of its
 * text; null for a success, or if only a text says it. `body`: the error body of the first.
 */
const batchGroup = z.object({
  status: z.int(),
  reason: z.string().nullable(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  body: z.unknown(),
  operations: z.array(z.int()),
})
export type BatchGroup = z.infer<typeof batchGroup>

/** The result that the same batch would have now: it runs, not atomically, and is rolled back. */
export const dryRunRoute = route({
  name: 'batch.dry_run',
  action: 'batch.send',
  method: 'POST',
  path: '/batch/dry_run',
  summary: 'What many writes would do now, without doing them',
  params: nothing,
  query: nothing,
  body: z.object({ operations }),
  response: z.object({ groups: z.array(batchGroup) }),
  status: 200,
})
