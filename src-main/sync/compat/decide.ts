import { z } from 'zod'
import type { OperationResponse } from '#shared/contract/sync'
import { expenseStatuses, movesBack } from '#shared/domain/expense-status'
import { type Attributes, type Disagreement, isSame, mergeAttributes } from '#shared/sync/merge'
import { narrowBody } from '#shared/sync/narrow-body'
import { tableOfAttribute, tableOfColumn } from '#shared/sync/references'
import { type PartlySeen, expenseIdsOf, keepUnseen, withoutUnseen } from '#shared/sync/unseen-expenses'
import type { Reader } from '#main/store/core/store'
import { findAlias } from '#main/store/sync/id-aliases'
import { findRow } from '#main/store/sync/remote-rows'
import type { JournalEntry } from '#main/store/sync/sync-journal'
import { findByUid } from '#main/store/sync/sync-operations'
import { findConfirmed } from '#main/store/sync/sync-undo'
import type { Found } from './plain-api'
import type { PlainExchange } from './reading'
import type { SentRequest } from './state'

/** Attributes that two servers show differently for the same record, or that are not the record's own. */
const dropped = new Set([
  ...['uid', 'version', '_links', 'url', 'file', 'logo', 'avatar', 'expiration', 'created_at', 'updated_at'],
  ...['activities_count', 'attachments', 'emails'],
])
const tables: ReadonlyMap<string, string> = new Map([...tableOfColumn, ...tableOfAttribute])

