import { type Operation, type OperationResult, operationResult } from '#shared/contract/sync'
import { type Attributes, type Disagreement, differencesSince, mergeAttributes } from '#shared/sync/merge'
import { narrowBody } from '#shared/sync/narrow-body'
import { findPolicy } from '#shared/sync/policies'
import { replaceAt } from '#shared/sync/references'
import { isOwnComment } from '#main/store/core/record-writer'
import {
  findByUid,
  findLastChange,
  findOperation,
  findSeenByUid,
  listChangesSince,
  storeOperations,
} from '#main/store/sync/sync-operations'
import type { Tx } from '#main/store/core/store'
import { type Audience, getAudience } from '#main/store/sync/audience'
import { isMadeByReplicas } from '#main/store/sync/shared-records'
import { findUpload } from '#main/store/records/files/uploads'
import { findUser } from '#main/store/records/users/user-reader'
import { keyedHash } from '#main/use-cases/access/keyed-hash'
import { mintedIdentities } from '#main/use-cases/sync/minted-identities'
import { syncUploadKey, toLocation } from '#main/use-cases/uploads/uploads'
import type { Asked, Command } from '../command'
import { type ServerDeps, contextWithin } from '../endpoint'
import { run } from '../pipeline'
import { messageOf } from '../refusals'
import { readRepresentation } from '../representation'

type Outcome = Omit<OperationResult, 'op_id' | 'is_duplicate' | 'seq'> & {
  /** The change of another operation that created what this one would create. */
  readonly made_by?: number
}

/** What applying a replica's operations needs. */
export interface CarryOut {
  readonly deps: ServerDeps
  /** The push with the operations. */
  readonly command: Command
}

/** An empty result, except for its kind. */
export const nothing: Omit<Outcome, 'kind'> = { status: 200, message: null, differences: [], by: null, at: null, missing_blobs: [] }

/** Statuses that say nothing about the operation itself: it may be sent again. */
const passing = new Set([401, 408, 425, 429])

/**
 * Applies one operation in the transaction, as a step that a failure undoes, and stores its result with its effect: the same operation sent again
 * gets the same response (`src-main/sync/SPEC.md`, "Push").
 */
export async function carryOut({ deps, command }: CarryOut, tx: Tx, operation: Operation): Promise<OperationResult> {
  const { op_id } = operation
  const body_hash = hashOperation(deps, operation)
  const stored = await findOperation(tx, op_id)
  if (stored) {
    if (stored.user_id === tx.actor.user_id && stored.body_hash === body_hash)
      return { ...operationResult.parse(JSON.parse(stored.result)), is_duplicate: true }
    return { ...nothing, op_id, kind: 'rejected', status: 422, message: 'operation_reused', is_duplicate: false, seq: 0 }
  }
  const before = await tx.lastChange()
  const { made_by = 0, ...outcome } = await perform({ deps, command }, tx, operation)
  const last = await tx.lastChange()
  const seq = last === before ? made_by : last
  const result: OperationResult = { ...outcome, op_id, is_duplicate: false, seq }
  if (outcome.kind !== 'retry' && outcome.kind !== 'blocked')
    await storeOperations(tx, [{ op_id, user_id: tx.actor.user_id, body_hash, result: JSON.stringify(result) }])
  return result
}

/** A hash that distinguishes operations with the same id. */
export function hashOperation({ signing_secret: secret }: Pick<ServerDeps, 'signing_secret'>, operation: Operation): string {
  // Its minted ids may change on the way; their tables and uids may not.
  const frozen = { ...operation, minted: operation.minted.map(({ table, uid }) => ({ table, uid })) }
  return keyedHash({ secret, purpose: 'operation', text: JSON.stringify(frozen) })
}

