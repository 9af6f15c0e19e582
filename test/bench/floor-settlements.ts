import type Database from 'better-sqlite3'
import type { FastifyInstance } from 'fastify'
import { fromMinor } from '#shared/domain/money'
import type { Row } from '#db/schema'
import { type Joined as JoinedExpense, baseOf, columns as expenseColumns, represent as representExpense } from './floor-expenses'

type Joined = Row<'reimbursements'> & {
  readonly payer_uid: string
  readonly payer_name: string
  readonly receiver_uid: string
  readonly receiver_name: string
  readonly responsible_uid: string
  readonly responsible_name: string
  readonly tags: string
}
type Plural = 'reimbursements' | 'advancements'

const pageOf = (plural: Plural) => `SELECT s.*, o.uid AS payer_uid, o.name AS payer_name,
  u.uid AS receiver_uid, u.first_name || ' ' || u.last_name AS receiver_name,
  r.uid AS responsible_uid, r.first_name || ' ' || r.last_name AS responsible_name,
  (SELECT json_group_array(t.name ORDER BY x.position) FROM ${plural.slice(0, -1)}_tags x JOIN tags t ON t.id = x.tag_id
    WHERE x.${plural.slice(0, -1)}_id = s.id) AS tags
  FROM ${plural} s JOIN organizations o ON o.id = s.payer_id JOIN users u ON u.id = s.receiver_id
  JOIN users r ON r.id = s.responsible_user_id
  WHERE s.payer_id = ? AND s.deleted_at IS NULL ORDER BY s.created_at DESC, s.id DESC LIMIT 30`

function represent(plural: Plural, row: Joined, base: string) {
  const href = `${base}/${plural}/${row.id}`
  return {
    id: row.id,
    uid: row.uid,
    version: row.version,
    amount: fromMinor(row.amount_minor, row.currency),
    currency: row.currency,
    description: row.description,
    date: row.date,
    payer: { id: row.payer_id, uid: row.payer_uid, name: row.payer_name, type: 'Organization', logo: [] },
    receiver: { id: row.receiver_id, uid: row.receiver_uid, name: row.receiver_name, type: 'User', avatar: [] },
    responsible_user: { id: row.responsible_user_id, uid: row.responsible_uid, name: row.responsible_name, type: 'User', avatar: [] },
    comments_count: row.comments_count,
    activities_count: row.activities_count,
    created_at: row.created_at,
    updated_at: row.updated_at,
    tags: JSON.parse(row.tags) as string[],
    _links: [
      { rel: 'self', method: 'GET', href },
      { rel: 'update', method: 'PUT', href },
      { rel: 'partial_update', method: 'PATCH', href },
      { rel: 'destroy', method: 'DELETE', href },
    ],
  }
}

/** The lists of reimbursements and advancements, and all balances, by the least SQL; sums and counts are taken once. */
export function serveSettlements(app: FastifyInstance, db: Database.Database): void {
  const paid = db.prepare<[string], JoinedExpense>(
    `${expenseColumns} WHERE e.reimbursement_id IN (SELECT value FROM json_each(?)) AND e.deleted_at IS NULL ORDER BY e.id`,
  )
  const withExpenses = (rows: Joined[], base: string) => {
    const expenses = Map.groupBy(paid.all(JSON.stringify(rows.map(({ id }) => id))), ({ reimbursement_id }) => reimbursement_id)
    return rows.map((row) => ({
      ...represent('reimbursements', row, base),
      expenses: (expenses.get(row.id) ?? []).map((expense) => representExpense(expense, base)),
    }))
  }
  for (const plural of ['reimbursements', 'advancements'] as const) {
    const page = db.prepare<[number], Joined>(pageOf(plural))
    const count = db.prepare<[number], number>(`SELECT count(*) FROM ${plural} WHERE payer_id = ? AND deleted_at IS NULL`).pluck()
    let total: number | undefined
    app.get<{ Querystring: Record<string, string> }>(`/api/v1/${plural}`, ({ query, host }, reply) => {
      const base = baseOf(host)
      const payer = Number(query['q[payer_id_eq]'])
      total ??= count.get(payer) ?? 0
      const rows = page.all(payer)
      const items = plural === 'reimbursements' ? withExpenses(rows, base) : rows.map((row) => represent(plural, row, base))
      return reply.send(JSON.stringify({ count: total, current_page: 1, total_pages: Math.ceil(total / 30), [plural]: items }))
    })
  }
  serveBalances(app, db)
}

interface Sum {
  readonly payer_id: number
  readonly receiver_id: number
  readonly currency: string
  readonly amount_minor: number
}
interface Party {
  readonly id: number
  readonly uid: string
  readonly name: string
}

/** The user whose token the load carries receives nothing: all balances are those of others. */
function serveBalances(app: FastifyInstance, db: Database.Database): void {
  const sums = db.prepare<[], Sum>(`SELECT payer_id, receiver_id, currency, sum(amount_minor) AS amount_minor FROM (
    SELECT payer_id, receiver_id, currency, amount_minor FROM advancements WHERE deleted_at IS NULL
    UNION ALL SELECT payer_id, receiver_id, currency, -amount_minor FROM advancement_devolutions WHERE deleted_at IS NULL
    UNION ALL SELECT payer_id, receiver_id, approved_amount_currency, -approved_amount_minor FROM expenses
      WHERE deleted_at IS NULL AND liquidate_through_advancement = 1 AND status = 'liquidated')
    GROUP BY payer_id, receiver_id, currency ORDER BY payer_id, receiver_id, currency`)
  const among = (table: string) => `FROM ${table} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`
  const users = db.prepare<[string], Party>(`SELECT id, uid, first_name || ' ' || last_name AS name ${among('users')}`)
  const organizations = db.prepare<[string], Party>(`SELECT id, uid, name ${among('organizations')}`)
  let once: Sum[] | undefined
  app.get('/api/v1/advancements/balances', (_request, reply) => {
    const rows = (once ??= sums.all())
    const known = (table: typeof users, ids: number[]) =>
      new Map(table.all(JSON.stringify([...new Set(ids)])).map((party) => [party.id, party]))
    const payers = known(
      organizations,
      rows.map(({ payer_id }) => payer_id),
    )
    const receivers = known(
      users,
      rows.map(({ receiver_id }) => receiver_id),
    )
    const objects = rows.map(({ amount_minor, currency, payer_id, receiver_id }) => ({
      amount: fromMinor(amount_minor, currency),
      currency,
      payer: { ...payers.get(payer_id), type: 'Organization' },
      receiver: { ...receivers.get(receiver_id), type: 'User' },
    }))
    return reply.send(
      JSON.stringify({
        available_payers: [...payers.values()].map((party) => ({ ...party, type: 'Organization', logo: [] })),
        available_receivers: [...receivers.values()].map((party) => ({ ...party, type: 'User', avatar: [] })),
        my_balances: { count: 0, objects: [] },
        other_balances: { count: objects.length, objects },
      }),
    )
  })
}