/** A representation's attributes in a form that can be compared between this instance and its remote. */
async function toComparable(reader: Reader, attributes: Attributes): Promise<Attributes> {
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

/** What to do about an operation: call the remote, nothing because its effect exists already, or a conflict. */
type Decision =
  | { readonly kind: 'send'; readonly request: Omit<SentRequest, 'key'>; readonly isMerged: boolean }
  | { readonly kind: 'nothing'; readonly found: Found }
  | { readonly kind: 'conflict'; readonly answer: OperationResponse }

type Call = Pick<SentRequest, 'path' | 'body'>

/**
 * Decides by the remote's current record, as nobody else compares there: decisions are rejected if it is not what the person saw, changes are merged
 * by attribute (`SPEC.md`, "Meaning"). The entity tag protects the time until the call.
 */
export async function decide(exchange: PlainExchange, row: JournalEntry, { path, body }: Call): Promise<Decision> {
  const plain = { method: row.method, path, body, if_match: null }
  if (row.policy === 'add') return { kind: 'send', request: plain, isMerged: false }
  const found = await findTarget(exchange, path)
  if (row.policy === 'conditional') {
    const changed = await findStale(exchange, row, found)
    if (changed) return { kind: 'conflict', answer: toApiResponse(412, 'stale', { differences: changed, found }) }
    const undone = found && (await goBack(exchange, { path, body }, found))
    if (undone) return { kind: 'send', request: { ...plain, body: undone, if_match: null }, isMerged: false }
    return { kind: 'send', request: { ...plain, if_match: found?.etag ?? null }, isMerged: false }
  }
  return found ? merge(exchange, row, { call: plain, found }) : { kind: 'send', request: plain, isMerged: false }
}

const undo = z.object({ status: z.enum(expenseStatuses), ignore_noncompliant: z.boolean().nullish(), undo_of: z.int() }).loose()
const moved = z.object({ status: z.enum(expenseStatuses), ignore_noncompliant: z.boolean().nullish() })

/**
 * A contract-only server has no undo: an expense goes back through the status changes that lead there. This makes all but the last, which it returns.
 * If interrupted, the next try sees another status and reports a conflict. Undefined if the call is not an undo.
 */
async function goBack({ api }: PlainExchange, { path, body }: Call, { value }: Found): Promise<object | undefined> {
  const [wanted, now] = [undo.safeParse(body).data, moved.safeParse(value).data]
  if (!wanted || !now) return undefined
  const { undo_of: _, ...last } = wanted
  const toState = ({ status, ignore_noncompliant = null }: z.infer<typeof moved>) => ({ status, ignore_noncompliant })
  const way = movesBack(toState(now), toState(wanted)) ?? []
  for (const step of way.slice(0, -1)) await api.send({ method: 'PUT', path, body: step })
  return last
}

/** The record of a call: at its path, or at the path above (`/expenses/7` for `/expenses/7/status`). */
async function findTarget({ api }: PlainExchange, path: string): Promise<Found | undefined> {
  const segments = path.split('/').filter(Boolean)
  if (path === '/user/preferences') return api.find('/preferences')
  for (const length of [segments.length, segments.length - 1]) {
    const last = segments[length - 1]
    if (last === undefined || !(/^\d+$/.test(last) || last === 'preferences')) continue
    return api.find(`/${segments.slice(0, length).join('/')}`)
  }
  return undefined
}

async function merge(
  { store: { reader } }: PlainExchange,
  { base, mine, method }: JournalEntry,
  { call, found }: { call: Omit<SentRequest, 'key'>; found: Found },
): Promise<Decision> {
  const { current, unseen } = await partlySeen(reader, found.value)
  const sides = { base: await toComparable(reader, base), mine: await toComparable(reader, mine) }
  const merged = mergeAttributes(sides, await toComparable(reader, current))
  if (merged.kind === 'conflict') {
    const differences = merged.disagreements.map(({ attribute }) => ({
      attribute,
      base: base[attribute] ?? null,
      mine: mine[attribute] ?? null,
      theirs: current[attribute] ?? null,
    }))
    return { kind: 'conflict', answer: toApiResponse(409, 'disagreement', { differences, found }) }
  }
  const body = keepUnseen(narrowBody(call.body, { current, write: merged.attributes }), unseen)
  if (Object.keys(body).length === 0) return { kind: 'nothing', found }
  // A full replacement would overwrite others' changes. Comments have no PATCH, and only one attribute.
  const isWhole = /\/comments\/\d+$/.test(call.path)
  const request = { ...call, method: method === 'PUT' && !isWhole ? 'PATCH' : method, body, if_match: found.etag ?? null }
  return { kind: 'send', request, isMerged: merged.isMerged }
}

/** What differs from what the person saw in the records of a decision; undefined if nothing does. */
async function findStale(exchange: PlainExchange, row: JournalEntry, found: Found | undefined): Promise<Disagreement[] | undefined> {
  const { reader } = exchange.store
  const isAbout = Object.keys(row.base).length > 0
  if (isAbout && !found) return []
  const differences = found ? await differencesOf(exchange, row.base, found.value) : []
  if (differences.length > 0) return differences
  for (const { table, uid } of row.seen) {
    if (table !== 'expenses') continue
    const record = await findByUid(reader, table, uid)
    if (!record || record.id < 0) return []
    if (found?.value.id === record.id && row.path.startsWith('/expenses/')) continue
    const known = (await findConfirmed(reader, table, String(record.id)))?.version_before ?? record.version
    const now = await exchange.api.find(`/expenses/${record.id}`)
    if (!now || (typeof now.value.version === 'number' && now.value.version !== known)) return []
  }
  return undefined
}

/** What differs in a record from what the person saw, among the attributes that the server shows. */
async function differencesOf({ store: { reader } }: PlainExchange, base: Attributes, current: Attributes): Promise<Disagreement[]> {
  const partly = await partlySeen(reader, current)
  const [seen, now] = [await toComparable(reader, base), await toComparable(reader, partly.current)]
  return Object.keys(seen)
    .filter((name) => name in now && !isSame(seen[name], now[name]))
    .map((attribute) => ({ attribute, base: base[attribute] ?? null, mine: null, theirs: partly.current[attribute] ?? null }))
}

/** The response that a full remote would have given. The contract shows when a record changed, not who changed it. */
export function toApiResponse(
  status: number,
  message: string | null,
  { differences = [], found }: { differences?: Disagreement[]; found?: Found | undefined } = {},
): OperationResponse {
  const at = found?.value.updated_at
  return { status, message, differences, by: null, at: typeof at === 'string' ? at : null }
}

/** The remote's representation without expenses that are not here: the server does not say which of them its user sees. */
async function partlySeen(reader: Reader, shown: Attributes): Promise<PartlySeen> {
  const here = new Set<number>()
  for (const id of expenseIdsOf(shown)) if (await findRow(reader, 'expenses', id)) here.add(id)
  return withoutUnseen(shown, here)
}

/** What differs from what the person saw, after the server itself has rejected a decision. */
export async function staleResponse(exchange: PlainExchange, row: JournalEntry, path: string): Promise<OperationResponse> {
  const found = await findTarget(exchange, path)
  return toApiResponse(412, 'stale', { differences: found ? await differencesOf(exchange, row.base, found.value) : [], found })
}
