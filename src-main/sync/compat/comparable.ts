import type { Attributes } from '#shared/sync/merge'
import { tableOfAttribute, tableOfColumn } from '#shared/sync/references'
import { findAlias } from '#main/store/sync/id-aliases'
import type { Reader } from '#main/store/core/store'

/** What two servers show differently of the same thing, and what is about a record rather than in it. */
const dropped = new Set([
  ...['uid', 'version', '_links', 'url', 'file', 'logo', 'avatar', 'expiration', 'created_at', 'updated_at'],
  ...['activities_count', 'attachments', 'emails'],
])
const tables: ReadonlyMap<string, string> = new Map([...tableOfColumn, ...tableOfAttribute])

/** Attributes of a representation in a form in which those of this instance and those of its remote can be compared. */
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
  // A record that is shown inside another is that record, however much is shown of it.
  if ('id' in value) return value.id
  return toComparable(reader, { ...value })
}
