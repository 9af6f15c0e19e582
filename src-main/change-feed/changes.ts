import type { Row } from '#db/schema'
import type { ChangePage, RecordRef, TablePart } from '#shared/contract/sync'
import {
  getLogEnd,
  listChildIds,
  listExpenseIdsOf,
  listFollowed,
  listLog,
  listMembersOf,
  readRecords,
  readReferences,
  readTrailOf,
} from '#main/store/feed-reader'
import { isOwnComment } from '#main/store/record-writer'
import { type Audience, findSharedRecord, parentTables, sharedRecords } from '#main/store/shared-records'
import type { Reader } from '#main/store/store'
import { type Cursor, judgeCursor, writeCursor } from './cursor'

type LogRow = Row<'change_log'>

/** How far ahead the log is looked through for a page: most of it may concern others. */
const scannedRows = 4000

export type Changes =
  ChangePage | { readonly kind: 'scopes'; readonly scopes: string[] } | { readonly kind: 'diverged' | 'expired' }

/** What changed since a cursor, of what the audience may see (`src-main/sync/SPEC.md`, "Pull"). */
export async function readChanges(
  reader: Reader,
  {
    cursor,
    epoch,
    audience,
    scopes,
    limit,
  }: { cursor: Cursor; epoch: string; audience: Audience; scopes: string; limit: number },
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
    log: entriesOf(log, audience.user_id),
    cursor: writeCursor({ ...next, epoch, activity_id: has_more ? cursor.activity_id : end.activity_id }),
    seq: next.seq,
    has_more,
  }
}

/** So many records, never ending in the middle of an operation: what settles it is its whole effect. */
function cutPage(log: readonly LogRow[], limit: number): readonly LogRow[] {
  const records = new Set<string>()
  for (const [index, row] of log.entries()) {
    records.add(`${row.table_name}/${row.record_id}`)
    const isBoundary = row.op_id === null || row.op_id !== log[index + 1]?.op_id
    if (records.size >= limit && isBoundary && index + 1 < log.length) return log.slice(0, index + 1)
  }
  if (log.length < scannedRows) return log
  // The last operation of what was looked through may go on beyond it.
  const tail = log.at(-1)?.op_id ?? null
  const whole = tail === null ? log : log.filter(({ op_id }) => op_id !== tail)
  return whole.length > 0 ? whole : log
}

/** What a user's own comments change is told by the comments: no decision of theirs waits for it. */
function entriesOf(log: readonly LogRow[], user_id: number): ChangePage['log'] {
  const seen = new Set<string>()
  return log.flatMap((row) => {
    const { table_name: table, record_uid: uid, op_id } = row
    const key = `${uid} ${op_id ?? ''}`
    if (seen.has(key) || !findSharedRecord(table) || isOwnComment(row, user_id)) return []
    seen.add(key)
    return [{ table, uid, op_id }]
  })
}

interface Found {
  readonly tables: TablePart[]
  readonly removed: RecordRef[]
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
  for (const { table_name, record_id, changed } of log) {
    want(wanted, table_name, record_id)
    // Whoever sees it from now on has nothing yet of what hangs on it.
    if (/"(payer_id|receiver_id)"/.test(changed)) want(whole, table_name, record_id)
  }
  const followed = await addJoined(reader, { wanted, whole, audience })
  await addChildren(reader, { wanted, whole })
  const tables: TablePart[] = []
  const seen = new Set<string>()
  for (const record of sharedRecords) {
    const record_ids = [...(wanted.get(record.table) ?? [])]
    if (record_ids.length === 0) continue
    const { rows, parts } = await readRecords(reader, record, { record_ids, audience })
    tables.push(...parts)
    for (const { id } of rows) seen.add(`${record.table}/${String(id)}`)
    if (record.subject)
      tables.push(...(await trailOf(reader, { record: { ...record, subject: record.subject }, rows, whole, after })))
    if (record.table === 'users') {
      const emails = findSharedRecord('user_emails')
      const ids = await listChildIds(reader, { table: 'user_emails', column: 'user_id', parent_ids: record_ids })
      if (emails && ids.length > 0) tables.push(...(await readRecords(reader, emails, { record_ids: ids, audience })).parts)
    }
  }
  const changed = log
    .filter((row) => wasSeen(row, audience))
    .map(({ table_name: table, record_id: id, record_uid: uid }) => ({ table, id, uid }))
  const gone = [...followed, ...changed].filter(({ table, id }) => !seen.has(`${table}/${id}`))
  return { tables, removed: [...new Map(gone.map((ref) => [ref.uid, ref])).values()] }
}

/** A change of one's own part in a record, or of an accountability's expenses, changes what else is seen; answers the former. */
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
  // Whoever joins may have been no more than a name here.
  for (const id of await listMembersOf(reader, [...(wanted.get('memberships') ?? [])])) {
    wanted.set('users', (wanted.get('users') ?? new Set()).add(id))
    whole.set('users', (whole.get('users') ?? new Set()).add(id))
  }
  const accountability_ids = [...(wanted.get('accountabilities') ?? [])]
  for (const id of await listExpenseIdsOf(reader, accountability_ids)) {
    wanted.set('expenses', (wanted.get('expenses') ?? new Set()).add(id))
    whole.set('expenses', (whole.get('expenses') ?? new Set()).add(id))
  }
  return followed
}

async function addChildren(
  reader: Reader,
  { wanted, whole }: { wanted: Map<string, Set<number>>; whole: Map<string, Set<number>> },
): Promise<void> {
  for (const [column, table] of Object.entries(parentTables)) {
    const parent_ids = [...(whole.get(table) ?? [])]
    if (parent_ids.length === 0) continue
    for (const child of ['comments', 'participants', 'attachments'] as const) {
      if (child === 'attachments' && column !== 'expense_id') continue
      const children = wanted.get(child) ?? new Set()
      for (const id of await listChildIds(reader, { table: child, column, parent_ids })) children.add(id)
      wanted.set(child, children)
    }
  }
}

async function trailOf(
  reader: Reader,
  input: {
    record: { table: string; subject: string }
    rows: ReadonlyArray<Readonly<Record<string, unknown>>>
    whole: ReadonlyMap<string, ReadonlySet<number>>
    after: number
  },
): Promise<TablePart[]> {
  const { record, rows, whole, after } = input
  const all = rows.map(({ id }) => Number(id))
  const isWhole = (id: number) => whole.get(record.table)?.has(id) ?? false
  const { subject } = record
  const parts = [
    ...(await readTrailOf(reader, { subject, subject_ids: all.filter((id) => !isWhole(id)), after })),
    ...(await readTrailOf(reader, { subject, subject_ids: all.filter(isWhole), after: 0 })),
  ]
  return parts
}

/** Whether the caller may have held a record that they do not see now; of others they are not even told that they exist. */
function wasSeen({ organization_id, user_id, table_name }: LogRow, audience: Audience): boolean {
  if (!findSharedRecord(table_name)) return false
  return user_id === audience.user_id || (organization_id !== null && audience.member_of.includes(organization_id))
}
