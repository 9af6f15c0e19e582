import { translate } from '#shared/i18n/translations'
import { DomainError } from '#shared/domain/errors'
import { isOpen } from '#shared/domain/permissions'
import { findStoredResponse, storeResponse } from '#main/store/core/idempotency-keys'
import type { Tx } from '#main/store/core/store'
import { keyedHash } from '#main/use-cases/access/keyed-hash'
import type { ServerDeps, Call } from './endpoint'
import { localeOf } from './call'
import { type ApiResponse, messageResponse, toApiResponse } from './refusals'

const maxLength = 255

function hashOf(deps: ServerDeps, { endpoint, path, query, body }: Call): string {
  return hashRequest(deps, [endpoint.route.method, path, query, body ?? null])
}

/** What tells one request from another. Keyed, because a body may hold what can be guessed from a plain hash: a card's number. */
export function hashRequest({ signing_secret: secret }: ServerDeps, parts: readonly unknown[]): string {
  return keyedHash({ secret, purpose: 'idempotency', text: JSON.stringify(parts) })
}

/**
 * Runs a write once per caller and `Idempotency-Key`: a repeat of the same request gets the first answer back, also after a
 * restart, since the answer is stored in the transaction of its effect (supplement, "Idempotency").
 */
export async function withIdempotency(
  deps: ServerDeps,
  call: Call,
  {
    transact,
    work,
  }: { transact: (work: (tx: Tx) => Promise<ApiResponse>) => Promise<ApiResponse>; work: (tx: Tx) => Promise<ApiResponse> },
): Promise<ApiResponse> {
  const key = call.headers.idempotency_key
  const say = (status: number, text: string) => messageResponse(status, translate(localeOf(call), `errors:${text}`))
  // Nobody in particular sends to an open route: what one got, a session say, must never be answered to another.
  if (key === undefined || isOpen(call.endpoint.route.action)) return transact(work)
  if (key.length > maxLength) return say(400, 'idempotency_too_long')
  const keys = deps.running_keys
  const slot = `${call.caller.user_id}:${key}`
  if (keys.has(slot)) return say(409, 'idempotency_running')
  keys.add(slot)
  try {
    return await transact((tx) => once(deps, call, { tx, work }))
  } finally {
    keys.delete(slot)
  }
}

async function once(
  deps: ServerDeps,
  call: Call,
  { tx, work }: { tx: Tx; work: (tx: Tx) => Promise<ApiResponse> },
): Promise<ApiResponse> {
  const locale = localeOf(call)
  const slot = { user_id: call.caller.user_id, key: call.headers.idempotency_key ?? '' }
  const request_hash = hashOf(deps, call)
  const stored = await findStoredResponse(tx, slot)
  if (stored && stored.request_hash !== request_hash) return messageResponse(422, translate(locale, 'errors:idempotency_other'))
  if (stored) return { status: stored.status, body: stored.body, headers: { ...stored.headers, 'idempotency-replayed': 'true' } }
  const response = await tx.savepoint(work).catch((error: unknown) => {
    if (error instanceof DomainError) return toApiResponse(error, locale)
    throw error
  })
  await storeResponse(tx, { ...slot, request_hash, ...toKept(response) })
  return response
}

/** What is stored of an answer: nothing that lets anybody in, neither a token nor a session's cookie. */
function toKept({ status, body, kept_body = body, headers: { 'set-cookie': _, ...headers } }: ApiResponse) {
  return { status, body: kept_body, headers }
}
