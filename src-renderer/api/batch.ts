import { z } from 'zod'
import { type BatchGroup, type BatchOperation, batchRoute, dryRunRoute } from '#shared/contract/batch'
import { ApiError, call, callOperation, toApiError } from './client'

/** How one operation of a batch went. */
export type BatchOutcome = { readonly kind: 'done'; readonly body: unknown } | { readonly kind: 'refused'; readonly error: ApiError }

const resultsSchema = z.object({ results: z.array(z.object({ status: z.number(), body: z.unknown() })) })

/**
 * Runs up to 1,000 writes in one request, in order; each is independent unless `atomic`. One alone is its own request: a batch would have the server
 * take it through all stages twice. Throws ApiError when the request as a whole fails.
 */
export async function runBatch(
  operations: readonly BatchOperation[],
  { atomic = false, ...options }: { readonly idempotencyKey: string; readonly signal?: AbortSignal; readonly atomic?: boolean },
): Promise<BatchOutcome[]> {
  const [only, ...more] = operations
  if (only && more.length === 0) return [await runOne(only, options)]
  const { results } = resultsSchema.parse(await call(batchRoute, { body: { operations, ...(atomic && { atomic }) }, ...options }))
  return Promise.all(
    results.map(async ({ status, body }) =>
      status < 400 ? { kind: 'done', body } : { kind: 'refused', error: await toApiError(status, JSON.stringify(body), null) },
    ),
  )
}

async function runOne(
  operation: BatchOperation,
  options: { readonly idempotencyKey: string; readonly signal?: AbortSignal },
): Promise<BatchOutcome> {
  try {
    return { kind: 'done', body: await callOperation(batchRoute, operation, options) }
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400) return { kind: 'refused', error }
    throw error
  }
}

/** What up to 1,000 writes would do now, in groups of the same response; nothing is done. Throws ApiError. */
export async function dryRunBatch(operations: readonly BatchOperation[], signal?: AbortSignal): Promise<readonly BatchGroup[]> {
  return (await call(dryRunRoute, { body: { operations: [...operations] }, signal })).groups
}
