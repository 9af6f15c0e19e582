import { sql } from 'kysely'
import type { Cell, TablePart } from '#shared/contract/sync'
import { liveOf, select, toPart } from '../sync/feed-reader'
import { type Audience, type PlainRow, sharedRecords } from '../sync/shared-records'
import type { Reader } from '../core/store'
import { untoldInstant } from '../sync/told-columns'

/** How a record stands that is named by one that is seen, but is not seen itself: what is told of it, and constants for the rest. */
interface Stub {
  readonly kept: readonly string[]
  readonly rest: (audience: Audience) => PlainRow
}

const untold = { version: 1, created_at: untoldInstant, updated_at: untoldInstant, deleted_at: null }
/** A deleted record of the reader's own is in no list, and belongs to nobody else: only its id is told. */
const onlyAnId = { version: 1, created_at: untoldInstant, updated_at: untoldInstant, deleted_at: untoldInstant }

const stubs: Readonly<Record<string, Stub>> = {
  users: {
    kept: ['id', 'uid', 'first_name', 'last_name', 'mention_name', 'avatar_sha256'],
    rest: () => ({ ...untold, default_currency: 'BRL', locale: 'en', language: null, timezone: 'Etc/UTC' }),
  },
  organizations: {
    kept: ['id', 'uid', 'name'],
    rest: () => ({ ...untold, restricted_tags: 0, expired_at: null, logo_sha256: null }),
  },
  tags: {
    kept: ['id', 'uid', 'organization_id', 'name', 'name_key', 'deleted_at'],
    rest: () => ({ ...untold, group_name: null }),
  },
  corporative_cards: {
    kept: ['id', 'uid', 'organization_id'],
    rest: ({ user_id }) => ({
      ...onlyAnId,
      user_id,
      ...{ name: '', number_length: 16, number_last4: '', number_hmac: '', flag: 'unknown', active: 0 },
      ...{ expiration_month: 1, expiration_year: 2000 },
    }),
  },
  pre_expenses: {
    kept: ['id', 'uid'],
    rest: ({ user_id }) => ({
      ...onlyAnId,
      ...{ receiver_id: user_id, author_id: user_id, description: null, amount_minor: null, amount_scaled: null },
      ...{ currency: null, occurred_at: null, tags: '', extra_information: '{}', external_id: null },
      ...{ ignored_at: null, converted_at: untoldInstant },
    }),
  },
  reimbursements: {
    kept: ['id', 'uid', 'payer_id', 'receiver_id'],
    rest: ({ user_id }) => ({
      ...untold,
      ...{ attachments_count: 0, comments_count: 0, activities_count: 0, responsible_user_id: user_id },
      ...{ description: null, amount_minor: 1, amount_scaled: 0, currency: 'BRL', date: untoldInstant },
    }),
  },
  blobs: {
    kept: ['sha256', 'bytes', 'md5', 'content_type', 'width', 'height', 'pages'],
    rest: () => ({ created_at: untoldInstant }),
  },
}

function toStub(table: string, row: PlainRow, audience: Audience): PlainRow {
  const stub = stubs[table]
  if (!stub) throw new Error(`Nobody has said what is told of ${table} that are named and not seen.`)
  const rest: Readonly<Record<string, Cell>> = { ...stub.rest(audience) }
  return Object.fromEntries(
    Object.keys(row)
      .map((column) => [column, stub.kept.includes(column) ? row[column] : rest[column]] as const)
      .map(([column, value]) => [column, value ?? null]),
  )
}

/** Which tables the columns of a shared row name, parents last: what they bring along names more. */
const references: ReadonlyArray<{ table: string; columns: readonly string[] }> = [
  { table: 'reimbursements', columns: ['reimbursement_id'] },
  { table: 'corporative_cards', columns: ['corporative_card_id'] },
  { table: 'pre_expenses', columns: ['pre_expense_id'] },
  { table: 'tags', columns: ['tag_id'] },
  { table: 'organizations', columns: ['payer_id', 'organization_id'] },
  { table: 'users', columns: ['receiver_id', 'author_id', 'responsible_user_id', 'user_id'] },
  { table: 'blobs', columns: ['sha256', 'avatar_sha256', 'logo_sha256'] },
]

/** The rows that others name and that their audience does not see otherwise, reduced to what a name needs; parents first. */
export async function readReferences(reader: Reader, parts: readonly TablePart[], audience: Audience): Promise<TablePart[]> {
  const found: TablePart[] = []
  for (const { table, columns } of references) {
    const named = new Set<string>()
    for (const part of [...parts, ...found]) collect(part, { table, columns, named })
    if (named.size === 0) continue
    const key = table === 'blobs' ? 'sha256' : 'id'
    const record = sharedRecords.find((one) => one.table === table)
    const rows = await select(
      reader,
      sql`select * from ${sql.table(table)} where ${sql.ref(key)} in (${sql.join([...named].map((one) => (key === 'id' ? Number(one) : one)))})
        and not ${record ? sql`(${record.visible(audience)} and ${liveOf(record)})` : sql`0`}`,
    )
    found.unshift(
      ...toPart(
        table,
        rows.map((row) => toStub(table, row, audience)),
      ),
    )
  }
  return found
}

function collect(
  part: TablePart,
  { table, columns, named }: { table: string; columns: readonly string[]; named: Set<string> },
): void {
  for (const [index, column] of part.columns.entries()) {
    if (!columns.includes(column) || (column === 'sha256' && part.name === table)) continue
    for (const row of part.rows) {
      const value = row[index]
      if (value !== null && value !== undefined) named.add(String(value))
    }
  }
}
