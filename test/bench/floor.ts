import { join } from 'node:path'
import Database from 'better-sqlite3'
import Fastify from 'fastify'
import { fromMinor } from '#shared/domain/money'
import type { Row } from '#db/schema'

type Joined = Row<'expenses'> & {
  readonly payer_uid: string
  readonly payer_name: string
  readonly receiver_uid: string
  readonly receiver_name: string
  readonly responsible_uid: string | null
  readonly responsible_name: string | null
  readonly tags: string | null
}

const columns = `SELECT e.*, o.uid AS payer_uid, o.name AS payer_name, u.uid AS receiver_uid, u.first_name || ' ' || u.last_name AS receiver_name,
  r.uid AS responsible_uid, r.first_name || ' ' || r.last_name AS responsible_name,
  (SELECT group_concat(t.name, ', ' ORDER BY x.position) FROM expense_tags x JOIN tags t ON t.id = x.tag_id WHERE x.expense_id = e.id) AS tags
  FROM expenses e JOIN organizations o ON o.id = e.payer_id JOIN users u ON u.id = e.receiver_id LEFT JOIN users r ON r.id = e.responsible_user_id`

function represent(row: Joined) {
  const href = `/expenses/${row.id}`
  const { approved_amount_minor: approved, approved_amount_currency: approved_currency, responsible_user_id } = row
  return {
    id: row.id,
    uid: row.uid,
    version: row.version,
    description: row.description,
    kind: row.kind,
    amount: fromMinor(row.amount_minor, row.currency),
    currency: row.currency,
    approved_amount: approved === null || approved_currency === null ? null : fromMinor(approved, approved_currency),
    approved_amount_currency: approved_currency,
    status: row.status,
    occurred_at: row.occurred_at,
    payer: { id: row.payer_id, uid: row.payer_uid, name: row.payer_name, type: 'Organization', logo: [] },
    receiver: { id: row.receiver_id, uid: row.receiver_uid, name: row.receiver_name, type: 'User', avatar: [] },
    responsible_user:
      responsible_user_id === null
        ? null
        : { id: responsible_user_id, uid: row.responsible_uid, name: row.responsible_name, type: 'User', avatar: [] },
    attachments: [],
    tags: row.tags ?? '',
    latitude: row.latitude,
    longitude: row.longitude,
    location: row.location,
    attachments_count: row.attachments_count,
    comments_count: row.comments_count,
    activities_count: row.activities_count,
    liquidate_through_advancement: row.liquidate_through_advancement === 1,
    ignore_noncompliant: row.ignore_noncompliant === null ? null : row.ignore_noncompliant === 1,
    pre_expense_id: row.pre_expense_id,
    corporative_card_id: row.corporative_card_id,
    reimbursement_id: row.reimbursement_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    _links: [
      { rel: 'self', method: 'GET', href },
      { rel: 'update', method: 'PUT', href },
      { rel: 'partial_update', method: 'PATCH', href },
      { rel: 'destroy', method: 'DELETE', href },
      { rel: 'activities', method: 'GET', href: `${href}/activities` },
    ],
  }
}

/** Opens a database as the program does. */
export function openBare(folder: string): Database.Database {
  const db = new Database(join(folder, 'outlay.db'))
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    'cache_size = -65536',
    'mmap_size = 268435456',
    'temp_store = MEMORY',
  ])
    db.pragma(pragma)
  return db
}

interface NewExpense {
  readonly uid: string
  readonly payer_id: number
  readonly receiver_id: number
  readonly amount_minor: number
  readonly at: string
  readonly occurred_at: string
  readonly description: string
}

/** A bare insert of an expense: the one row and nothing beside it. */
export function prepareInsert(db: Database.Database) {
  const insert = db.prepare<unknown[], { id: number }>(
    `INSERT INTO expenses (uid, payer_id, receiver_id, author_id, kind, status, currency, amount_minor, amount_scaled, created_at, updated_at, occurred_at, description)
     VALUES (?, ?, ?, ?, 'monetary', 'awaiting_analysis', 'BRL', ?, ?, ?, ?, ?, ?) RETURNING id`,
  )
  return ({ uid, payer_id, receiver_id, amount_minor, at, occurred_at, description }: NewExpense): number =>
    insert.get(uid, payer_id, receiver_id, receiver_id, amount_minor, amount_minor * 100, at, at, occurred_at, description)?.id ??
    0
}

