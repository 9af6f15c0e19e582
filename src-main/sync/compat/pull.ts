import { z } from 'zod'
import type { Link } from '#shared/records/definition'
import { records } from '#shared/records/index'
import type { Reader } from '#main/store/core/store'
import { getAudience } from '#main/store/sync/audience'
import { findRow, listIdsHere, listRowsOf } from '#main/store/sync/remote-rows'
import { findReplicaValue } from '#main/store/sync/replica-state'
import { listOperations } from '#main/store/sync/sync-journal'
import { findConfirmed, listWriters } from '#main/store/sync/sync-undo'
import { createAgain } from '#main/use-cases/sync/create-again'
import { type Exchange, transact } from '../exchange'
import { exceedsGuard, noteDeletions, stopAtGuard } from '../guard'
import type { Event } from '../machine'
import { apply } from './apply'
import { convertDistanceRule, convertOrganization, convertPreferences } from './convert-organization'
import { type Details, convertDetails, fetchDetails } from './details'
import { type PlainList, listsOf, tagList } from './lists'
import { readAs } from './plain-api'
import { type PlainExchange, lookingAt, plainly } from './reading'
import type { Converted } from './rows'
import { type Position, findPosition, keepPosition } from './state'

/** How an incoming record differs from the local one: in a version by someone else, or only in fields without a version. */
type Difference = 'none' | 'new' | 'version' | 'detail'

/** Compares an incoming record with the confirmed one, below pending operations. */
async function compare(reader: Reader, { table, row, links }: Converted): Promise<Difference> {
  const local = await findRow(reader, table, row.id)
  if (!local) return 'new'
  const isWritten = (await listWriters(reader, table, String(row.id))).length > 0
  const confirmed = isWritten ? await findConfirmed(reader, table, String(row.id)) : undefined
  if (row.version !== (confirmed ? confirmed.version_before : local.version)) return 'version'
  // A pending write hides the confirmed values; only the version can be compared.
  if (isWritten) return 'none'
  if (Object.entries(row).some(([column, value]) => (local[column] ?? null) !== value)) return 'detail'
  for (const link of links) if (!(await isSameLink(reader, link, row.id))) return 'detail'
  return 'none'
}

const links = new Map<string, Link>(records.flatMap(({ link }) => (link ? [[link.table, link]] : [])))

async function isSameLink(reader: Reader, { table, rows }: Converted['links'][number], id: number): Promise<boolean> {
  const link = links.get(table)
  if (!link) return true
  const { owner, column, order } = link
  const read = (list: typeof rows) => [...list].sort((a, b) => Number(a[order]) - Number(b[order])).map((row) => row[column])
  const here = read(await listRowsOf(reader, table, { column: owner, id }))
  const there = read(rows)
  return here.length === there.length && here.every((value, index) => value === there[index])
}

/** How far back to request a list again: changes of the same moment may become visible at different times. */
const overlapMs = 60_000
/** How often all lists are read completely. */
const wholeMs = 24 * 60 * 60_000
/** How often to restart a list that changed while it was read. */
const tries = 3

/**
 * Pulls changes by the contract's lists: each from its last seen change, and completely the first time, once a day, and when the user's scopes
 * change. Only records that a complete list lacks may be removed.
 */
export async function pull(exchange: Exchange): Promise<Event> {
  const plain = await plainly(exchange)
  const { store, clock } = exchange
  const at = await findPosition(store.reader)
  const organization_ids = await bringOrganizations(plain)
  const isDue = at.whole_at === null || clock.now().getTime() - Date.parse(at.whole_at) > wholeMs
  let { scopes, since } = at
  for (const list of listsOf(organization_ids)) {
    if (list.key === 'corporative_cards') {
      scopes = (await getAudience(store.reader, plain.user_id)).scopes.join(',')
      // After a change of scopes, everything is listed from the beginning.
      if (scopes !== at.scopes) since = Object.fromEntries(Object.entries(since).filter(([key]) => key.includes(':')))
    }
    const isWhole = isDue || (since[list.key] ?? '') === ''
    const isNarrowed = at.scopes !== '' && scopes !== at.scopes
    const brought = await bring(plain, list, { since: isWhole ? undefined : since[list.key], isNarrowed })
    if (brought === 'stopped') return 'stopped'
    since = { ...since, [list.key]: brought.newest }
    await transact(plain, (tx) => keepPosition(tx, { ...at, since, scopes: at.scopes }))
  }
  const whole_at = isDue ? clock.now().toISOString() : at.whole_at
  // Operations whose effect was not shown when they were confirmed; now it is.
  const settled = await listOperations(store.reader, 'acknowledged')
  await apply(plain, { fill: async () => undefined, settled, also: (tx) => keepPosition(tx, { ...at, since, scopes, whole_at }) })
  return 'done'
}

