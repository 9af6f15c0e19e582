import { translate } from '#shared/i18n/translations'
import { DomainError } from '#shared/domain/errors'
import { isOpen } from '#shared/domain/permissions'
import { findStoredResponse, storeResponse } from '#main/store/core/idempotency-keys'
import type { Tx } from '#main/store/core/store'
import { keyedHash } from '#main/use-cases/access/keyed-hash'
import type { Command } from './command'
import type { ServerDeps } from './endpoint'
import { type ApiResponse, messageResponse, toApiResponse } from './refusals'

const maxLength = 255

/** What tells one request from another. Keyed, because a body may hold what can be guessed from a plain hash: a card's number. */
export function hashRequest({ signing_secret: secret }: Pick<ServerDeps, 'signing_secret'>, parts: readonly unknown[]): string {
  return keyedHash({ secret, purpose: 'idempotency', text: JSON.stringify(parts) })
}

/** Runs the work unless another runs under the same key of the same caller just now (409). */
export async function holdKey(
  { running_keys: keys }: Pick<ServerDeps, 'running_keys'>,
  command: Command,
  work: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const { sender } = command
  const key = keyOf(command)
  const say = (status: number, text: string) => messageResponse(status, translate(sender.locale, `errors:${text}`))
  if (key === undefined) return work()
  if (key.length > maxLength) return say(400, 'idempotency_too_long')
  const slot = `${sender.caller.user_id}:${key}`
  if (keys.has(slot)) return say(409, 'idempotency_running')
  keys.add(slot)
  try {
    return await work()
  } finally {
    keys.delete(slot)
  }
}

/** The sender of an open route is nobody in particular: what one got, a session say, must never be returned to another. */
function keyOf({ key, route }: Command): string | undefined {
  return isOpen(route.action) ? undefined : key
}

/**
 * Runs a write once per caller and `Idempotency-Key`: a repeat of the same request gets the first response back, also after a
 * restart, since the response is stored in the transaction of its effect (supplement, "Idempotency").
 */
export async function storeOnce(
  deps: Pick<ServerDeps, 'signing_secret'>,
  command: Command,
  { tx, work }: { tx: Tx; work: (tx: Tx) => Promise<ApiResponse> },
): Promise<ApiResponse> {
  const key = keyOf(command)
  if (key === undefined) return work(tx)
  const { sender, route, address = '', query, body } = command
  const slot = { user_id: sender.caller.user_id, key }
  const request_hash = hashRequest(deps, [route.method, address, query, body ?? null])
  const stored = await findStoredResponse(tx, slot)
  if (stored && stored.request_hash !== request_hash)
    return messageResponse(422, translate(sender.locale, 'errors:idempotency_other'))
  if (stored) return { status: stored.status, body: stored.body, headers: { ...stored.headers, 'idempotency-replayed': 'true' } }
  const response = await tx.savepoint(work).catch((error: unknown) => {
    if (error instanceof DomainError) return toApiResponse(error, sender.locale)
    throw error
  })
  await storeResponse(tx, { ...slot, request_hash, ...toKept(response) })
  return response
}

/** What is stored of a response: nothing that lets anyone in, neither a token nor a session's cookie. */
function toKept({ status, body, kept_body = body, headers: { 'set-cookie': _, ...headers } }: ApiResponse) {
  return { status, body: kept_body, headers }
}
