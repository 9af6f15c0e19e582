import { z } from 'zod'
import type { Row } from '#db/schema'
import type { RecordChange } from '#shared/contract/instance/feed'
import { records } from '#shared/records/index'
import type { ChangePage, RecordRef, TablePart } from '#shared/contract/sync'
import {
  getLogEnd,
  hasPart,
  listChildIds,
  listAccountabilityIdsOf,
  listFollowed,
  listLog,
  listMembersOf,
  listSeen,
  readRecords,
  seesAny,
  readTrailOf,
} from '#main/store/sync/feed-reader'
import { readReferences } from '#main/store/records/referenced-records'
import { listOwnOperations } from '#main/store/sync/sync-operations'
import { pulledChange } from '#main/store/sync/pulled-changes'
import { isOwnComment } from '#main/store/core/record-writer'
import { accountColumns } from '#main/store/sync/shared-columns'
import type { Audience } from '#main/store/sync/audience'
import { type SharedRecord, findSharedRecord, sharedRecords } from '#main/store/sync/shared-records'
import type { Reader } from '#main/store/core/store'
import { type Cursor, judgeCursor, writeCursor } from './cursor'

type LogRow = Row<'change_log'>

/** How many log rows to read for a page: most may concern others. */
const scannedRows = 4000

export type Changes = ChangePage | { readonly kind: 'scopes'; readonly scopes: string[] } | { readonly kind: 'diverged' | 'expired' }

/** The changes since a cursor that the audience may see (`src-main/sync/SPEC.md`, "Pull"). */
export async function readChanges(
  reader: Reader,
  { cursor, epoch, audience, scopes, limit }: { cursor: Cursor; epoch: string; audience: Audience; scopes: string; limit: number },
): Promise<Changes> {
  const history = await judgeCursor(reader, cursor, epoch)
  if (history !== 'same') return { kind: history }
  const end = await getLogEnd(reader)
  if (scopes !== audience.scopes.join(',')) return { kind: 'scopes', scopes: [...audience.scopes] }
  const log = cutPage(await listLog(reader, { after: cursor.seq, limit: scannedRows }), limit)
  const last = log.at(-1)
  const has_more = last !== undefined && last.seq < end.seq
  const found = await gather(reader, { log, audience, after: cursor.activity_id })
  const next = last ? { seq: last.seq, nonce: last.nonce } : cursor
  return {
    kind: 'page',
    tables: [...(await readReferences(reader, found.tables, audience)), ...found.tables],
    removed: found.removed,
    log: await entriesOf(reader, log, { audience, told: found.told }),
    cursor: writeCursor({ ...next, epoch, activity_id: has_more ? cursor.activity_id : end.activity_id }),
    seq: next.seq,
    has_more,
  }
}

/** Cuts the log to a page of records, but never inside an operation: an operation is settled by its whole effect. */
function cutPage(log: readonly LogRow[], limit: number): readonly LogRow[] {
  const records = new Set<string>()
  for (const [index, row] of log.entries()) {
    records.add(`${row.table_name}/${row.record_id}`)
    const isBoundary = row.op_id === null || row.op_id !== log[index + 1]?.op_id
    if (records.size >= limit && isBoundary && index + 1 < log.length) return log.slice(0, index + 1)
  }
  if (log.length < scannedRows) return log
  // The last operation may continue beyond this page.
  const tail = log.at(-1)?.op_id ?? null
  const whole = tail === null ? log : log.filter(({ op_id }) => op_id !== tail)
  return whole.length > 0 ? whole : log
}

/**
 * The changes to report: records of this page (visible or gone), and the audience's own operations; only those operations are named. A user's own
 * comments are reported by the comments alone: no decision of that user waits for them.
 */
async function entriesOf(
  reader: Reader,
  log: readonly LogRow[],
  { audience: { user_id }, told }: { audience: Audience; told: ReadonlySet<string> },
): Promise<ChangePage['log']> {
  const entries = new Map<string, ChangePage['log'][number]>()
  const op_ids = [...new Set(log.flatMap(({ op_id }) => op_id ?? []))]
  const own = await listOwnOperations(reader, { op_ids, user_id })
  for (const row of log) {
    const { table_name: table, record_id, record_uid: uid } = row
    if (!findSharedRecord(table) || isOwnComment(row, user_id)) continue
    const op_id = row.op_id !== null && own.has(row.op_id) ? row.op_id : null
    if (op_id === null && !told.has(`${table}/${record_id}`)) continue
    entries.set(`${uid} ${op_id ?? ''}`, { table, uid, op_id })
  }
  return [...entries.values()]
}