/** The user's organizations with their rules. Removes those that they have left, and what only those made visible. */
async function bringOrganizations(exchange: PlainExchange): Promise<number[]> {
  const { api, store } = exchange
  const raws: unknown[] = []
  for await (const { items } of api.pages({ path: '/organizations', name: 'organizations' })) raws.push(...items)
  const looked = await Promise.all(raws.map((raw) => convertOrganization(lookingAt(exchange, store.reader), raw)))
  const ids = looked.map(({ row }) => row.id)
  const rules: Array<{ id: number; raw: unknown }> = []
  for (const id of ids) {
    const list = readAs(z.array(z.unknown()), (await api.read(`/organizations/${id}/distances_rules?all=true`)) ?? [], 'distance rules')
    for (const raw of list) rules.push({ id, raw })
  }
  const own = await api.read('/preferences')
  const left = await listLeft(exchange, ids)
  await apply(exchange, {
    fill: async (reading) => {
      const { rows } = reading
      for (const raw of raws) rows.addConverted(await convertOrganization(reading, raw))
      for (const { id, raw } of rules) {
        const rule = await convertDistanceRule(reading, id, raw)
        if (rule) rows.addConverted(rule)
      }
      for (const organization of ids)
        for (const { id } of await listRowsOf(reading.reader, 'distance_rules', { column: 'organization_id', id: organization }))
          if (!rows.has('distance_rules', Number(id))) rows.removed.push({ table: 'distance_rules', id: Number(id) })
      const user = own === undefined ? undefined : await convertPreferences(reading, own)
      if (user) rows.addConverted(user)
      rows.removed.push(...left)
    },
    failed: 'quarantined',
  })
  return ids
}

/** Records of organizations of which the user is no longer a member. */
async function listLeft({ store: { reader }, user_id }: PlainExchange, ids: readonly number[]) {
  const { member_of } = await getAudience(reader, user_id)
  const left: Array<{ table: string; id: number }> = []
  for (const organization_id of member_of.filter((id) => !ids.includes(id)))
    for (const table of ['memberships', 'tags', 'distance_rules']) {
      const rows = await listRowsOf(reader, table, { column: 'organization_id', id: organization_id })
      left.push(...rows.map(({ id }) => ({ table, id: Number(id) })))
    }
  return left
}

/**
 * Reads a list, newest changes first: records that change meanwhile move to the front, so none is missed. If the list became shorter meanwhile,
 * something may have been skipped, and it is read again. Returns its newest change.
 */
async function bring(
  exchange: PlainExchange,
  list: PlainList,
  { since, isNarrowed }: { since: string | undefined; isNarrowed: boolean },
): Promise<{ newest: string } | 'stopped'> {
  const from = since === undefined ? undefined : new Date(Date.parse(since) - overlapMs).toISOString().replace(/\.\d+Z$/, 'Z')
  const filter = { ...(from === undefined ? {} : { 'q[updated_at_gteq]': from }), sort: '-updated_at,-id' }
  const seen = new Set<number>()
  let newest = since ?? ''
  for (let left = tries; left > 0; left -= 1) {
    let [first, last] = [-1, -1]
    for await (const { items, count } of exchange.api.pages({ ...list, filter })) {
      for (const { row } of await applyPage(exchange, list, items)) {
        seen.add(row.id)
        if (String(row.updated_at) > newest) newest = String(row.updated_at)
      }
      if (first < 0) first = count
      last = count
    }
    // Not even the first page: the user may not see the list.
    if (first < 0 && !isNarrowed) return { newest }
    if (first <= last) break
  }
  if (since === undefined && (await sweep(exchange, list, { seen, isNarrowed })) === 'stopped') return 'stopped'
  return { newest }
}