async function perform(parts: CarryOut, tx: Tx, operation: Operation): Promise<Outcome> {
  const audience = await getAudience(tx, tx.actor.user_id)
  const made_by = await findMaking(tx, operation, audience)
  if (made_by !== undefined) return { ...nothing, kind: 'merged', made_by }
  const placed = await place(parts, tx, { operation, audience })
  if (placed.kind === 'blocked') return { ...nothing, kind: 'blocked', status: 424, missing_blobs: placed.missing_blobs }
  const { api } = parts.deps
  const match = api.router.read({ method: operation.method, path: placed.path, body: placed.body })
  const asked = match.kind === 'found' && api.endpointOf(match.asked.route).kind === 'mutation' ? match.asked : undefined
  const policy = asked && findPolicy(asked.route.name)
  if (!asked || policy === undefined || policy === 'local' || policy === 'forward')
    return { ...nothing, kind: 'rejected', status: 405, message: 'operation_unknown' }
  const context = contextWithin(parts.deps, parts.command, tx)
  const shown = policy === 'add' ? undefined : await readRepresentation(context, placed.path)
  if (policy === 'conditional') {
    const change = await findForeignChange(tx, operation, audience)
    if (change) return refuseStale(tx, { change, differences: shown ? differencesSince(operation.base, shown) : [] })
  }
  if (policy === 'merge' && shown) return merge(parts, tx, { operation, asked, current: shown, audience })
  return execute(parts, tx, { operation, asked })
}

/**
 * The last change of the record that an operation creates, if it exists here: two devices that kept the same record of a restored remote create it
 * once. A deleted record is created again with another identity.
 */
export async function findMaking(tx: Tx, { minted }: Operation, audience: Audience): Promise<number | undefined> {
  for (const { table, uid } of minted) {
    if ((await findByUid(tx, table, uid)) === undefined) continue
    const record = await findSeenByUid(tx, { table, uid }, audience)
    if (record && record.deleted_at === null) return findLastChange(tx, { table_name: table, record_id: record.id })
  }
  return undefined
}

/** Replaces references to records and files in the operation with the remote's ids and addresses. */
export async function place(
  { command }: CarryOut,
  tx: Tx,
  { operation: { path, body, refs, blobs }, audience }: { operation: Operation; audience: Audience },
): Promise<{ kind: 'placed'; path: string; body: unknown } | { kind: 'blocked'; missing_blobs: string[] }> {
  const values: Array<{ at: string; value: unknown }> = []
  for (const { at, table, uid } of refs) {
    const id = await placeId(tx, { table, uid }, audience)
    if (id === undefined) return { kind: 'blocked', missing_blobs: [] }
    values.push({ at, value: id })
  }
  const missing: string[] = []
  for (const { at, sha256, file_name } of blobs) {
    const upload = await findUpload(tx, syncUploadKey({ user_id: tx.actor.user_id, sha256, file_name }))
    if (!upload || upload.expires_at <= tx.now) missing.push(sha256)
    else values.push({ at, value: toLocation(command.sender.base_url, upload.key) })
  }
  if (missing.length > 0) return { kind: 'blocked', missing_blobs: missing }
  return { kind: 'placed', ...replaceAt({ path, body }, values) }
}

/**
 * The id of a record that an operation names. Records that replicas create may arrive later, so a missing or invisible one makes the operation wait.
 * People, organizations and cards are created only here: a missing one gets an unused id, and the API responds as usual.
 */
async function placeId(tx: Tx, ref: { table: string; uid: string }, audience: Audience): Promise<number | undefined> {
  if (!isMadeByReplicas(ref.table)) return (await findByUid(tx, ref.table, ref.uid))?.id ?? 0
  return (await findSeenByUid(tx, ref, audience))?.id
}

interface ForeignChange {
  readonly by: number | null
  readonly at: string | null
}

