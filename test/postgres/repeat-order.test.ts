import pg from 'pg'
import { expect, test } from 'vitest'
import { createKysely } from '#main/store/postgres/compiler'
import { bind } from '#main/store/core/connection'
import { listEarlierClaimed } from '#main/store/records/expenses/parts-reader'
import { listEarlierNear } from '#main/store/records/expenses/repeat-reader'
import { databaseOf, isOnPostgres } from '#test/support/databases/database-of'
import { startInstance } from '#test/support/instance'

const days = { first: '2026-01-01', last: '2026-01-09', most: 24, skipped: 0 }
const asked = { payer_id: 1, receiver_id: 1, amount_minor: 1250, currency: 'BRL', id: 1, created_at: '2026-01-02T00:00:00Z', ...days }
const db = createKysely(() => Promise.reject(new Error('This only compiles.')))

test.skipIf(!isOnPostgres).each([
  ['of the same amount', listEarlierNear.build(db).compile()],
  ['of the same person', listEarlierClaimed.build(db).compile()],
])('the search for repeats reads a few of many expenses %s, in the order of an index', async (_name, { sql, parameters }) => {
  const instance = await startInstance()
  const client = new pg.Client({ connectionString: await databaseOf(instance.folder) })
  await client.connect()
  try {
    // Sorts only what no index has in this order.
    await client.query('SET enable_sort = off; SET enable_seqscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, bind(parameters, asked))
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Index Scan')
    expect(plan).not.toContain('Sort')
  } finally {
    await client.end()
    await instance.remove()
  }
})