/**
 * The floor: the same bytes from bare Fastify and better-sqlite3 with the same durability, by the least SQL that makes them.
 * No credentials, permissions, validation, audit trail, change log, idempotency or search index; counts are taken once.
 */
export async function serveFloor(folder: string): Promise<void> {
  const db = openBare(folder)
  const one = db.prepare<[number], Joined>(`${columns} WHERE e.id = ? AND e.deleted_at IS NULL`)
  const order = 'ORDER BY e.created_at DESC, e.id DESC LIMIT 30'
  const page = db.prepare<[number], Joined>(`${columns} WHERE e.payer_id = ? AND e.deleted_at IS NULL ${order}`)
  const filtered = db.prepare<[number, string, number], Joined>(
    `${columns} WHERE e.payer_id = ? AND e.status = ? AND e.receiver_id = ? AND e.deleted_at IS NULL ${order}`,
  )
  const count = db.prepare<[number], number>('SELECT count(*) FROM expenses WHERE payer_id = ? AND deleted_at IS NULL').pluck()
  const countFiltered = db
    .prepare<[number, string, number], number>(
      'SELECT count(*) FROM expenses WHERE payer_id = ? AND status = ? AND receiver_id = ? AND deleted_at IS NULL',
    )
    .pluck()
  const insert = prepareInsert(db)
  const move = db.prepare<[status: string, id: number]>(
    'UPDATE expenses SET status = ?, responsible_user_id = 1, version = version + 1 WHERE id = ?',
  )
  const approve = db.prepare<[minor: number, scaled: number, id: number]>(
    "UPDATE expenses SET status = 'approved', approved_amount_minor = ?, approved_amount_scaled = ?, approved_amount_currency = 'BRL', version = version + 1 WHERE id = ?",
  )
  const counts = new Map<string, number>()
  const app = Fastify()
  app.addHook('onSend', async (_request, reply) => void reply.header('content-type', 'application/json; charset=utf-8'))
  const show = (id: number) => {
    const row = one.get(id)
    if (!row) throw new Error('There is no such expense.')
    return represent(row)
  }
  app.get<{ Params: { id: string } }>('/api/v1/expenses/:id', (request, reply) =>
    reply.send(JSON.stringify(show(Number(request.params.id)))),
  )
  app.get<{ Querystring: Record<string, string> }>('/api/v1/expenses', ({ query, url }, reply) => {
    const payer = Number(query['q[payer_id_eq]'])
    const status = query['q[status_eq]']
    const receiver = Number(query['q[receiver_id_eq]'])
    const total = counts.get(url) ?? (status === undefined ? count.get(payer) : countFiltered.get(payer, status, receiver)) ?? 0
    counts.set(url, total)
    const rows = status === undefined ? page.all(payer) : filtered.all(payer, status, receiver)
    return reply.send(
      JSON.stringify({ count: total, current_page: 1, total_pages: Math.ceil(total / 30), expenses: rows.map(represent) }),
    )
  })
  let made = 0
  app.post<{ Body: { payer: { id: number }; amount: number; occurred_at: string; description: string } }>(
    '/api/v1/expenses',
    ({ body }, reply) => {
      made += 1
      const at = new Date(performance.timeOrigin + performance.now()).toISOString()
      const { payer, amount, ...rest } = body
      const id = insert({
        ...rest,
        uid: `floor-${made}`,
        payer_id: payer.id,
        receiver_id: 1,
        amount_minor: Math.round(amount * 100),
        at,
      })
      return reply.code(201).send(JSON.stringify(show(id)))
    },
  )
  app.put<{ Params: { id: string }; Body: { status: string } }>('/api/v1/expenses/:id/status', ({ params, body }, reply) => {
    move.run(body.status, Number(params.id))
    return reply.send(JSON.stringify(show(Number(params.id))))
  })
  app.post<{ Body: { operations: Array<{ path: string; body: { approved_amount: number } }> } }>(
    '/api/v1/batch',
    ({ body }, reply) => {
      const results = db.transaction(() =>
        body.operations.map((operation) => {
          const id = Number(operation.path.split('/')[2])
          const minor = Math.round(operation.body.approved_amount * 100)
          approve.run(minor, minor * 100, id)
          return { status: 200, body: show(id) }
        }),
      )()
      return reply.send(JSON.stringify({ results }))
    },
  )
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  process.stdout.write(`${JSON.stringify({ url })}\n`)
}
