import { z } from 'zod'
import { contractLocales } from '#shared/domain/locales'
import { headsRoutes } from './instance/sync-heads'
import { readingsRoutes } from './instance/sync-readings'
import { route } from './route'

/** The version of these messages; a remote and a replica can communicate if their ranges overlap (supplement 4, "/sync/*"). */
export const protocol = { version: 1, min: 1, max: 1 } as const

const uid = z.uuid()
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const nothing = z.object({})

/** A value of a row in SQLite's types. */
export type Cell = string | number | null
const isCell = (value: unknown): value is Cell => value === null || typeof value === 'string' || typeof value === 'number'

/** Rows of one table, each as long as its columns. Validated by hand, as a page has many. */
const rows = z.custom<ReadonlyArray<readonly Cell[]>>(
  (value) => Array.isArray(value) && value.every((row) => Array.isArray(row) && row.every(isCell)),
)
const tablePart = z
  .object({ name: z.string().max(64), columns: z.array(z.string().max(64)).max(100), rows })
  .refine((part) => part.rows.every((row) => row.length === part.columns.length))
/** Rows of one table in the remote's state. */
export type TablePart = z.infer<typeof tablePart>

const recordRef = z.object({ table: z.string().max(64), id: z.int(), uid })
/** A record that this caller may no longer see, or a changed one. */
export type RecordRef = z.infer<typeof recordRef>

/** Where an operation names a record or a file: `path.1`, `body.expense_ids.0`. */
const place = z.string().max(200)
const json: z.ZodType<unknown> = z.unknown()

/** A journalled v1 mutation (`SPEC.md`, "Push"). References are by `uid`; ids in path and body are placeholders. */
export const operation = z.object({
  op_id: uid,
  api_version: z.literal('v1'),
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().max(500),
  body: json,
  refs: z.array(z.object({ at: place, table: z.string().max(64), uid })).max(5000),
  blobs: z.array(z.object({ at: place, sha256: hash, file_name: z.string().max(300) })).max(10),
  minted: z.array(z.object({ table: z.string().max(64), id: z.int().nullable(), uid })).max(5000),
  /** The versions that the person saw, including changes by the operations in `after`. */
  seen: z.array(z.object({ table: z.string().max(64), uid, version: z.int() })).max(5000),
  after: z.array(uid).max(5000),
  /** The changed attributes of the representation, before and after. */
  base: z.record(z.string(), json),
  mine: z.record(z.string(), json),
  created_at: z.string().max(40),
})
export type Operation = z.infer<typeof operation>

const disagreement = z.object({ attribute: z.string(), base: json, mine: json, theirs: json })

/** The remote's response to an operation, as its replica stores it. */
export const operationResponse = z.object({
  status: z.int(),
  /** Why it failed, in the API's words. */
  message: z.string().nullable(),
  differences: z.array(disagreement),
  /** The author and time (UTC) of the conflicting change. */
  by: z.string().nullable(),
  at: z.string().nullable(),
  /** Whether that was the same person on another device; older remotes do not say. */
  is_own: z.boolean().optional(),
})
export type OperationResponse = z.infer<typeof operationResponse>

/** The remote's result of an operation. */
export const operationResult = operationResponse.extend({
  op_id: uid,
  kind: z.enum(['applied', 'merged', 'conflict', 'rejected', 'retry', 'blocked']),
  /** Whether this is the stored response to an earlier try. */
  is_duplicate: z.boolean(),
  /** The change from which on a pull contains its whole effect. */
  seq: z.int().nonnegative(),
  missing_blobs: z.array(hash),
})
/** The result of an operation at the remote. */
export type OperationResult = z.infer<typeof operationResult>

const cursor = z.string().max(500)
const scopes = z.string().max(20_000)
const limit = z.coerce.number().int().min(1).max(1000).default(200)

const page = z.object({
  kind: z.literal('page'),
  tables: z.array(tablePart).max(60),
  removed: z.array(recordRef),
  /** The changed records, and the replica's operation that changed each. */
  log: z.array(z.object({ table: z.string(), uid, op_id: uid.nullable() })),
  /** The cursor's position in the remote's history. */
  seq: z.int().nonnegative(),
  cursor,
  has_more: z.boolean(),
})
/** Changes after a cursor. */
export type ChangePage = z.infer<typeof page>

const changes = z.discriminatedUnion('kind', [
  page,
  /** The caller's scopes no longer match the replica's data: a snapshot is needed. */
  z.object({ kind: z.literal('scopes'), scopes: z.array(z.string()) }),
  /** The remote does not know this cursor: it was restored from a backup. */
  z.object({ kind: z.literal('diverged') }),
  /** The cursor is older than the deletions that the remote remembers. */
  z.object({ kind: z.literal('expired') }),
])

const snapshot = z.object({
  scopes: z.array(z.string()),
  tables: z.array(tablePart).max(60),
  /** The cursor for changes after all pages have arrived. */
  cursor,
  /** Its position in the remote's history. */
  seq: z.int().nonnegative().optional(),
  /** Where the next page begins; null: this is the last. */
  next: z.string().nullable(),
  /** The approximate total of rows, in the first page. */
  total: z.int().nonnegative(),
})

