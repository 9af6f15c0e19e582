import { listed } from '../core/dialect'
import { sql } from 'kysely'
import type { Row } from '#db/schema'
import type { SharedRecordTable } from '#shared/records/index'
import { listStatement, statement } from '../core/statement'
import type { Reader } from '../core/store'
import type { ProvedEntry } from './seal-format'

type Entry = Row<'activities'>
/** The range of a chain: after one id, up to another. */
type Range = { organization_id: number; after: number; until: number; limit: number }

const lastSealed = statement<Record<string, never>, { id: number | null }>((db) =>
  db.selectFrom('audit_seals').select(sql<number | null>`max(last_id)`.as('id')),
)
const newest = statement<Record<string, never>, { id: number | null }>((db) =>
  db.selectFrom('activities').select(sql<number | null>`max(id)`.as('id')),
)
const listAfter = statement<{ after: number; limit: number }, Entry>((db, p) =>
  db.selectFrom('activities').selectAll().where('id', '>', p('after')).orderBy('id').limit(p('limit')),
)
const listOfChain = statement<Range, Entry>((db, p) =>
  db
    .selectFrom('activities')
    .selectAll()
    .where('organization_id', '=', p('organization_id'))
    .where('id', '>', p('after'))
    .where('id', '<=', p('until'))
    .orderBy('id')
    .limit(p('limit')),
)
const listOfNobody = statement<Omit<Range, 'organization_id'>, Entry>((db, p) =>
  db
    .selectFrom('activities')
    .selectAll()
    .where('organization_id', 'is', null)
    .where('id', '>', p('after'))
    .where('id', '<=', p('until'))
    .orderBy('id')
    .limit(p('limit')),
)
const listParts = listStatement<number, Row<'audit_parts'>>((db, ids) =>
  db.selectFrom('audit_parts').selectAll().where('activity_id', 'in', ids),
)
const listPartsAfter = statement<{ after: number }, Row<'audit_parts'>>((db, p) =>
  db.selectFrom('audit_parts').selectAll().where('activity_id', '>', p('after')),
)
const listFiles = listStatement<number, { id: number; sha256: string }>((db, ids) =>
  db.selectFrom('attachments').select(['id', 'sha256']).where('id', 'in', ids),
)
const listReplaced = listStatement<number, { id: number; sha256: string; trail_end: number }>((db, ids) =>
  db
    .selectFrom('replaced_files')
    .select(['attachment_id as id', 'sha256', sql<number>`trail_end`.as('trail_end')])
    .where('attachment_id', 'in', ids)
    .where('trail_end', 'is not', null)
    .orderBy('id'),
)
const lastOfChain = statement<{ organization_id: number }, Row<'audit_seals'>>((db, p) =>
  db.selectFrom('audit_seals').selectAll().where('organization_id', '=', p('organization_id')).orderBy('number', 'desc').limit(1),
)
const listOfChainAfter = statement<{ organization_id: number; after: number; limit: number }, Row<'audit_seals'>>((db, p) =>
  db
    .selectFrom('audit_seals')
    .selectAll()
    .where('organization_id', '=', p('organization_id'))
    .where('number', '>', p('after'))
    .orderBy('number')
    .limit(p('limit')),
)
const listSealsById = statement<{ after: number; limit: number }, Row<'audit_seals'>>((db, p) =>
  db.selectFrom('audit_seals').selectAll().where('id', '>', p('after')).orderBy('id').limit(p('limit')),
)

/** An id below every entry: a copy of a remote's trail may have entries with ids below zero. */
const beforeAll = Number.MIN_SAFE_INTEGER

/** The id of the last entry up to which all chains are sealed. */
export async function findLastSealed(reader: Reader): Promise<number> {
  return (await reader.first(lastSealed, {}))?.id ?? beforeAll
}

/** The id of the newest entry of the trail; `beforeAll` if the trail is empty. */
export async function findNewestEntry(reader: Reader): Promise<number> {
  return (await reader.first(newest, {}))?.id ?? beforeAll
}

/** The entries of all chains after an id. */
export function listEntriesAfter(reader: Reader, after: number, limit: number): Promise<Entry[]> {
  return reader.all(listAfter, { after, limit })
}

/** The entries of one chain in a range of ids. */
export function listEntriesOfChain(reader: Reader, { organization_id, ...range }: Range): Promise<Entry[]> {
  return organization_id === 0 ? reader.all(listOfNobody, range) : reader.all(listOfChain, { organization_id, ...range })
}

/** Entries with what their seals store about them. */
export async function withParts(reader: Reader, entries: readonly Entry[]): Promise<ProvedEntry[]> {
  const ids = entries.map(({ id }) => id)
  const parts = new Map((await reader.allOf(listParts, ids)).map((part) => [part.activity_id, part]))
  return entries.map((entry) => ({ entry, part: parts.get(entry.id) }))
}

