import { v5 } from 'uuid'
import type { TablePart } from '#shared/contract/sync'
import { tagKey } from '#shared/domain/tags'
import { type CellRow, findRow, listRowsOf } from '#main/store/sync/remote-rows'
import type { Reader } from '#main/store/core/store'
import type { PlainParty, PlainPerson } from './shapes'

export type { CellRow } from '#main/store/sync/remote-rows'

/** Rows of another table that belong to a record. */
export interface LinkRows {
  readonly table: string
  readonly rows: readonly CellRow[]
}

/** A representation as a row. */
export interface Converted {
  readonly table: string
  readonly row: CellRow & { readonly id: number; readonly version: number }
  readonly links: readonly LinkRows[]
}

/** Collects rows that are written together. */
export class RowSet {
  readonly #tables = new Map<string, Map<string, CellRow>>()
  readonly removed: Array<{ table: string; id: number }> = []

  add(table: string, row: CellRow, key: string = String(row.id)): void {
    const rows = this.#tables.get(table) ?? new Map<string, CellRow>()
    this.#tables.set(table, rows.set(key, row))
  }

  addConverted({ table, row, links }: Converted): void {
    this.add(table, row)
    for (const link of links) for (const linked of link.rows) this.add(link.table, linked, Object.values(linked).join(','))
  }

  has(table: string, id: number): boolean {
    return this.#tables.get(table)?.has(String(id)) ?? false
  }

  find(table: string, id: number): CellRow | undefined {
    return this.#tables.get(table)?.get(String(id))
  }

