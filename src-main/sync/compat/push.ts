import type { OperationResponse } from '#shared/contract/sync'
import { replaceAt } from '#shared/sync/references'
import { noteBlobTransfer } from '#main/store/sync/sync-blobs'
import { type JournalEntry, findJournalled, listShownOperations, updateOperation } from '#main/store/sync/sync-journal'
import { findByUid } from '#main/store/sync/sync-operations'
import { type Exchange, transact } from '../exchange'
import type { Event } from '../machine'
import { maxAttempts } from '../park'
import { assertResponded, isPassing } from '../remote'
import { RemoteError } from '../remote-error'
import { apply } from './apply'
import { decide, staleResponse, toApiResponse } from './decide'
import { convertDetails } from './details'
import { adopt, convertEffect, readEffect } from './effect'
import type { PlainResponse } from './plain-api'
import { type PlainExchange, plainly } from './reading'
import { type SentRequest, findLocation, findSentRequest, keepLocation, keepSentRequest } from './state'

/** An operation with the remote's ids and addresses, or why it cannot be sent yet. */
type Placed =
  | { readonly kind: 'placed'; readonly path: string; readonly body: unknown }
  | { readonly kind: 'blocked'; readonly missing_blobs: ReadonlyArray<{ sha256: string }> }

/** Replaces local ids with the remote's. A record without a remote id cannot be named there yet. */
async function place({ store, clock, url }: PlainExchange, row: JournalEntry): Promise<Placed> {
  const values: Array<{ at: string; value: unknown }> = []
  for (const { at, table, uid } of row.refs) {
    const record = await findByUid(store.reader, table, uid)
    if (!record || record.id < 0) return { kind: 'blocked', missing_blobs: [] }
    values.push({ at, value: record.id })
  }
  const missing_blobs: Array<{ sha256: string }> = []
  for (const { at, ...file } of row.blobs) {
    const location = await findLocation(store.reader, { url, ...file }, clock.now())
    if (location === undefined) missing_blobs.push(file)
    else values.push({ at, value: location })
  }
  if (missing_blobs.length > 0) return { kind: 'blocked', missing_blobs }
  return { kind: 'placed', ...replaceAt(row, values) }
}

/** How long servers recognize a repeated call at least (supplement, "Idempotency"); after that, sending it again may do it twice. */
const knownMs = 30 * 24 * 60 * 60_000
/** Statuses of a proxy whose server is away: they say nothing about the call, and other calls would get them, too. */
const away = new Set([408, 425, 429, 502, 503, 504])

/** Sends waiting operations as single calls of the contract, oldest first. One that cannot be sent delays only those that depend on it. */
export async function push(exchange: Exchange): Promise<Event> {
  const plain = await plainly(exchange)
  const held = new Set<string>()
  for (const { op_id } of await listShownOperations(exchange.store.reader)) await sendNext(plain, op_id, held)
  return 'done'
}

/** Repeats calls that were sent without a response: until their outcome is known, listed records cannot be told from theirs. */
export async function finishSent(exchange: PlainExchange): Promise<void> {
  for (const row of await listShownOperations(exchange.store.reader))
    if (await findSentRequest(exchange.store.reader, row.op_id)) await sendNext(exchange, row.op_id, new Set())
}

async function sendNext(exchange: PlainExchange, op_id: string, held: Set<string>): Promise<void> {
  // An earlier operation may have ended it.
  const row = await findJournalled(exchange.store.reader, op_id)
  if (row?.state !== 'pending' && row?.state !== 'sent') return
  const isHeld = row.depends_on.some((other) => held.has(other))
  if (isHeld || (await sendOne(exchange, row)) === 'held') held.add(op_id)
  await exchange.takeTurn()
}

/** Sends one operation, as far as possible now. */
async function sendOne(exchange: PlainExchange, row: JournalEntry): Promise<'ended' | 'held'> {
  const { reader } = exchange.store
  const before = await findSentRequest(reader, row.op_id)
  if (before) return (await isForgotten(exchange, row)) ? 'ended' : carry(exchange, row, { request: before, isRepeat: true })
  const placed = await place(exchange, row)
  if (placed.kind === 'blocked') {
    const names = row.blobs.filter(({ sha256 }) => placed.missing_blobs.some((file) => file.sha256 === sha256))
    await transact(exchange, async (tx) => {
      for (const { sha256 } of names) await noteBlobTransfer(tx, { sha256, direction: 'up', bytes: 0 })
    })
    return 'held'
  }
  const decision = await decide(exchange, row, placed)
  switch (decision.kind) {
    case 'conflict':
      return end(exchange, row, { state: 'conflict', answer: decision.answer })
    case 'nothing':
      return confirm(exchange, row, { request: { ...placed, method: row.method }, body: decision.found.value })
    case 'send': {
      // The server keeps its response under a key, so after an error the same operation needs another key.
      const key = row.attempts === 0 ? row.op_id : `${row.op_id}.${row.attempts}`
      const request = { ...decision.request, key }
      await transact(exchange, async (tx) => {
        await keepSentRequest(tx, row.op_id, request)
        await updateOperation(tx, row.id, { state: 'sent', sent_at: tx.now })
      })
      return carry(exchange, row, { request, isRepeat: false })
    }
  }
}

