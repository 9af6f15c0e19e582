import type { Load } from './load'
import type { Seeded } from './seed'

/** One row of the table of requests. */
export interface Case {
  readonly name: string
  readonly kind: 'read' | 'write'
  /** The ids of a writing case move on at each run: every request changes something. */
  readonly load: (seeded: Seeded, run: number) => Load
}

const encoded = (q: Record<string, string | number>) =>
  Object.entries(q)
    .map(([name, value]) => `q%5B${name}%5D=${value}`)
    .join('&')

/** The addresses of the two lists. */
export const listPath = ({ organization_id }: Seeded) => `/api/v1/expenses?${encoded({ payer_id_eq: organization_id })}`
const filteredPath = ({ organization_id, receiver_ids }: Seeded) =>
  `/api/v1/expenses?${encoded({ payer_id_eq: organization_id, status_eq: 'awaiting_analysis', receiver_id_eq: receiver_ids[7] ?? 0 })}`
/** The address of the list of reimbursements or of advancements. */
const settlementsPath = (plural: 'reimbursements' | 'advancements', { organization_id }: Seeded) =>
  `/api/v1/${plural}?${encoded({ payer_id_eq: organization_id })}`
const balancesPath = '/api/v1/advancements/balances'

/** The reads whose responses have to be the same from program and floor, but for the address of the server. */
export const comparedPaths = (seeded: Seeded): readonly string[] => [
  `/api/v1/expenses/${Math.floor(seeded.expenses / 3)}`,
  listPath(seeded),
  filteredPath(seeded),
  settlementsPath('reimbursements', seeded),
  settlementsPath('advancements', seeded),
  balancesPath,
]

export const cases: readonly Case[] = [
  {
    name: 'show one expense',
    kind: 'read',
    load: ({ expenses }) => ({ method: 'GET', path: '/api/v1/expenses/{id}', ids: { first: 1, count: expenses, order: 'random' } }),
  },
  { name: 'list 30, newest first', kind: 'read', load: (seeded) => ({ method: 'GET', path: listPath(seeded) }) },
  { name: 'list by status and receiver', kind: 'read', load: (seeded) => ({ method: 'GET', path: filteredPath(seeded) }) },
  { name: 'list 30 reimbursements', kind: 'read', load: (seeded) => ({ method: 'GET', path: settlementsPath('reimbursements', seeded) }) },
  { name: 'list 30 advancements', kind: 'read', load: (seeded) => ({ method: 'GET', path: settlementsPath('advancements', seeded) }) },
  { name: 'all balances', kind: 'read', load: () => ({ method: 'GET', path: balancesPath }) },
  {
    name: 'record an expense',
    kind: 'write',
    load: ({ organization_id }) => ({
      method: 'POST',
      path: '/api/v1/expenses',
      bodies: [
        JSON.stringify({
          payer: { id: organization_id, type: 'Organization' },
          amount: 12.5,
          occurred_at: '2026-01-02',
          description: 'Taxi to the airport',
        }),
      ],
    }),
  },
  {
    name: 'move an expense',
    kind: 'write',
    load: ({ expenses }, run) => ({
      method: 'PUT',
      path: '/api/v1/expenses/{id}/status',
      ids: { first: 1 + Math.floor(expenses / 2) + run * Math.floor(expenses / 20), count: Math.floor(expenses / 20), order: 'rising' },
      bodies: [JSON.stringify({ status: 'analyzing' }), JSON.stringify({ status: 'awaiting_analysis' })],
    }),
  },
]