interface Found {
  readonly tables: TablePart[]
  readonly removed: RecordRef[]
  /** Visible or removed records of this page: `<table>/<id>`. */
  readonly told: ReadonlySet<string>
}

async function gather(
  reader: Reader,
  { log, audience, after }: { log: readonly LogRow[]; audience: Audience; after: number },
): Promise<Found> {
  const wanted = new Map<string, Set<number>>()
  const whole = new Map<string, Set<number>>()
  const want = (into: Map<string, Set<number>>, table: string, id: number | null) => {
    if (id !== null) into.set(table, (into.get(table) ?? new Set()).add(id))
  }
  for (const row of log) {
    const { table_name, record_id, changed } = row
    if (isOfAccount(row, audience)) continue
    want(wanted, table_name, record_id)
    // A user who sees it from now on has nothing yet that depends on it.
    if (/"(payer_id|receiver_id|user_id|is_shared)"/.test(changed)) want(whole, table_name, record_id)
  }
  const followed = await addJoined(reader, { wanted, whole, audience })
  await addChildren(reader, { wanted, whole })
  const tables: TablePart[] = []
  const seen = new Set<string>()
  for (const record of sharedRecords) {
    const record_ids = [...(wanted.get(record.table) ?? [])]
    if (record_ids.length === 0) continue
    const { record_ids: found, parts } = await readRecords(reader, record, { record_ids, audience })
    tables.push(...parts)
    for (const id of found) seen.add(`${record.table}/${id}`)
    tables.push(...(await trailOf(reader, record, { record_ids: found, whole, after, audience })))
    if (record.table === 'users') {
      const emails = findSharedRecord('user_emails')
      const ids = await listChildIds(reader, { table: 'user_emails', column: 'user_id', parent_ids: record_ids })
      if (emails && ids.length > 0) tables.push(...(await readRecords(reader, emails, { record_ids: ids, audience })).parts)
    }
  }
  const lost = await listLost(
    reader,
    log.filter((row) => !seen.has(`${row.table_name}/${row.record_id}`)),
    audience,
  )
  const gone = [...followed.filter(({ table, id }) => !seen.has(`${table}/${id}`)), ...lost]
  for (const { table, id } of gone) seen.add(`${table}/${id}`)
  return { tables, removed: [...new Map(gone.map((ref) => [ref.uid, ref])).values()], told: seen }
}

/** Adds records that become visible when a user's part in a record, or an expense's audience, changes; returns the former. */
async function addJoined(
  reader: Reader,
  { wanted, whole, audience }: { wanted: Map<string, Set<number>>; whole: Map<string, Set<number>>; audience: Audience },
): Promise<RecordRef[]> {
  const participation_ids = [...(wanted.get('participants') ?? [])]
  const followed = await listFollowed(reader, { participation_ids, user_id: audience.user_id })
  for (const { table, id } of followed) {
    wanted.set(table, (wanted.get(table) ?? new Set()).add(id))
    whole.set(table, (whole.get(table) ?? new Set()).add(id))
  }
  // A new member may have been only a name here.
  for (const id of await listMembersOf(reader, [...(wanted.get('memberships') ?? [])])) {
    wanted.set('users', (wanted.get('users') ?? new Set()).add(id))
    whole.set('users', (whole.get('users') ?? new Set()).add(id))
  }
  // An accountability lists its visible expenses, so these change its list.
  for (const id of await listAccountabilityIdsOf(reader, [...(whole.get('expenses') ?? [])]))
    wanted.set('accountabilities', (wanted.get('accountabilities') ?? new Set()).add(id))
  return followed
}

async function addChildren(
  reader: Reader,
  { wanted, whole }: { wanted: Map<string, Set<number>>; whole: Map<string, Set<number>> },
): Promise<void> {
  for (const { table: child, parents = [], references } of records)
    for (const column of parents) {
      const parent_ids = [...(whole.get(references[column]?.to ?? '') ?? [])]
      if (parent_ids.length === 0) continue
      const children = wanted.get(child) ?? new Set()
      for (const id of await listChildIds(reader, { table: child, column, parent_ids })) children.add(id)
      wanted.set(child, children)
    }
}

