import { beforeAll, expect, test } from 'vitest'
import { instanceOfFile } from '#test/support/of-file'
import { moveExpense, newExpense, recordExpense } from '#test/support/expenses'
import { approvedExpense, recordMoney } from '#test/support/settlements'

const instance = await instanceOfFile()
beforeAll(async () => {
  const { member, analyst, manager, admin } = instance
  const { id } = await recordExpense(instance, member, { tags: ['one', 'two'] })
  await member.api.send('PATCH', `/expenses/${id}`, { amount: 20, tags: ['three'] })
  await member.api.send('PATCH', `/expenses/${id}`, { amount: 20 })
  await member.api.send('PATCH', `/expenses/${id}`, { amount: -1 })
  await moveExpense(analyst, id, { status: 'analyzing' })
  await moveExpense(manager, id, { status: 'approved', approved_amount: 20 })
  const gone = await recordExpense(instance, analyst, { kind: 'distance', distance: 5 })
  await admin.api.send('DELETE', `/expenses/${gone.id}`)
  const create = { method: 'POST', path: '/expenses', body: newExpense(instance) }
  await member.api.send('POST', '/batch', { operations: [create, { ...create, body: {} }, create] })
  await member.api.send('POST', '/batch', { atomic: true, operations: [create, { ...create, body: {} }] })
  await member.api.send('POST', '/expenses', newExpense(instance), { 'idempotency-key': 'once' })
  await member.api.send('POST', '/expenses', newExpense(instance), { 'idempotency-key': 'once' })
  await settle()
})

async function settle(): Promise<void> {
  const { api } = instance.manager
  const [first, second] = [await approvedExpense(instance), await approvedExpense(instance)]
  const paid = await recordMoney(instance, '/reimbursements', { expense_ids: [first.id], tags: ['one'] })
  await api.send('PATCH', `/reimbursements/${paid.id}`, { expense_ids: [second.id] })
  await api.send('PATCH', `/reimbursements/${paid.id}`, { expense_ids: [second.id], tags: ['one'] })
  await api.send('PATCH', `/reimbursements/${paid.id}`, { expense_ids: [], tags: [], amount: 3, currency: 'USD' })
  await api.send('PATCH', `/reimbursements/${paid.id}`, { amount: 4, expense_ids: [999_999] })
  const gone = await recordMoney(instance, '/reimbursements', { expense_ids: [first.id] })
  await api.send('POST', `/reimbursements/${gone.id}/comments`, { content: 'Wrong one' })
  await api.send('DELETE', `/reimbursements/${gone.id}`)
  const advance = await recordMoney(instance, '/advancements', { tags: ['one'] })
  await api.send('PATCH', `/advancements/${advance.id}`, { tags: ['two'] })
  await api.send('POST', `/advancements/${advance.id}/comments`, { content: 'For the fair' })
  await api.send('DELETE', `/advancements/${advance.id}`)
  await recordMoney(instance, '/advancement_devolutions', { amount: 1 })
}

const read = () => instance.app.store.reader.db

test('every record’s version is that of its newest row in the change log', async () => {
  const tables = await read().introspection.getTables()
  const records = tables.filter(({ columns }) =>
    ['uid', 'version', 'deleted_at'].every((name) => columns.some((column) => column.name === name)),
  )
  expect(records.length).toBeGreaterThan(10)
  let checked = 0
  for (const { name } of records) {
    // The name comes from the database's own schema.
    const table = name as 'expenses'
    const rows = await read().selectFrom(table).select(['id', 'uid', 'version', 'deleted_at']).execute()
    for (const { id, uid, version, deleted_at } of rows) {
      const log = await read()
        .selectFrom('change_log')
        .selectAll()
        .where('table_name', '=', table)
        .where('record_id', '=', id)
        .orderBy('seq')
        .execute()
      expect(log.map((row) => row.version)).toEqual(Array.from({ length: version }, (_, index) => index + 1))
      expect(new Set(log.map((row) => row.record_uid))).toEqual(new Set([uid]))
      expect(log[0]?.operation).toBe('insert')
      expect(log.at(-1)?.operation === 'delete').toBe(deleted_at !== null)
      checked += 1
    }
  }
  expect(checked).toBeGreaterThan(15)
})

test('the log is in strictly rising order, and every nonce is its own', async () => {
  const log = await read().selectFrom('change_log').select(['seq', 'nonce']).orderBy('seq').execute()
  expect(log.every(({ seq }, index) => index === 0 || seq > (log[index - 1]?.seq ?? 0))).toBe(true)
  expect(new Set(log.map(({ nonce }) => nonce)).size).toBe(log.length)
})

test.each([
  ['expenses', 'Expense'],
  ['reimbursements', 'Reimbursement'],
  ['advancements', 'Advancement'],
] as const)('every change of %s is in the audit trail, and its count is right', async (table, type) => {
  const records = await read().selectFrom(table).select(['id', 'activities_count', 'version']).execute()
  expect(records.length).toBeGreaterThan(0)
  for (const { id, activities_count, version } of records) {
    const activities = await read()
      .selectFrom('activities')
      .select('event')
      .where('subject_type', '=', type)
      .where('subject_id', '=', id)
      .execute()
    expect(activities).toHaveLength(activities_count)
    expect(activities_count).toBe(version)
  }
})

test('rejected and rolled back writes leave nothing', async () => {
  expect(await read().selectFrom('expenses').select('id').where('deleted_at', 'is', null).execute()).toHaveLength(6)
})

test('the audit trail is append-only, for every user', async () => {
  const actor = { user_id: instance.admin.user_id, origin: 'test', request_id: null, if_match: null }
  const { store } = instance.app
  await expect(store.transact(actor, (tx) => tx.db.deleteFrom('activities').execute())).rejects.toThrow('append-only')
  await expect(store.transact(actor, (tx) => tx.db.updateTable('activities').set({ event: 'x' }).execute())).rejects.toThrow('append-only')
})
