import { sql } from 'kysely'
import { type AnyRecord, records } from '#shared/records/index'
import type { TablePart } from '#shared/contract/sync'
import { liveOf, select, toPart } from '../sync/feed-reader'
import type { Audience } from '../sync/audience'
import type { PlainRow } from '../sync/seen-links'
import { findSharedRecord } from '../sync/shared-records'
import type { Reader } from '../core/store'
import { untoldInstant } from '../sync/shared-columns'

/** A record that its reader may not see but a visible record names: the columns that are sent, with constants for the rest. */
function toStub({ table, namedOnly }: AnyRecord, row: PlainRow, { user_id }: Audience): PlainRow {
  if (!namedOnly) throw new Error(`The definition of ${table} does not say what users get of a hidden one (namedOnly).`)
  const { kept, own = [], rest = {}, isDeleted } = namedOnly
  const untold: PlainRow = {
    version: 1,
    created_at: untoldInstant,
    updated_at: untoldInstant,
    deleted_at: isDeleted ? untoldInstant : null,
    ...Object.fromEntries(own.map((column) => [column, user_id])),
    ...rest,
  }
  return keeping(row, kept, untold)
}

/** The columns of a named file. */
const blobColumns = ['sha256', 'bytes', 'md5', 'content_type', 'width', 'height', 'pages']

function keeping(row: PlainRow, kept: readonly string[], rest: PlainRow): PlainRow {
  return Object.fromEntries(Object.keys(row).map((column) => [column, (kept.includes(column) ? row[column] : rest[column]) ?? null]))
}

/** The tables to which columns of shared rows refer, parents last: their rows refer to more. */
const references: ReadonlyArray<{ readonly record: AnyRecord; readonly columns: ReadonlySet<string> }> = records
  .flatMap((record) => (record.namedOnly ? [{ record, columns: columnsNaming(record.table) }] : []))
  .reverse()
const fileColumns: ReadonlySet<string> = new Set(records.flatMap(({ files = [] }) => files))

function columnsNaming(table: string): ReadonlySet<string> {
  return new Set(
    records.flatMap(({ references: named, link }) => [
      ...Object.entries(named).flatMap(([column, { to }]) => (to === table ? [column] : [])),
      ...(link?.to === table ? [link.column] : []),
    ]),
  )
}

/** The rows that others name and that their audience does not see otherwise, reduced to their names; parents first. */
export async function readReferences(reader: Reader, parts: readonly TablePart[], audience: Audience): Promise<TablePart[]> {
  const found: TablePart[] = []
  for (const { record, columns } of references) {
    const named = namedBy([...parts, ...found], record.table, columns)
    const seen = findSharedRecord(record.table)
    if (named.length === 0 || !seen) continue
    const rows = await select(
      reader,
      sql`select * from ${sql.table(record.table)} where id in (${sql.join(named.map(Number))})
        and not (${seen.visible(audience)} and ${liveOf(seen)})`,
    )
    const stubs = rows.map((row) => toStub(record, row, audience))
    found.unshift(...toPart(record.table, stubs))
  }
  const files = namedBy([...parts, ...found], 'blobs', fileColumns)
  if (files.length === 0) return found
  const blobs = await select(reader, sql`select * from blobs where sha256 in (${sql.join(files)})`)
  const told = blobs.map((row) => keeping(row, blobColumns, { created_at: untoldInstant }))
  return [...toPart('blobs', told), ...found]
}

/** The keys of a table to which rows refer. */
function namedBy(parts: readonly TablePart[], table: string, columns: ReadonlySet<string>): string[] {
  const named = new Set<string>()
  for (const part of parts)
    for (const [index, column] of part.columns.entries()) {
      if (!columns.has(column) || (column === 'sha256' && part.name === table)) continue
      for (const row of part.rows) {
        const value = row[index]
        if (value !== null && value !== undefined) named.add(String(value))
      }
    }
  return [...named]
}
