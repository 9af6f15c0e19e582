import { z } from 'zod'
import { DomainError } from '#shared/domain/errors'
import { decimalToScaled } from '#shared/domain/money'
import { currency } from './fields'
import { partyObject } from './representations'
import { listQuery, nothing, pageQuery, pathId } from './requests'
import { route } from './route'
import { pageOf } from './representations'

const balanceParty = partyObject.pick({ id: true, name: true, type: true, uid: true })

/** A user's balance with an organization in one currency; negative: the organization owes the user (contract 2.6). */
export const balanceRepresentation = z
  .object({ amount: z.number(), currency: z.string(), payer: balanceParty, receiver: balanceParty })
  .meta({ id: 'AdvancementBalance' })
export type Balance = z.infer<typeof balanceRepresentation>

const counted = z.object({ count: z.int(), objects: z.array(balanceRepresentation) })

/** The caller's balances, and others that the caller may see (contract 4.4). */
export const balancesRepresentation = z
  .object({
    available_payers: z.array(partyObject),
    available_receivers: z.array(partyObject),
    my_balances: counted,
    other_balances: counted,
  })
  .meta({ id: 'AdvancementBalances' })
export type Balances = z.infer<typeof balancesRepresentation>

const queryId = z.union([pathId, z.int()], { error: ({ input }) => (input === undefined || input === '' ? 'blank' : 'invalid') })

/** The filters of balances; amounts in ten-thousandths of the major unit, as in `toScaled`. */
export type BalanceFilter = Partial<Record<'balance_gteq' | 'balance_lteq' | 'receiver_id' | 'payer_id', number> & { currency: string }>

const scaled = z.union([z.number(), z.string()]).transform(decimalToScaled).pipe(z.number())
const filterId = z.union([z.int(), pathId])
const balanceFilter = z.strictObject({
  balance_gteq: scaled.optional(),
  balance_lteq: scaled.optional(),
  receiver_id: filterId.optional(),
  payer_id: filterId.optional(),
  currency: z.string().optional(),
})

/**
 * Reads the `q` of balances. Throws `Refused` under `q` for unknown filters and wrong types: a silently ignored filter would show other people's
 * money.
 */
export function parseBalanceFilter(q: Readonly<Record<string, unknown>> = {}): BalanceFilter {
  const parsed = balanceFilter.safeParse(q)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => ({ code: 'unknown_filter', params: { name } }))
      : [{ code: 'filter_value', params: { name: String(issue.path[0]) } }],
  )
  throw new DomainError({ kind: 'invalid', fields: { q: errors } })
}

/** The endpoints of balances (contract 4.4). */
export const balanceRoutes = {
  list: route({
    name: 'balances.list',
    method: 'GET',
    path: '/advancements/balances',
    summary: "Show the caller's balances, and those of others that the caller may see",
    action: 'balances.read',
    params: nothing,
    /** `q` has its own filters: `balance_gteq`, `balance_lteq`, `receiver_id`, `payer_id`, `currency`. */
    query: z.object({ q: listQuery.shape.q }),
    body: nothing,
    response: balancesRepresentation,
    status: 200,
  }),
  listOrganizations: route({
    name: 'balances.list_organizations',
    method: 'GET',
    path: '/advancements/balances/organizations',
    summary: "Show others' balances in the organizations that the caller manages",
    action: 'balances.list_organization',
    params: nothing,
    query: pageQuery,
    body: nothing,
    response: pageOf('balances', balanceRepresentation),
    status: 200,
  }),
  show: route({
    name: 'balances.show',
    method: 'GET',
    path: '/advancements/balances/:payer_id',
    summary: "Show one user's balance in one organization and currency",
    action: 'balances.read',
    params: z.object({ payer_id: pathId }),
    query: z.object({ receiver_id: queryId, currency }),
    body: nothing,
    response: balanceRepresentation,
    status: 200,
  }),
}