  list(table: string): CellRow[] {
    return [...(this.#tables.get(table)?.values() ?? [])]
  }

  toParts(): TablePart[] {
    return [...this.#tables].flatMap(([name, rows]) =>
      [...Map.groupBy(rows.values(), (row) => Object.keys(row).join(','))].map(([columns, group]) => ({
        name,
        columns: columns.split(','),
        rows: group.map((row) => Object.values(row)),
      })),
    )
  }
}

/** What converting representations needs. */
export interface Reading {
  readonly reader: Reader
  /** The remote's address: distinguishes its records from those of other remotes. */
  readonly url: string
  readonly user_id: number
  /** Collects rows that are needed in addition to the records. */
  readonly rows: RowSet
  /** Local uids of records that this replica created, by table and remote id. */
  readonly adopted: Map<string, string>
  /** The remote's tags by organization and key, loaded on demand. */
  readonly knownTags: Map<number, Map<string, number>>
  /** Organizations with tags that are not known here. */
  readonly unknownTags: Set<number>
  /** Makes an id for a row for which the contract shows none. */
  readonly mintId: () => Promise<number>
}

interface Identified {
  readonly id: number
  readonly uid?: string | null | undefined
}

/**
 * The uid of a record: its local one, so that references stay valid; otherwise the remote's; otherwise one derived from its address, the same on
 * every device.
 */
export function uidOf({ adopted, url }: Reading, table: string, { id, uid, local }: Identified & { local: CellRow | undefined }) {
  const known = adopted.get(`${table}:${id}`) ?? local?.uid ?? uid
  return typeof known === 'string' ? known : v5(`${url}/${table}/${id}`, v5.URL)
}

interface Dated extends Identified {
  readonly version?: number | null | undefined
  readonly created_at: string
  readonly updated_at: string
}

/** The columns of every record. Without a version, the time of the last change is used. */
export function recordColumns(reading: Reading, table: string, { local, ...record }: Dated & { local: CellRow | undefined }) {
  const { id, version, created_at, updated_at } = record
  return {
    id,
    uid: uidOf(reading, table, { ...record, local }),
    version: version ?? Math.floor(Date.parse(updated_at) / 1000),
    created_at,
    updated_at,
    deleted_at: null,
  }
}

/** Adds a referenced user if they are not here yet, with at least a name. */
export async function needUser(reading: Reading, { id, uid, name }: PlainParty): Promise<number> {
  const [first_name = name, ...rest] = name.split(' ')
  await needPerson(reading, { id, uid, first_name, last_name: rest.join(' '), emails: [] })
  return id
}

/** Adds a user who is not here yet. An existing user stays unchanged: their membership has more attributes. */
export async function needPerson(reading: Reading, person: PlainPerson): Promise<number> {
  const { id } = person
  if (!reading.rows.has('users', id) && !(await findRow(reading.reader, 'users', id)))
    reading.rows.add('users', userRow(reading, person, { local: undefined, now: '1970-01-01T00:00:00Z' }))
  return id
}

/** A user's row. Language and timezone, which the contract does not show of others, keep their known values. */
export function userRow(reading: Reading, person: PlainPerson, { local, now }: { local: CellRow | undefined; now: string }) {
  const { id, uid, first_name, last_name, mention_name, default_currency } = person
  return {
    id,
    uid: uidOf(reading, 'users', { id, uid, local }),
    version: local?.version ?? 1,
    first_name,
    last_name,
    mention_name: mention_name ?? local?.mention_name ?? `user.${id}`,
    default_currency: default_currency ?? local?.default_currency ?? 'BRL',
    locale: local?.locale ?? 'en',
    language: local?.language ?? null,
    timezone: local?.timezone ?? 'Etc/UTC',
    created_at: local?.created_at ?? now,
    updated_at: local?.updated_at ?? now,
    deleted_at: null,
  } satisfies CellRow
}

/** Adds a referenced organization if it is not here yet, with at least a name. */
export async function needOrganization(reading: Reading, { id, uid, name }: PlainParty): Promise<number> {
  if (!reading.rows.has('organizations', id) && !(await findRow(reading.reader, 'organizations', id))) {
    const dates = { created_at: '1970-01-01T00:00:00Z', updated_at: '1970-01-01T00:00:00Z' }
    reading.rows.add('organizations', {
      ...recordColumns(reading, 'organizations', { id, uid, version: 1, ...dates, local: undefined }),
      name,
    })
  }
  return id
}

/** The id of a referenced record if it is here: an invisible record cannot be referenced. */
export async function idIfHere({ reader, rows }: Reading, table: string, id: number | null): Promise<number | null> {
  return id !== null && (rows.has(table, id) || (await findRow(reader, table, id))) ? id : null
}

/** The remote's tags of an organization, by key. */
async function tagsOf({ reader, rows, knownTags }: Reading, organization_id: number): Promise<Map<string, number>> {
  let known = knownTags.get(organization_id)
  if (!known) {
    const all = await listRowsOf(reader, 'tags', { column: 'organization_id', id: organization_id })
    const there = all.filter(({ id, deleted_at }) => Number(id) > 0 && deleted_at === null)
    known = new Map(there.map(({ id, name_key }) => [String(name_key), Number(id)]))
    knownTags.set(organization_id, known)
  }
  const coming = rows.list('tags').filter((row) => row.organization_id === organization_id)
  return coming.length === 0 ? known : new Map([...known, ...coming.map(({ id, name_key }) => [String(name_key), Number(id)] as const)])
}

/** The tags of a record in order. If one is unknown, its organization's tags must be fetched. */
export async function tagLinks(
  reading: Reading,
  link: { table: string; column: string; id: number; organization_id: number },
  split: (isKnown: (key: string) => boolean) => readonly string[],
): Promise<LinkRows> {
  const known = await tagsOf(reading, link.organization_id)
  const ids = split((key) => known.has(key)).map((name) => known.get(tagKey(name)))
  if (ids.includes(undefined)) reading.unknownTags.add(link.organization_id)
  const there = [...new Set(ids.filter((id) => id !== undefined))]
  return { table: link.table, rows: there.map((tag_id, position) => ({ [link.column]: link.id, tag_id, position })) }
}
