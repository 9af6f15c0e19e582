import type { Attributes } from '#shared/sync/merge'
import { tableOfAttribute, tableOfColumn } from '#shared/sync/references'
import { findAlias } from '#main/store/sync/id-aliases'
import type { Reader } from '#main/store/core/store'

/** Attributes that two servers show differently for the same record, or that are not the record's own. */
const dropped = new Set([
  ...['uid', 'version', '_links', 'url', 'file', 'logo', 'avatar', 'expiration', 'created_at', 'updated_at'],
  ...['activities_count', 'attachments', 'emails'],
])
const tables: ReadonlyMap<string, string> = new Map([...tableOfColumn, ...tableOfAttribute])

/** A representation's attributes in a form that can be compared between this instance and its remote. */
export async function toComparable(reader: Reader, attributes: Attributes): Promise<Attributes> {
  const entries: Array<[string, unknown]> = []
  for (const [name, value] of Object.entries(attributes))
    if (!dropped.has(name)) entries.push([name, await comparable(reader, name, value)])
  return Object.fromEntries(entries)
}

async function comparable(reader: Reader, name: string, value: unknown): Promise<unknown> {
  const table = tables.get(name)
  if (typeof value === 'number' && value < 0 && table !== undefined) return (await findAlias(reader, table, value)) ?? value
  if (Array.isArray(value)) return Promise.all(value.map((part) => comparable(reader, name, part)))
  if (typeof value !== 'object' || value === null) return value
  // An embedded record counts as that record, however many attributes are shown.
  if ('id' in value) return value.id
  return toComparable(reader, { ...value })
}