/**
 * The hashes of the files that these entries name, by entry id. A receipt counts with the file it had at that time, even if the file was replaced
 * since.
 */
export async function findNamedFiles(reader: Reader, entries: readonly Entry[]): Promise<Map<number, string>> {
  const named = entries.flatMap(({ id, source_type, source_id }) =>
    source_type === 'Attachment' && source_id !== null ? [{ entry_id: id, attachment_id: source_id }] : [],
  )
  const ids = [...new Set(named.map(({ attachment_id }) => attachment_id))]
  const now = new Map((await reader.allOf(listFiles, ids)).map(({ id, sha256 }) => [id, sha256]))
  const replaced = Map.groupBy(await reader.allOf(listReplaced, ids), ({ id }) => id)
  return new Map(
    named.flatMap(({ entry_id, attachment_id }) => {
      const then = replaced.get(attachment_id)?.find(({ trail_end }) => trail_end >= entry_id)
      const sha256 = then?.sha256 ?? now.get(attachment_id)
      return sha256 === undefined ? [] : [[entry_id, sha256]]
    }),
  )
}

/** The last seal of a chain. */
export function findLastSeal(reader: Reader, organization_id: number): Promise<Row<'audit_seals'> | undefined> {
  return reader.first(lastOfChain, { organization_id })
}

/** The seals of a chain after a number. */
export function listSeals(
  reader: Reader,
  of: { organization_id: number; after: number; limit: number },
): Promise<Array<Row<'audit_seals'>>> {
  return reader.all(listOfChainAfter, of)
}

/** The seals of all chains after an id, in the order in which they were made. */
export function listSealsAfter(reader: Reader, after: number, limit: number): Promise<Array<Row<'audit_seals'>>> {
  return reader.all(listSealsById, { after, limit })
}

/** All chains that have seals or entries: organization ids, and 0 for entries without an organization. */
export async function listChains(reader: Reader): Promise<number[]> {
  const found = await reader.db
    .selectFrom('audit_seals')
    .select('organization_id')
    .union(reader.db.selectFrom('activities').select(sql<number>`coalesce(organization_id, 0)`.as('organization_id')))
    .execute()
  return [...new Set([0, ...found.map(({ organization_id }) => organization_id)])].sort((one, other) => one - other)
}

/** What seals will store about entries whose details were erased before they were sealed. */
export function listEarlyParts(reader: Reader, after: number): Promise<Array<Row<'audit_parts'>>> {
  return reader.all(listPartsAfter, { after })
}

/** What seals store about entries that do not exist, or that come after the last sealed entry and were not erased. */
export async function listStrayParts(reader: Reader, last: number): Promise<number[]> {
  const rows = await reader.db
    .selectFrom('audit_parts')
    .select('activity_id')
    .where(sql<boolean>`(activity_id > ${last} and salt is not null) or activity_id not in (select id from activities)`)
    .limit(100)
    .execute()
  return rows.map(({ activity_id }) => activity_id)
}

/** How many entries of a chain wait for a seal, and since when. */
export async function countWaiting(
  reader: Reader,
  { organization_id, after }: { organization_id: number; after: number },
): Promise<{ count: number; oldest: string | null }> {
  const ofChain = organization_id === 0 ? sql`organization_id is null` : sql`organization_id = ${organization_id}`
  const rows = await reader.db
    .selectFrom('activities')
    .select([sql<number>`count(*)`.as('count'), sql<string | null>`min(created_at)`.as('oldest')])
    .where(sql<boolean>`${ofChain} and id > ${after}`)
    .execute()
  return rows[0] ?? { count: 0, oldest: null }
}

/** The first and last entry of a chain between two instants (`to` is excluded); null where there is none. */
export async function findPeriod(
  reader: Reader,
  { organization_id, from, to }: { organization_id: number; from: string; to: string },
): Promise<{ first: number | null; last: number | null }> {
  const rows = await reader.db
    .selectFrom('activities')
    .select([sql<number | null>`min(id)`.as('first'), sql<number | null>`max(id)`.as('last')])
    .where('organization_id', '=', organization_id)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .execute()
  return rows[0] ?? { first: null, last: null }
}

/** The rows of some records as they are now, for an auditor: without secrets, and with only the names of people. */
export async function listRecordRows(reader: Reader, table: SharedRecordTable, ids: readonly number[]) {
  const columns =
    table === 'users' ? sql`id, uid, first_name, last_name` : sql`*${sql.raw(table === 'corporative_cards' ? `, '' as number_hmac` : '')}`
  const named = sql`(${listed(JSON.stringify(ids))})`
  const { rows } = await sql<Record<string, unknown>>`select ${columns} from ${sql.table(table)} where id in ${named} order by id`.execute(
    reader.db,
  )
  return rows
}