/** Whether an operation was sent too long ago for the server to recognize it: a person must check whether it took effect. */
async function isForgotten(exchange: PlainExchange, row: JournalEntry): Promise<boolean> {
  if (exchange.clock.now().getTime() - Date.parse(row.sent_at ?? row.created_at) < knownMs) return false
  await end(exchange, row, { state: 'parked', answer: toApiResponse(0, 'uncertain') })
  return true
}

async function carry(
  exchange: PlainExchange,
  row: JournalEntry,
  { request, isRepeat }: { request: SentRequest; isRepeat: boolean },
): Promise<'ended' | 'held'> {
  const { method, path, body, if_match, key } = request
  const response = await exchange.api.send({
    method,
    path,
    body,
    headers: { 'idempotency-key': key, ...(if_match === null ? {} : { 'if-match': if_match }) },
  })
  const { status } = response
  if (status < 300) return confirm(exchange, row, { request, body: response.body })
  if (status === 401 || away.has(status) || status === 409) refuseForNow(response)
  if (isPassing(status)) return retry(exchange, row, { answer: toApiResponse(status, wordOf(response)), isKnown: false })
  // Someone else was faster: changes are merged again, decisions come back.
  if (status === 412 && row.policy === 'merge')
    return retry(exchange, row, { answer: toApiResponse(status, wordOf(response)), isKnown: true })
  if (status === 412) return end(exchange, row, { state: 'conflict', answer: await staleResponse(exchange, row, path) })
  // The first try deleted it, but its response was lost, and the server does not recognize repeats.
  if (isRepeat && method === 'DELETE' && (status === 404 || status === 410)) return confirm(exchange, row, { request, body: null })
  return end(exchange, row, { state: 'rejected', answer: toApiResponse(status, wordOf(response)) })
}

/** Ends the exchange; the same call is sent again when the remote is back. Throws {@link RemoteError}. */
function refuseForNow({ status, headers, body }: PlainResponse): void {
  if (status === 409) throw new RemoteError('unreachable', 'The remote is still at it.', status)
  assertResponded({ status, headers }, typeof body === 'string' ? body : JSON.stringify(body))
}

/** The remote's error message. */
function wordOf({ body }: PlainResponse): string | null {
  const errors = typeof body === 'object' && body !== null && 'errors' in body ? body.errors : body
  if (typeof errors !== 'object' || errors === null) return null
  if ('message' in errors && typeof errors.message === 'string') return errors.message
  return Object.entries(errors)
    .map(([name, texts]) => `${name} ${Array.isArray(texts) ? texts.map(String).join(', ') : String(texts)}`)
    .join('; ')
}

/** Counts a failure. `isKnown`: the call had no effect, so the next one may differ. */
async function retry(
  exchange: PlainExchange,
  row: JournalEntry,
  { answer: response, isKnown }: { answer: OperationResponse; isKnown: boolean },
): Promise<'ended' | 'held'> {
  const attempts = row.attempts + 1
  if (attempts >= maxAttempts) return end(exchange, row, { state: 'parked', answer: response })
  await transact(exchange, async (tx) => {
    await updateOperation(tx, row.id, { attempts, last_answer: response })
    if (isKnown) await keepSentRequest(tx, row.op_id, undefined)
  })
  return 'held'
}

/** Ends an operation without effect: the confirmed data are shown again. */
async function end(
  exchange: PlainExchange,
  row: JournalEntry,
  { state, answer: response }: { state: 'conflict' | 'rejected' | 'parked'; answer: OperationResponse },
): Promise<'ended'> {
  await apply(exchange, {
    fill: async () => undefined,
    dropped: new Map([[row.id, { state, answer: response }]]),
    also: (tx) => keepSentRequest(tx, row.op_id, undefined),
  })
  return 'ended'
}

/** Settles an operation with the data in its response; until they are written, the local effect stays. */
async function confirm(
  exchange: PlainExchange,
  row: JournalEntry,
  { request, body }: { request: Pick<SentRequest, 'method' | 'path'>; body: unknown },
): Promise<'ended'> {
  const effect = await readEffect(exchange, { row, method: request.method, path: request.path, answer: body })
  exchange.tally.pushed += 1
  if (effect.isWide) {
    await transact(exchange, async (tx) => {
      await updateOperation(tx, row.id, { state: 'acknowledged' })
      await keepSentRequest(tx, row.op_id, undefined)
    })
    return 'ended'
  }
  await apply(exchange, {
    fill: async (reading) => {
      await adopt(reading, row, effect)
      await convertEffect(reading, row, effect)
      for (const details of effect.details) await convertDetails(reading, details)
    },
    settled: [row],
    also: async (tx) => {
      await keepSentRequest(tx, row.op_id, undefined)
      for (const { sha256, file_name } of row.blobs) await keepLocation(tx, { url: exchange.url, sha256, file_name }, undefined)
    },
  })
  return 'ended'
}