interface Change {
  readonly raw: unknown
  readonly converted: Converted
  readonly difference: Difference
}

async function applyPage(exchange: PlainExchange, list: PlainList, items: readonly unknown[]): Promise<Converted[]> {
  const { reader } = exchange.store
  const looking = lookingAt(exchange, reader)
  const all: Change[] = []
  for (const raw of items) {
    const converted = await list.convert(looking, raw)
    all.push({ raw, converted, difference: await compare(reader, converted) })
    await exchange.takeTurn()
  }
  for (const id of looking.unknownTags)
    if (list.table !== 'tags') await bring(exchange, tagList(id), { since: undefined, isNarrowed: false })
  const changed = all.filter(({ difference }) => difference !== 'none')
  if (changed.length > 0) await applyChanged(exchange, list, changed)
  return all.map(({ converted }) => converted)
}

async function applyChanged(exchange: PlainExchange, list: PlainList, changed: readonly Change[]): Promise<void> {
  const details: Details[] = []
  for (const { converted } of changed) {
    const fetched = await fetchDetails(exchange, converted)
    if (fetched) details.push(fetched)
  }
  const others = new Set<string>()
  await apply(exchange, {
    fill: async (reading) => {
      for (const { raw, difference } of changed) {
        const converted = await list.convert(reading, raw)
        reading.rows.addConverted(converted)
        if (difference === 'version') others.add(String(converted.row.uid))
      }
      for (const detail of details) await convertDetails(reading, detail)
    },
    others,
  })
  exchange.tally.pulled += changed.length
}

/** Removes records that a complete list lacks and that are not found individually either, within the guard (`SPEC.md`, "Guards"). */
async function sweep(
  exchange: PlainExchange,
  { table, member, ...list }: PlainList,
  { seen, isNarrowed }: { seen: ReadonlySet<number>; isNarrowed: boolean },
): Promise<'stopped' | undefined> {
  const missing = (await listIdsHere(exchange.store.reader, { table, ...list })).filter((id) => !seen.has(id))
  const gone: number[] = []
  for (const id of missing) if (!member || !(await exchange.api.find(member(id)))) gone.push(id)
  if (gone.length === 0) return undefined
  const deletions = isNarrowed ? [] : [{ table, count: gone.length }]
  const excess = await exceedsGuard(exchange.store.reader, deletions, exchange.clock.now())
  if (excess) return stopAtGuard(exchange, excess)
  await transact(exchange, (tx) => noteDeletions(tx, deletions))
  const isKept = !isNarrowed && (await findReplicaValue(exchange.store.reader, 'allowed')) === 'keep'
  await apply(exchange, {
    fill: async ({ rows }, tx) => {
      if (isKept) await createAgain(tx, new Map([[table, new Set(gone)]]), 'other')
      rows.removed.push(...gone.map((id) => ({ table, id })))
    },
    isWhole: isKept,
    failed: isNarrowed ? 'quarantined' : 'conflict',
  })
  exchange.tally.removed += gone.length
  exchange.tally.pulled += gone.length
  return undefined
}

/** Compares the lengths of lists here and there: the remote does not announce deletions, and a missing record shows there. */
export async function verify(exchange: Exchange): Promise<Event> {
  const plain = await plainly(exchange)
  const { reader } = exchange.store
  const { scopes, ...at } = await findPosition(reader)
  const pending = await listOperations(reader, 'pending')
  const sent = await listOperations(reader, 'sent')
  if (pending.length + sent.length > 0) return 'done'
  const { member_of } = await getAudience(reader, plain.user_id)
  const odd: Record<string, string> = {}
  for (const list of listsOf(member_of)) {
    const there = await plain.api.count(list)
    const lengths = async () => `${there}:${(await listIdsHere(reader, list)).length}`
    const before = await lengths()
    if (there === undefined || before === `${there}:${there}`) continue
    if (at.odd[list.key] !== before && (await bring(plain, list, { since: undefined, isNarrowed: false })) === 'stopped') return 'stopped'
    const after = await lengths()
    if (after !== `${there}:${there}`) odd[list.key] = after
  }
  const position: Position = { ...at, odd }
  await transact(plain, (tx) => keepPosition(tx, { ...position, scopes }))
  return 'done'
}
