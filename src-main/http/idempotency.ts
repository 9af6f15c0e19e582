import { z } from 'zod'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import { DomainError } from '#shared/domain/errors'
import { isOpen } from '#shared/domain/permissions'
import {
  type ResponseSlot,
  type StoredResponse,
  changeStoredResponse,
  findStoredResponse,
  storeResponse,
} from '#main/store/core/idempotency-keys'
import type { Actor, Tx } from '#main/store/core/store'
import { keyedHash } from '#main/use-cases/access/keyed-hash'
import { type Command, actorOf } from './command'
import type { ServerParts } from './deps'
import { type ApiResponse, messageResponse, toApiResponse } from './refusals'

const maxLength = 255
/** The status of a row without a response: its request runs, or was interrupted. */
const unanswered = 0
/** How long another server may run a request; after that the request counts as interrupted. */
const runsMostMs = 5 * 60 * 1000

const begunBody = z.object({ by: z.string(), until_ms: z.number(), uid: z.string() })
type Begun = z.infer<typeof begunBody>

type KeyDeps = Pick<ServerParts, 'signing_secret' | 'running_keys' | 'clock' | 'store'>

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest {
  readonly key: string
  readonly actor: Actor
  readonly locale: Language
  /** The values that distinguish it from other requests. */
  readonly parts: readonly unknown[]
}

/** A request with a key that runs in several transactions, or none. */
export interface Claim {
  /** A uid for what the request creates, the same each time it runs. */
  readonly uid: string
  /** Stores the response, preferably in the transaction of its effect. */
  keep(tx: Tx, response: ApiResponse): Promise<void>
}

/**
 * A command as a request with a key; undefined without one. Open routes have no user: their responses, such as a session, must never be replayed to
 * someone else.
 */
export function toKeyedRequest(command: Command): KeyedRequest | undefined {
  const { key, route, sender, address = '', query, body, received } = command
  if (key === undefined || isOpen(route.action)) return undefined
  const sent = received ? { sha256: received.sha256 } : (body ?? null)
  return { key, actor: actorOf(command), locale: sender.locale, parts: [route.method, address, query, sent] }
}

/** Runs work unless another request of the same caller with the same key is running (409). */
export async function holdKey(
  { running_keys: { slots } }: Pick<KeyDeps, 'running_keys'>,
  request: KeyedRequest,
  work: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const { key, actor } = request
  if (key.length > maxLength) return say(request, 400, 'idempotency_too_long')
  const slot = `${actor.user_id}:${key}`
  if (slots.has(slot)) return say(request, 409, 'idempotency_running')
  slots.add(slot)
  try {
    return await work()
  } finally {
    slots.delete(slot)
  }
}

/**
 * Runs a write once per caller and `Idempotency-Key`. A repeat gets the first response, even after a restart, as the response is stored in the
 * transaction of its effect (supplement, "Idempotency").
 */
export async function storeOnce(
  deps: Pick<KeyDeps, 'signing_secret'>,
  request: KeyedRequest,
  { tx, work }: { tx: Tx; work: (tx: Tx) => Promise<ApiResponse> },
): Promise<ApiResponse> {
  const { slot, request_hash } = identify(deps, request)
  const stored = await findStoredResponse(tx, slot)
  const told = stored && respondFrom(request, stored, request_hash)
  if (told) return told
  const response = await refused(request, () => tx.savepoint(work))
  if (stored) await changeStoredResponse(tx, { ...slot, ...toKept(response) })
  else await storeResponse(tx, { ...slot, request_hash, ...toKept(response) })
  return response
}

/**
 * Runs work with several transactions, or effects outside the database, once per key. The request is stored first, its response afterwards, or by the
 * work in the transaction of its effect. An interrupted request runs again with the same {@link Claim.uid}, by which the work finds what it created
 * before. Temporary failures (409, 429, 5xx) are not stored.
 */
