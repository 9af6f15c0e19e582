import { z } from 'zod'
import { tagKey } from '#shared/domain/tags'
import { findBlob } from '#main/store/records/files/blob-reader'
import type { JournalEntry } from '#main/store/sync/sync-journal'
import { findRow } from '#main/store/sync/remote-rows'
import { listTouched } from '#main/store/sync/sync-undo'
import { type PlainFollowable, attachmentRow } from './convert-children'
import {
  convertAccountability,
  convertAdvancement,
  convertDevolution,
  convertExpense,
  convertPreExpense,
  convertReimbursement,
} from './convert-money'
import { convertDistanceRule, convertOrganization, convertPreferences, convertTag } from './convert-organization'
import { type Details, fetchAllDetails, fetchDetails } from './details'
import { readAs } from './plain-api'
import { type PlainExchange, lookingAt } from './reading'
import { type Converted, type Reading } from './rows'
import * as shapes from './shapes'

type Convert = (reading: Reading, raw: unknown) => Promise<Converted | undefined>

/** The effect of an operation at the remote, as far as its response and related records show it. */
export interface Effect {
  readonly records: ReadonlyArray<{ readonly convert: Convert; readonly raw: unknown }>
  readonly details: readonly Details[]
  /** The organization's tags, some of which the operation created. */
  readonly tags: ReadonlyArray<{ readonly organization_id: number; readonly list: readonly unknown[] }>
  readonly attachment?: { readonly expense_id: number; readonly raw: unknown }
  readonly removed: ReadonlyArray<{ readonly table: string; readonly id: number }>
  /** The record that it created, which gets the local identity. */
  readonly made?: { readonly table: string; readonly id: number }
  /** Whether the effect is wider: only the next pull brings all of it. */
  readonly isWide: boolean
}

const nothing: Effect = { records: [], details: [], tags: [], removed: [], isWide: false }

interface Carried {
  readonly row: JournalEntry
  readonly method: string
  readonly path: string
  readonly answer: unknown
}

const converters: Readonly<Record<string, { table: string; convert: Convert }>> = {
  expenses: { table: 'expenses', convert: convertExpense },
  reimbursements: { table: 'reimbursements', convert: convertReimbursement },
  advancements: { table: 'advancements', convert: convertAdvancement },
  advancement_devolutions: { table: 'advancement_devolutions', convert: convertDevolution },
  accountabilities: { table: 'accountabilities', convert: convertAccountability },
  accountability: { table: 'accountabilities', convert: convertAccountability },
  pre_expenses: { table: 'pre_expenses', convert: convertPreExpense },
}

/** Reads an operation's effect, and requests what its response does not show. */
export async function readEffect(exchange: PlainExchange, carried: Carried): Promise<Effect> {
  const { method, path, answer: response } = carried
  const [first = '', second = '', third = ''] = path.split('/').filter(Boolean)
  const id = Number(second)
  if (['comments', 'participants', 'attachments'].includes(third)) return underParent(exchange, carried, { name: first, id, third })
  if (first === 'organizations' || first === 'organization') return ofOrganization(carried, { id, third })
  if (path.endsWith('/preferences') || first === 'preferences')
    return { ...nothing, records: [{ convert: convertPreferences, raw: await exchange.api.read('/preferences') }] }
  const known = converters[first]
  if (!known) return { ...nothing, isWide: true }
  const { table } = known
  if (method === 'DELETE') return ofDeletion(exchange, carried, { table, id })
  if (table === 'accountabilities' && third === 'status') return { ...nothing, isWide: true }
  if (third === 'convert') {
    const changed = await exchange.api.read(`/pre_expenses/${id}`)
    const more = changed === undefined ? [] : [{ convert: convertPreExpense, raw: changed }]
    return ofRecords(exchange, 'expenses', { first: { convert: convertExpense, raw: response }, more })
  }
  const paid = table === 'reimbursements' ? readAs(shapes.settlement, response, 'a reimbursement').expenses : []
  const more = paid.map((raw) => ({ convert: convertExpense, raw }))
  return ofRecords(exchange, table, { first: { convert: known.convert, raw: response }, more })
}

/** A deleted record, and those that it had settled. */
async function ofDeletion(exchange: PlainExchange, { row }: Carried, gone: { table: string; id: number }): Promise<Effect> {
  const records: Shown[] = []
  const touched = gone.table === 'reimbursements' ? await listTouched(exchange.store.reader, [row.id]) : []
  for (const key of new Set(touched.filter(({ table_name }) => table_name === 'expenses').map(({ record_key }) => record_key))) {
    const found = await exchange.api.find(`/expenses/${key}`)
    if (found) records.push({ convert: convertExpense, raw: found.value })
  }
  return { ...nothing, records, removed: [gone] }
}

interface Shown {
  readonly convert: Convert
  readonly raw: unknown
}

async function ofRecords(
  exchange: PlainExchange,
  table: string,
  { first, more }: { first: Shown; more: readonly Shown[] },
): Promise<Effect> {
  const looking = lookingAt(exchange, exchange.store.reader)
  const details: Details[] = []
  let made: Effect['made']
  for (const { convert, raw } of [first, ...more]) {
    const converted = await convert(looking, raw)
    if (!converted) continue
    made ??= { table, id: converted.row.id }
    const fetched = await fetchDetails(exchange, converted)
    if (fetched) details.push(fetched)
  }
  const tags: Array<{ organization_id: number; list: unknown[] }> = []
  for (const organization_id of looking.unknownTags) tags.push({ organization_id, list: await fetchTags(exchange, organization_id) })
  // A reimbursement is written before its expenses, a converted pre-expense before its expense: foreign keys are checked at the end.
  const order = more.some(({ convert }) => convert === convertPreExpense) ? [...more, first] : [first, ...more]
  return { ...nothing, records: order, details, tags, ...(made ? { made } : {}) }
}

