import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Operation, OperationResult } from '#shared/contract/sync'
import { syncRoutes } from '#shared/contract/sync'
import { newExpense } from '#test/support/expenses'
import { type Instance, startInstance } from '#test/support/instance'

let together: Instance
let apart: Instance
beforeEach(async () => {
  together = await startInstance()
  apart = await startInstance()
})
afterEach(async () => {
  await together.remove()
  await apart.remove()
})

const uidOf = (number: number) => `01a1fd47-d104-7042-8aa0-${number.toString(16).padStart(12, '0')}`

/** An operation that records an expense; `number` names it. */
function record(number: number, body: object, more: Partial<Operation> = {}): Operation {
  return {
    ...{ op_id: uidOf(number), api_version: 'v1', method: 'POST', path: '/expenses', body },
    ...{ refs: [], blobs: [], minted: [{ table: 'expenses', id: null, uid: uidOf(0x1000 + number) }], seen: [], after: [] },
    ...{ base: {}, mine: {}, created_at: '2026-03-04T00:00:00Z', ...more },
  }
}

async function push({ member }: Instance, operations: readonly Operation[]): Promise<OperationResult[]> {
  return syncRoutes.push.response.parse((await member.api.send('POST', '/sync/push', { operations })).body).results
}

/** Results by the order of their changes: PostgreSQL gives no number a second time that it gave to a change which was undone. */
function inOrder(results: readonly OperationResult[]) {
  const numbers = [...new Set(results.map(({ seq }) => seq))].toSorted((one, other) => one - other)
  return results.map(({ seq, ...result }) => ({ ...result, place: numbers.indexOf(seq) }))
}

/** What is stored of expenses, without what no two instances have alike; ids by their order, as in {@link inOrder}. */
async function stored({ app }: Instance) {
  const { db } = app.store.reader
  const expenses = await db.selectFrom('expenses').selectAll().orderBy('id').execute()
  const activities = await db.selectFrom('activities').selectAll().where('event', '=', 'expense_created').orderBy('id').execute()
  const log = await db.selectFrom('change_log').selectAll().where('op_id', 'is not', null).orderBy('seq').execute()
  const tags = await db.selectFrom('expense_tags').innerJoin('tags', 'tags.id', 'tag_id').select(['expense_id', 'name']).execute()
  const found = await db.selectFrom('expense_search').select('rowid').orderBy('rowid').execute()
  const placeOf = (id: number) => expenses.findIndex((row) => row.id === id)
  return {
    expenses: expenses.map(({ id: _i, created_at: _c, updated_at: _u, ...row }) => row),
    activities: activities.map(({ subject_id, user_id, origin, details }) => ({ subject: placeOf(subject_id), user_id, origin, details })),
    log: log.map(({ table_name, record_id, version, op_id, actor_user_id }) => ({
      ...{ table_name, record: table_name === 'expenses' ? placeOf(record_id) : null },
      ...{ version, op_id, actor_user_id },
    })),
    tags: tags.map(({ expense_id, name }) => `${placeOf(expense_id)} ${name}`).toSorted(),
    found: found.map(({ rowid }) => placeOf(rowid)),
  }
}

describe('new expenses that are pushed together', () => {
  test('are stored as if each had been pushed alone, and each result names its own change', async () => {
    const make = (instance: Instance) =>
      Array.from({ length: 45 }, (_, index) => record(index, newExpense(instance, { amount: index + 1, description: `Taxi ${index}` })))
    const results = await push(together, make(together))
    const alone: OperationResult[] = []
    for (const operation of make(apart)) alone.push(...(await push(apart, [operation])))
    expect(inOrder(results)).toEqual(inOrder(alone))
    expect(await stored(together)).toEqual(await stored(apart))
    const log = await together.app.store.reader.db
      .selectFrom('change_log')
      .select(['seq', 'op_id'])
      .where('op_id', 'is not', null)
      .execute()
    expect(log).toEqual(results.map(({ seq, op_id }) => ({ seq, op_id })))
    expect(await push(together, make(together))).toEqual(results.map((result) => ({ ...result, is_duplicate: true })))
  })

  test('are carried out one by one where one is refused, makes a tag, waits or was there before: each comes to the same', async () => {
    const make = (instance: Instance) => {
      const body = (number: number, more: object = {}) => newExpense(instance, { amount: number + 1, ...more })
      const card = { at: 'body.corporative_card_id', table: 'corporative_cards', uid: uidOf(0x2000) }
      return [
        ...Array.from({ length: 20 }, (_, number) => record(number, body(number, number === 5 ? { tags: ['Porto'] } : {}))),
        ...[record(20, body(20)), record(21, body(21, { tags: ['Lisbon'] })), record(22, body(22))],
        ...[record(23, body(23, { tags: ['Lisbon'] })), record(24, body(24, { amount: undefined })), record(25, body(25))],
        ...[record(26, body(26, { receiver: { id: instance.analyst.user_id, type: 'User' } })), record(3, body(3)), record(4, body(99))],
        ...[record(27, body(27, { corporative_card_id: 1 }), { refs: [card] })],
        ...[record(28, body(28), { minted: [{ table: 'expenses', id: null, uid: uidOf(0x1000) }] }), record(29, body(29))],
      ]
    }
    const results = await push(together, make(together))
    const alone: OperationResult[] = []
    for (const operation of make(apart)) alone.push(...(await push(apart, [operation])))
    const kinds = results.map(({ kind, is_duplicate }) => (is_duplicate ? 'repeat' : kind))
    expect(kinds.slice(20)).toContain('rejected')
    expect(kinds.slice(20)).toContain('repeat')
    expect(inOrder(results)).toEqual(inOrder(alone))
    const [one, other] = [await stored(together), await stored(apart)]
    const unlike = (expenses: typeof one.expenses) => expenses.map((row) => ({ ...row, uid: row.amount_minor === 2900 ? '' : row.uid }))
    expect({ ...one, expenses: unlike(one.expenses) }).toEqual({ ...other, expenses: unlike(other.expenses) })
  })
})
