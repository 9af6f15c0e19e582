import { join } from 'node:path'
import Database from 'better-sqlite3'
import Fastify, { type FastifyInstance } from 'fastify'
import { type Joined, baseOf, columns, represent } from './floor-expenses'
import { serveSettlements } from './floor-settlements'

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
    insert.get(uid, payer_id, receiver_id, receiver_id, amount_minor, amount_minor * 100, at, at, occurred_at, description)?.id ?? 0
}

/**
 * The floor: the same bytes from bare Fastify and better-sqlite3 with the same durability, by the least SQL that makes them.
 * No credentials, permissions, validation, audit trail, change log, idempotency or search index; counts are taken once.
 */
export function createFloor(folder: string): FastifyInstance {
  const db = openBare(folder)
  const one = db.prepare<[number], Joined>(`${columns} WHERE e.id = ? AND e.deleted_at IS NULL`)
  const order = 'ORDER BY e.occurred_at DESC, e.id DESC LIMIT 30'
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
  app.addHook('onClose', () => db.close())
  const show = (id: number, host: string) => {
    const row = one.get(id)
    if (!row) throw new Error('There is no such expense.')
    return represent(row, baseOf(host))
  }
  app.get<{ Params: { id: string } }>('/api/v1/expenses/:id', (request, reply) =>
    reply.send(JSON.stringify(show(Number(request.params.id), request.host))),
  )
  app.get<{ Querystring: Record<string, string> }>('/api/v1/expenses', ({ query, url, host }, reply) => {
    const payer = Number(query['q[payer_id_eq]'])
    const status = query['q[status_eq]']
    const receiver = Number(query['q[receiver_id_eq]'])
    const total = counts.get(url) ?? (status === undefined ? count.get(payer) : countFiltered.get(payer, status, receiver)) ?? 0
    counts.set(url, total)
    const rows = status === undefined ? page.all(payer) : filtered.all(payer, status, receiver)
    const expenses = rows.map((row) => represent(row, baseOf(host)))
    return reply.send(JSON.stringify({ count: total, current_page: 1, total_pages: Math.ceil(total / 30), expenses }))
  })
  let made = 0
  app.post<{ Body: { payer: { id: number }; amount: number; occurred_at: string; description: string } }>(
    '/api/v1/expenses',
    ({ body, host }, reply) => {
      made += 1
      const at = new Date(performance.timeOrigin + performance.now()).toISOString()
      const { payer, amount, ...rest } = body
      const id = insert({ ...rest, uid: `floor-${made}`, payer_id: payer.id, receiver_id: 1, amount_minor: Math.round(amount * 100), at })
      return reply.code(201).send(JSON.stringify(show(id, host)))
    },
  )
  app.put<{ Params: { id: string }; Body: { status: string } }>('/api/v1/expenses/:id/status', ({ params, body, host }, reply) => {
    move.run(body.status, Number(params.id))
    return reply.send(JSON.stringify(show(Number(params.id), host)))
  })
  app.post<{ Body: { operations: Array<{ path: string; body: { approved_amount: number } }> } }>(
    '/api/v1/batch',
    ({ body, host }, reply) => {
      const results = db.transaction(() =>
        body.operations.map((operation) => {
          const id = Number(operation.path.split('/')[2])
          const minor = Math.round(operation.body.approved_amount * 100)
          approve.run(minor, minor * 100, id)
          return { status: 200, body: show(id, host) }
        }),
      )()
      return reply.send(JSON.stringify({ results }))
    },
  )
  serveSettlements(app, db)
  return app
}

/** Runs the floor until the process is ended, and writes its address to standard output. */
export async function serveFloor(folder: string): Promise<void> {
  const url = await createFloor(folder).listen({ host: '127.0.0.1', port: 0 })
  process.stdout.write(`${JSON.stringify({ url })}\n`)
}