async function trailOf(
  reader: Reader,
  record: SharedRecord,
  input: { record_ids: readonly number[]; whole: ReadonlyMap<string, ReadonlySet<number>>; after: number; audience: Audience },
): Promise<TablePart[]> {
  const { record_ids, whole, after, audience } = input
  const isWhole = (id: number) => whole.get(record.table)?.has(id) ?? false
  return [
    ...(await readTrailOf(reader, record, { subject_ids: record_ids.filter((id) => !isWhole(id)), after, audience })),
    ...(await readTrailOf(reader, record, { subject_ids: record_ids.filter(isWhole), after: 0, audience })),
  ]
}

/** Whether a change concerns only someone else's account, such as their preferences, which others must not even notice. */
function isOfAccount({ table_name, record_id, operation, changed }: LogRow, { user_id }: Audience): boolean {
  if (table_name !== 'users' || record_id === user_id || operation === 'insert') return false
  return z
    .array(z.string())
    .parse(JSON.parse(changed))
    .every((column) => accountColumns.has(column))
}

/**
 * The records of these changes that the audience could see before and cannot see now: records that they received, that belonged to an organization
 * whose records they saw, that were shared with it, or that they took part in or created there. Other records are not revealed at all.
 */
async function listLost(reader: Reader, log: readonly LogRow[], audience: Audience): Promise<RecordRef[]> {
  const lost: RecordRef[] = []
  for (const row of log) {
    const { table_name: table, record_id: id, record_uid: uid, operation, changed, user_id, organization_id } = row
    const record = findSharedRecord(table)
    if (!record || organization_id === null) continue
    const isOwn = user_id === audience.user_id
    const isReviewed = record.seenIn?.(audience).includes(organization_id) ?? false
    const isWithdrawn = operation === 'update' && changed.includes('"is_shared"') && audience.member_of.includes(organization_id)
    // A new record lists every column as changed, and nobody had it before.
    const isMoved = operation === 'update' && changed.includes('"payer_id"') && audience.follows.includes(organization_id)
    if (isOwn || isReviewed || isWithdrawn || (isMoved && (await hasPart(reader, { table, id, user_id: audience.user_id }))))
      lost.push({ table, id, uid })
  }
  return lost
}

/** Whether any change concerns the audience, so that it needs a poke. */
export async function concerns(reader: Reader, log: readonly LogRow[], audience: Audience): Promise<boolean> {
  const told = log.filter((row) => !isOfAccount(row, audience))
  if (told.some(({ user_id }) => user_id === audience.user_id)) return true
  for (const [table, rows] of Map.groupBy(told, ({ table_name }) => table_name)) {
    const record = findSharedRecord(table)
    if (record && (await seesAny(reader, record, { record_ids: rows.map(({ record_id }) => record_id), audience }))) return true
  }
  return (await listLost(reader, told, audience)).length > 0
}

/** Whether the audience sees records that replicas do not hold: their own, and those of organizations that they manage. */
function seesLocal({ table_name, user_id, organization_id }: LogRow, audience: Audience): boolean {
  if (table_name === 'devices') return user_id === audience.user_id
  const seen = { invitations: audience.invites, webhooks: audience.keeps_webhooks }
  if (table_name !== 'invitations' && table_name !== 'webhooks') return false
  return organization_id !== null && seen[table_name].includes(organization_id)
}

/** The records of these changes that concern the audience, each once with its current version, in the order of their last change. */
export async function listNews(reader: Reader, log: readonly LogRow[], audience: Audience): Promise<RecordChange[]> {
  const rows = log.filter((row) => !isOfAccount(row, audience))
  const seen = new Map<string, number>()
  for (const [table, changed] of Map.groupBy(rows, ({ table_name }) => table_name)) {
    const record = findSharedRecord(table)
    if (!record) continue
    const record_ids = [...new Set(changed.map(({ record_id }) => record_id))]
    for (const { id, version } of await listSeen(reader, record, { record_ids, audience })) seen.set(`${table}/${id}`, version)
  }
  const lost = new Set((await listLost(reader, rows, audience)).map(({ uid }) => uid))
  const news = new Map<string, RecordChange>()
  for (const row of rows) {
    const { table_name: table, record_id: id, record_uid: uid, user_id } = row
    const isLocal = seesLocal(row, audience)
    const version = isLocal && row.operation !== 'delete' ? row.version : (seen.get(`${table}/${id}`) ?? null)
    if (version === null && !isLocal && !lost.has(uid) && user_id !== audience.user_id) continue
    news.delete(uid)
    news.set(uid, { table, id, uid, version, is_pulled: row.changed === pulledChange })
  }
  return [...news.values()]
}
