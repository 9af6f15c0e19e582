import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Reader } from '#main/store/store'
import {
  convertAccountability,
  convertAdvancement,
  convertExpense,
  convertPreExpense,
  convertReimbursement,
} from './convert-money'
import { convertCard, convertMembership, convertTag } from './convert-organization'
import type { Converted, Reading } from './rows'

/** A list of the contract, and how its items become rows. */
export interface PlainList {
  /** What its position is kept under. */
  readonly key: string
  readonly path: string
  /** What the items stand under. */
  readonly name: string
  readonly table: string
  readonly query?: Readonly<Record<string, string>>
  readonly convert: (reading: Reading, raw: unknown) => Promise<Converted>
  /** What of it is here. */
  readonly here: RawBuilder<SqlBool>
  /** Where one record is found, where everybody who sees the list may look: a record that is not there is gone. */
  readonly member?: (id: number) => string
}

const all = sql<SqlBool>`1`
const paid = [
  { table: 'reimbursements', convert: convertReimbursement },
  { table: 'advancements', convert: convertAdvancement },
  { table: 'expenses', convert: convertExpense },
] as const

/** Pre-expenses are three lists, and these tell which one is in (contract 4.15). */
const preExpenseStates = {
  waiting_approval: sql<SqlBool>`ignored_at is null and converted_at is null`,
  ignored: sql<SqlBool>`ignored_at is not null and converted_at is null`,
  converted: sql<SqlBool>`converted_at is not null`,
} as const

/** All lists that a replica follows, in the order in which what they bring refers to one another. */
export function listsOf(organization_ids: readonly number[]): PlainList[] {
  return [
    ...organization_ids.flatMap(ofOrganization),
    {
      ...{ key: 'corporative_cards', path: '/corporative_cards', name: 'corporative_cards', table: 'corporative_cards' },
      ...{ convert: convertCard, here: all, member: (id: number) => `/corporative_cards/${id}` },
    },
    ...Object.entries(preExpenseStates).map(([status, here]) => ({
      ...{ key: `pre_expenses:${status}`, path: '/pre_expenses', name: 'pre_expenses', table: 'pre_expenses', query: { status } },
      ...{ convert: convertPreExpense, here, member: (id: number) => `/pre_expenses/${id}` },
    })),
    ...paid.map(({ table, convert }) => ({
      ...{ key: table, path: `/${table}`, name: table, table, convert, here: all, member: (id: number) => `/${table}/${id}` },
    })),
    {
      ...{ key: 'accountabilities', path: '/accountabilities', name: 'accountabilities', table: 'accountabilities' },
      ...{ convert: convertAccountability, here: all, member: (id: number) => `/accountability/${id}` },
    },
  ]
}

function ofOrganization(id: number): PlainList[] {
  const here = sql<SqlBool>`organization_id = ${sql.lit(id)}`
  const of = `/organizations/${id}`
  return [
    {
      ...{ key: `members:${id}`, path: `${of}/members`, name: 'memberships', table: 'memberships' },
      ...{ convert: convertMembership, here },
    },
    tagList(id),
  ]
}

/** The tags of one organization. */
export function tagList(id: number): PlainList {
  return {
    ...{ key: `tags:${id}`, path: `/organizations/${id}/tags`, name: 'tags', table: 'tags' },
    convert: (reading, raw) => convertTag(reading, id, raw),
    here: sql<SqlBool>`organization_id = ${sql.lit(id)}`,
  }
}

/** The records of a list that are here and came from the remote. */
export async function listHere(reader: Reader, { table, here }: PlainList): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)}
    where id > 0 and deleted_at is null and ${here}`.execute(reader.db)
  return rows.map(({ id }) => id)
}