export async function keepApart(deps: KeyDeps, request: KeyedRequest, work: (claim: Claim) => Promise<ApiResponse>): Promise<ApiResponse> {
  const { store } = deps
  const { actor } = request
  const { slot } = identify(deps, request)
  const begun = await store.transact(actor, (tx) => begin(deps, request, tx))
  if ('status' in begun) return begun
  let isKept = false
  const keep: Claim['keep'] = async (tx, response) => {
    await changeStoredResponse(tx, { ...slot, ...toKept(response) })
    isKept = true
  }
  try {
    const response = await refused(request, () => work({ uid: begun.as.uid, keep }))
    if (!isKept && !isPassing(response)) await store.transact(actor, (tx) => keep(tx, response))
    return begun.isRepeat ? asReplayed(response) : response
  } finally {
    // Other servers need not wait for a request that has ended.
    if (!isKept && store.peers)
      await store.transact(actor, (tx) => noteBegun(tx, slot, { ...begun.as, until_ms: 0 })).catch(() => undefined)
  }
}

/** Runs a request once that bypasses the pipeline. */
export function runOnce(deps: KeyDeps, request: KeyedRequest, work: () => Promise<ApiResponse>): Promise<ApiResponse> {
  return holdKey(deps, request, () => keepApart(deps, request, work))
}

/** Stores that a request begins, or returns the stored response. `isRepeat`: the response is rebuilt from its parts. */
async function begin({ clock, store, running_keys: { by }, ...deps }: KeyDeps, request: KeyedRequest, tx: Tx) {
  const { slot, request_hash } = identify(deps, request)
  const nowMs = clock.now().getTime()
  const fresh: Begun = { by, until_ms: nowMs + runsMostMs, uid: clock.uid() }
  const stored = await findStoredResponse(tx, slot)
  if (!stored) await storeResponse(tx, { ...slot, request_hash, status: unanswered, headers: {}, body: fresh })
  const told = stored && respondFrom(request, stored, request_hash)
  if (told) return told
  if (stored?.status !== unanswered) return { as: fresh, isRepeat: stored !== undefined }
  const earlier = begunBody.parse(stored.body)
  if (store.peers && earlier.by !== by && nowMs < earlier.until_ms) return say(request, 409, 'idempotency_running')
  const again = { ...fresh, uid: earlier.uid }
  await noteBegun(tx, slot, again)
  return { as: again, isRepeat: false }
}

function noteBegun(tx: Tx, slot: ResponseSlot, body: Begun): Promise<void> {
  return changeStoredResponse(tx, { ...slot, status: unanswered, headers: {}, body })
}

/** The response to a repeat; undefined if the request must run again. */
function respondFrom(request: KeyedRequest, stored: StoredResponse, request_hash: string): ApiResponse | undefined {
  if (stored.request_hash !== request_hash) return say(request, 422, 'idempotency_other')
  const { status, body, headers } = stored
  // The response to a batch is rebuilt from those of its operations, each stored under a derived key.
  const isRemade = status === 200 && body === null && Object.keys(headers).length === 0
  return status === unanswered || isRemade ? undefined : asReplayed({ status, body, headers })
}

function asReplayed(response: ApiResponse): ApiResponse {
  return { ...response, headers: { ...response.headers, 'idempotency-replayed': 'true' } }
}

function say({ locale }: KeyedRequest, status: number, text: string): ApiResponse {
  return messageResponse(status, translate(locale, `errors:${text}`))
}

/**
 * Where a key is stored, and what distinguishes its request from others. An HMAC, as a body may hold values that can be guessed from a plain hash,
 * such as a card number.
 */
function identify({ signing_secret: secret }: Pick<KeyDeps, 'signing_secret'>, { key, actor, parts }: KeyedRequest) {
  const request_hash = keyedHash({ secret, purpose: 'idempotency', text: JSON.stringify(parts) })
  return { slot: { user_id: actor.user_id, key }, request_hash }
}

async function refused({ locale }: KeyedRequest, work: () => Promise<ApiResponse>): Promise<ApiResponse> {
  return work().catch((error: unknown) => {
    if (error instanceof DomainError) return toApiResponse(error, locale)
    throw error
  })
}

function isPassing({ status, is_unfinished = false }: ApiResponse): boolean {
  return is_unfinished || status === 409 || status === 429 || status >= 500
}

/** A response without secrets such as tokens or session cookies, for storage. */
function toKept({ status, body, kept_body = body, headers: { 'set-cookie': _, ...headers } }: ApiResponse) {
  return { status, body: kept_body, headers }
}
