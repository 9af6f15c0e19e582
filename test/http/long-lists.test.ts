import Database from 'better-sqlite3'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import { type Instance, startInstance } from '#test/support/instance'

/** More than the responding thread counts itself. */
const rows = 20_100

let instance: Instance
/** The counts of expenses that the responding thread has run since the last look. */
let counts: string[] = []

beforeAll(async () => {
  instance = await startInstance()
  const { organization_id, admin } = instance
  const raw = new Database(join(instance.folder, 'outlay.db'))
  const at = '2026-01-02T00:00:00Z'
  raw
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows})
       INSERT INTO expenses (uid, payer_id, receiver_id, author_id, kind, status, currency, amount_minor, amount_scaled, created_at, updated_at, occurred_at)
       SELECT 'long-' || n, @payer, @user, @user, 'monetary', 'awaiting_analysis', 'BRL', 100, 10000, @at, @at, @at FROM numbers`,
    )
    .run({ payer: organization_id, user: admin.user_id, at })
  raw.close()
  const statement = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1'))
  const all = Reflect.get(statement, 'all')
  vi.spyOn(statement, 'all').mockImplementation(function (this: Database.Statement, ...values: unknown[]) {
    if (/^select count\(\*\).* from "expenses"/.test(this.source)) counts.push(this.source)
    return Reflect.apply(all, this, values)
  })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await instance.remove()
})

async function countOf(filter: string): Promise<number> {
  const { status, body } = await instance.admin.api.get(`/expenses?q[payer_id_eq]=${instance.organization_id}${filter}`)
  expect(status).toBe(200)
  return body.count
}

test('a list of many rows is counted, also after each write, without the responding thread', async () => {
  expect(await countOf('')).toBe(rows)
  for (const more of [1, 2]) {
    await recordExpense(instance, instance.admin)
    expect(await Promise.all([countOf(''), countOf('')])).toEqual([rows + more, rows + more])
  }
  expect(counts).toEqual([])
})

test('a list of few rows is counted where it is read', async () => {
  counts = []
  expect(await countOf('&q[status_eq]=approved')).toBe(0)
  expect(counts).toHaveLength(1)
})
