import type { ListedHere } from '#main/store/sync/remote-rows'
import { convertAccountability, convertAdvancement, convertExpense, convertPreExpense, convertReimbursement } from './convert-money'
import { convertCard, convertMembership, convertTag } from './convert-organization'
import type { Converted, Reading } from './rows'

/** A list of the contract, and how to convert its items into rows. */
export interface PlainList extends ListedHere {
  /** The key of its stored position. */
  readonly key: string
  readonly path: string
  /** The name of the items in the response. */
  readonly name: string
  readonly query?: Readonly<Record<string, string>>
  readonly convert: (reading: Reading, raw: unknown) => Promise<Converted>
  /** The address of one record, if all users of the list may read it: a 404 there means that the record is gone. */
  readonly member?: (id: number) => string
}

const paid = [
  { table: 'reimbursements', convert: convertReimbursement },
  { table: 'advancements', convert: convertAdvancement },
  { table: 'expenses', convert: convertExpense },
] as const

/** Pre-expenses are three lists (contract 4.15). */
const preExpenseStates = ['waiting_approval', 'ignored', 'converted'] as const

/** A query filter takes at most this many values. */
const mostNamed = 20

/** All lists that a replica follows, ordered so that referenced records come first. */
export function listsOf(organization_ids: readonly number[]): PlainList[] {
  return [
    ...organization_ids.flatMap(ofOrganization),
    {
      key: 'corporative_cards',
      path: '/corporative_cards',
      name: 'corporative_cards',
      table: 'corporative_cards',
      convert: convertCard,
      member: (id: number) => `/corporative_cards/${id}`,
      query: namingOrganizations(organization_ids),
    },
    ...preExpenseStates.map((status) => ({
      key: `pre_expenses:${status}`,
      path: '/pre_expenses',
      name: 'pre_expenses',
      table: 'pre_expenses',
      query: { status },
      convert: convertPreExpense,
      pre_expenses: status,
      member: (id: number) => `/pre_expenses/${id}`,
    })),
    ...paid.map(({ table, convert }) => ({
      key: table,
      path: `/${table}`,
      name: table,
      table,
      convert,
      member: (id: number) => `/${table}/${id}`,
    })),
    {
      key: 'accountabilities',
      path: '/accountabilities',
      name: 'accountabilities',
      table: 'accountabilities',
      convert: convertAccountability,
      member: (id: number) => `/accountability/${id}`,
    },
  ]
}

/** Naming organizations in the filter also lists other users' cards there; one filter takes a limited number. */
function namingOrganizations(ids: readonly number[]): Record<string, string> {
  const named = ids.length > mostNamed ? [] : ids
  return Object.fromEntries(named.map((id, index) => [`q[organization_id_in][${index}]`, String(id)]))
}

function ofOrganization(id: number): PlainList[] {
  const of = `/organizations/${id}`
  return [
    {
      key: `members:${id}`,
      path: `${of}/members`,
      name: 'memberships',
      table: 'memberships',
      convert: convertMembership,
      organization_id: id,
    },
    tagList(id),
  ]
}

/** The tags of one organization. */
export function tagList(id: number): PlainList {
  return {
    key: `tags:${id}`,
    path: `/organizations/${id}/tags`,
    name: 'tags',
    table: 'tags',
    convert: (reading, raw) => convertTag(reading, id, raw),
    organization_id: id,
  }
}
