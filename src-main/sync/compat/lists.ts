import type { ListedHere } from '#main/store/sync/remote-rows'
import { convertAccountability, convertAdvancement, convertExpense, convertPreExpense, convertReimbursement } from './convert-money'
import { convertCard, convertMembership, convertTag } from './convert-organization'
import type { Converted, Reading } from './rows'

/** A list of the contract, and how its items become rows. */
export interface PlainList extends ListedHere {
  /** What its position is kept under. */
  readonly key: string
  readonly path: string
  /** What the items stand under. */
  readonly name: string
  readonly query?: Readonly<Record<string, string>>
  readonly convert: (reading: Reading, raw: unknown) => Promise<Converted>
  /** The address of one record, if all users of the list may read it: a record that is missing there is gone. */
  readonly member?: (id: number) => string
}

const paid = [
  { table: 'reimbursements', convert: convertReimbursement },
  { table: 'advancements', convert: convertAdvancement },
  { table: 'expenses', convert: convertExpense },
] as const

/** Pre-expenses are three lists (contract 4.15). */
const preExpenseStates = ['waiting_approval', 'ignored', 'converted'] as const

/** More values than these are no list in a query. */
const mostNamed = 20

/** All lists that a replica follows, in the order in which what they bring refers to one another. */
export function listsOf(organization_ids: readonly number[]): PlainList[] {
  return [
    ...organization_ids.flatMap(ofOrganization),
    {
      ...{ key: 'corporative_cards', path: '/corporative_cards', name: 'corporative_cards', table: 'corporative_cards' },
      ...{ convert: convertCard, member: (id: number) => `/corporative_cards/${id}` },
      query: namingOrganizations(organization_ids),
    },
    ...preExpenseStates.map((status) => ({
      ...{ key: `pre_expenses:${status}`, path: '/pre_expenses', name: 'pre_expenses', table: 'pre_expenses', query: { status } },
      ...{ convert: convertPreExpense, pre_expenses: status, member: (id: number) => `/pre_expenses/${id}` },
    })),
    ...paid.map(({ table, convert }) => ({
      ...{ key: table, path: `/${table}`, name: table, table, convert, member: (id: number) => `/${table}/${id}` },
    })),
    {
      ...{ key: 'accountabilities', path: '/accountabilities', name: 'accountabilities', table: 'accountabilities' },
      ...{ convert: convertAccountability, member: (id: number) => `/accountability/${id}` },
    },
  ]
}

/** Where organizations are named, cards of others there are listed too; so many are named at most as one filter may. */
function namingOrganizations(ids: readonly number[]): Record<string, string> {
  const named = ids.length > mostNamed ? [] : ids
  return Object.fromEntries(named.map((id, index) => [`q[organization_id_in][${index}]`, String(id)]))
}

function ofOrganization(id: number): PlainList[] {
  const of = `/organizations/${id}`
  return [
    {
      ...{ key: `members:${id}`, path: `${of}/members`, name: 'memberships', table: 'memberships' },
      ...{ convert: convertMembership, organization_id: id },
    },
    tagList(id),
  ]
}

/** The tags of one organization. */
export function tagList(id: number): PlainList {
  return {
    ...{ key: `tags:${id}`, path: `/organizations/${id}/tags`, name: 'tags', table: 'tags' },
    convert: (reading, raw) => convertTag(reading, id, raw),
    organization_id: id,
  }
}