/** A change of the records the person saw, made neither by them nor by their own earlier operations, after they saw it. */
async function findForeignChange(tx: Tx, { seen, after }: Operation, audience: Audience): Promise<ForeignChange | undefined> {
  const own = new Set(after)
  for (const { table, uid, version } of seen) {
    const record = await findSeenByUid(tx, { table, uid }, audience)
    if (!record || record.deleted_at !== null) return { by: null, at: record?.deleted_at ?? null }
    if (record.version === version) continue
    const changes = await listChangesSince(tx, { record_id: record.id, record_uid: uid, version })
    const foreign = changes.find((change) => (change.op_id === null || !own.has(change.op_id)) && !isOwnComment(change, tx.actor.user_id))
    // A version below the seen one belongs to another history: a backup was restored.
    if (foreign || record.version < version) return { by: foreign?.actor_user_id ?? null, at: foreign?.created_at ?? null }
  }
  return undefined
}

async function refuseStale(tx: Tx, { change, differences }: { change: ForeignChange; differences: Disagreement[] }): Promise<Outcome> {
  return { ...nothing, kind: 'conflict', status: 412, message: 'stale', differences, ...(await authorOf(tx, change)) }
}

async function authorOf(tx: Tx, { by, at }: ForeignChange): Promise<Pick<Outcome, 'by' | 'at' | 'is_own'>> {
  const user = by === null ? undefined : await findUser(tx, by)
  return { by: user ? `${user.first_name} ${user.last_name}`.trim() : null, at, is_own: by === tx.actor.user_id }
}

interface Merging {
  readonly operation: Operation
  readonly asked: Asked
  /** The record as its author sees it. */
  readonly current: Attributes
  readonly audience: Audience
}

async function merge(parts: CarryOut, tx: Tx, { operation, asked, current, audience }: Merging): Promise<Outcome> {
  const merged = mergeAttributes(operation, current)
  if (merged.kind === 'conflict') {
    const [target] = operation.seen
    const record = target ? await findSeenByUid(tx, target, audience) : undefined
    const changes =
      target && record ? await listChangesSince(tx, { record_id: record.id, record_uid: target.uid, version: target.version }) : []
    const [newest] = changes
    const author = await authorOf(tx, { by: newest?.actor_user_id ?? null, at: newest?.created_at ?? null })
    return { ...nothing, kind: 'conflict', status: 409, message: 'disagreement', differences: [...merged.disagreements], ...author }
  }
  const body = narrowBody(asked.body, { current, write: merged.attributes })
  if (Object.keys(body).length === 0) return { ...nothing, kind: 'merged' }
  // A full replacement would overwrite others' changes. Comments have no PATCH, and only one attribute.
  const isReplacement = asked.route.method === 'PUT'
  const patch = isReplacement ? parts.deps.api.patchOf(asked.route) : asked.route
  const partial = patch ? { ...asked, route: patch, body } : { ...asked, body: { ...toObject(asked.body), ...body } }
  const outcome = await execute(parts, tx, { operation, asked: partial })
  return outcome.kind === 'applied' && merged.isMerged ? { ...outcome, kind: 'merged' } : outcome
}

function toObject(body: unknown): object {
  return typeof body === 'object' && body !== null ? body : {}
}

/** An operation as a command, with its minted ids. */
export async function commandOf(
  { sender }: Command,
  tx: Tx,
  { operation: { op_id, minted }, asked }: { operation: Operation; asked: Asked },
): Promise<Command> {
  const minter = await mintedIdentities(tx, minted)
  return { ...asked, sender: { ...sender, origin: 'sync' }, operation: { op_id, minter } }
}

async function execute(
  { deps, command }: CarryOut,
  tx: Tx,
  { operation, asked }: { operation: Operation; asked: Asked },
): Promise<Outcome> {
  const response = await run(deps, await commandOf(command, tx, { operation, asked }), { within: tx })
  if (response.status < 400) return { ...nothing, kind: 'applied', status: response.status }
  const kind = response.status >= 500 || passing.has(response.status) ? 'retry' : 'rejected'
  return { ...nothing, kind, status: response.status, message: messageOf(response) }
}