/** Replicas and their remote (supplement 4, "/sync/*"; `src-main/sync/SPEC.md`). */
export const syncRoutes = {
  handshake: route({
    action: 'sync.use',
    name: 'sync.handshake',
    summary: 'Begin an exchange: versions, device, user',
    method: 'POST',
    path: '/sync/handshake',
    params: nothing,
    query: nothing,
    body: z.object({
      protocol: z.object({ min: z.int(), max: z.int() }),
      schema: z.int(),
      device: z.object({
        uid,
        name: z.string().max(200),
        turn: z.string().max(100).nullable(),
        /** This device's turn for the next time, stored before it is sent. */
        next_turn: z.string().max(100).optional(),
      }),
      /** The replica's cursor; null before its first exchange. */
      cursor: cursor.nullable(),
    }),
    response: z.object({
      kind: z.enum(['known', 'cloned', 'too_old']),
      protocol: z.int(),
      schema: z.int(),
      version: z.string(),
      instance_uid: z.string(),
      epoch: z.string(),
      user: z.object({
        id: z.int(),
        uid,
        first_name: z.string(),
        last_name: z.string(),
        mention_name: z.string(),
        default_currency: z.string(),
        locale: z.enum(contractLocales),
        timezone: z.string(),
      }),
      turn: z.string(),
      /** The user's scopes. */
      scopes: z.array(z.string()),
      /** Whether the cursor is in this history. */
      history: z.enum(['same', 'diverged', 'expired']),
    }),
    status: 200,
  }),
  lease: route({
    action: 'sync.use',
    name: 'sync.lease',
    summary: 'Lease blocks of ids, so that what is made offline has its final id',
    method: 'POST',
    path: '/sync/leases',
    params: nothing,
    query: nothing,
    body: z.object({ tables: z.array(z.string().max(64)).max(20) }),
    response: z.object({ leases: z.array(z.object({ table: z.string(), first_id: z.int(), last_id: z.int() })) }),
    status: 200,
  }),
  push: route({
    action: 'sync.use',
    name: 'sync.push',
    summary: 'Carry out journalled operations, each once',
    method: 'POST',
    path: '/sync/push',
    params: nothing,
    query: nothing,
    body: z.object({ operations: z.array(operation).min(1).max(500) }),
    response: z.object({ results: z.array(operationResult) }),
    status: 200,
  }),
  changes: route({
    action: 'sync.use',
    name: 'sync.changes',
    summary: 'What changed since a cursor, of what the caller may see',
    method: 'GET',
    path: '/sync/changes',
    params: nothing,
    query: z.object({ cursor, scopes, limit }),
    body: z.unknown(),
    response: changes,
    status: 200,
  }),
  snapshot: route({
    action: 'sync.use',
    name: 'sync.snapshot',
    summary: 'All that the caller may see, in pages',
    method: 'GET',
    path: '/sync/snapshot',
    params: nothing,
    query: z.object({ next: z.string().max(500).optional(), limit }),
    body: z.unknown(),
    response: snapshot,
    status: 200,
  }),
  common: route({
    action: 'sync.use',
    name: 'sync.common',
    summary: 'The newest of these cursors that the remote still knows',
    method: 'POST',
    path: '/sync/common',
    params: nothing,
    query: nothing,
    body: z.object({ cursors: z.array(cursor).max(50) }),
    response: z.object({ cursor: cursor.nullable(), seq: z.int().nonnegative() }),
    status: 200,
  }),
  ...readingsRoutes,
  ...headsRoutes,
  checksums: route({
    action: 'sync.use',
    name: 'sync.checksums',
    summary: 'Count and checksum of all that the caller may see, by table',
    method: 'GET',
    path: '/sync/checksums',
    params: nothing,
    query: nothing,
    body: z.unknown(),
    response: z.object({ cursor, tables: z.array(z.object({ name: z.string(), count: z.int(), sum: z.int() })) }),
    status: 200,
  }),
}

const blobPath = { path: '/sync/blobs/:sha256', params: z.object({ sha256: hash }), action: 'sync.use' } as const
const bytes = 'application/octet-stream'

/** Messages between replicas and their remote that are not JSON: files, and pokes. */
export const syncStreams = {
  pokes: route({
    action: 'sync.use',
    name: 'sync.pokes',
    summary: 'Server-sent events that say that something has changed',
    method: 'GET',
    path: '/sync/pokes',
    params: nothing,
    query: nothing,
    body: z.unknown(),
    response: z.string(),
    media: { response: 'text/event-stream' },
    status: 200,
  }),
  getBlob: route({
    ...blobPath,
    name: 'sync.blobs.show',
    summary: 'A file of a record that the caller may see, by its SHA-256, or a small picture of it; `Range` is understood',
    method: 'GET',
    query: z.object({ style: z.enum(['thumb', 'medium']).optional() }),
    body: z.unknown(),
    response: z.string(),
    media: { response: bytes },
    status: 200,
  }),
  putBlob: route({
    ...blobPath,
    name: 'sync.blobs.upload',
    summary: 'Send a file, or the rest of it from `Upload-Offset`; 409 says in the same header where to go on',
    method: 'PUT',
    query: z.object({ file_name: z.string(), content_type: z.string() }),
    body: z.string(),
    response: z.null(),
    media: { request: bytes },
    status: 201,
  }),
}