async function fetchTags({ api }: PlainExchange, organization_id: number): Promise<unknown[]> {
  const list: unknown[] = []
  for await (const { items } of api.pages({ path: `/organizations/${organization_id}/tags`, name: 'tags' })) list.push(...items)
  return list
}

const kinds = { expenses: 'expense', reimbursements: 'reimbursement', advancements: 'advancement' } as const
const answered = z.object({ id: z.int() })

async function underParent(
  exchange: PlainExchange,
  { answer: response, method }: Carried,
  { name, id, third }: { name: string; id: number; third: string },
): Promise<Effect> {
  const known = converters[name]
  const table = readAs(z.enum(['expenses', 'reimbursements', 'advancements']), name, 'a followable record')
  const followable: PlainFollowable = { kind: kinds[table], id }
  const found = await exchange.api.find(`/${table}/${id}`)
  // A user who stops participating may no longer see it.
  if (!found || !known) return { ...nothing, removed: [{ table, id }] }
  const { made: _, ...shown } = await ofRecords(exchange, table, { first: { convert: known.convert, raw: found.value }, more: [] })
  const effect = third === 'attachments' ? shown : { ...shown, details: [await fetchAllDetails(exchange, followable)] }
  const made = answered.safeParse(response)
  if (method !== 'POST' || !made.success)
    return withFile(effect, { answer: response, id, isFile: third === 'attachments' && method !== 'DELETE' })
  return withFile({ ...effect, made: { table: third, id: made.data.id } }, { answer: response, id, isFile: third === 'attachments' })
}

function withFile(effect: Effect, { answer: response, id, isFile }: { answer: unknown; id: number; isFile: boolean }): Effect {
  return isFile ? { ...effect, attachment: { expense_id: id, raw: response } } : effect
}

function ofOrganization({ method, path, answer: response }: Carried, { id, third }: { id: number; third: string }): Effect {
  if (third === 'tags') {
    if (method === 'DELETE') return { ...nothing, removed: [{ table: 'tags', id: Number(path.split('/').at(-1)) }] }
    const made = method === 'POST' ? { made: { table: 'tags', id: readAs(answered, response, 'a tag').id } } : {}
    return { ...nothing, records: [{ convert: (reading, raw) => convertTag(reading, id, raw), raw: response }], ...made }
  }
  if (third === 'distances_rules') {
    const [raw] = readAs(z.array(z.unknown()), response, 'distance rules')
    const made = answered.safeParse(raw)
    return {
      ...nothing,
      records: [{ convert: (reading, one) => convertDistanceRule(reading, id, one), raw }],
      ...(made.success ? { made: { table: 'distance_rules', id: made.data.id } } : {}),
    }
  }
  return { ...nothing, records: [{ convert: convertOrganization, raw: response }] }
}

/** Gives the records of a local operation the remote's ids; references to the local ids still work. */
export async function adopt(reading: Reading, { minted }: JournalEntry, effect: Effect): Promise<void> {
  const { adopted } = reading
  const { made } = effect
  if (made) {
    const own = minted.find(({ table }) => table === made.table)
    if (own) adopted.set(`${made.table}:${made.id}`, own.uid)
  }
  for (const { table, id, uid } of minted) {
    if (table === made?.table || id === null) continue
    const local = await findRow(reading.reader, table, id)
    if (table === 'tags' && local)
      for (const { list } of effect.tags)
        for (const raw of list) {
          const shown = readAs(shapes.tag, raw, 'a tag')
          if (tagKey(shown.name) === local.name_key) adopted.set(`tags:${shown.id}`, uid)
        }
    if (table === 'comments' && local)
      for (const raw of effect.details.flatMap(({ comments }) => comments ?? [])) {
        const shown = readAs(shapes.comment, raw, 'a comment')
        const isOwn = shown.user.id === local.user_id && shown.content === local.content && shown.deleted_at === null
        if (isOwn && !(await findRow(reading.reader, 'comments', shown.id))) adopted.set(`comments:${shown.id}`, uid)
      }
  }
}

/** Adds the rows of an effect. */
export async function convertEffect(reading: Reading, row: JournalEntry, effect: Effect): Promise<void> {
  for (const { organization_id, list } of effect.tags)
    for (const raw of list) reading.rows.addConverted(await convertTag(reading, organization_id, raw))
  for (const { convert, raw } of effect.records) {
    const converted = await convert(reading, raw)
    if (converted) reading.rows.addConverted(converted)
  }
  if (effect.attachment) {
    const { expense_id, raw } = effect.attachment
    const shown = readAs(shapes.attachment, raw, 'a receipt')
    const [file] = row.blobs
    const local = await findRow(reading.reader, 'attachments', shown.id)
    const sha256 = file?.sha256 ?? local?.sha256
    const known = sha256 === undefined ? undefined : await findBytes(reading, String(sha256))
    if (sha256 !== undefined) reading.rows.add('attachments', await attachmentRow(reading, expense_id, { shown, sha256, bytes: known }))
    const { removed } = reading.rows
    const at = removed.findIndex(({ table, id }) => table === 'attachments' && id === shown.id)
    if (at >= 0) removed.splice(at, 1)
  }
  reading.rows.removed.push(...effect.removed)
}

async function findBytes({ reader }: Reading, sha256: string): Promise<number | undefined> {
  return (await findBlob(reader, sha256))?.bytes
}
