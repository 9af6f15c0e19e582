import { afterEach, beforeEach, expect, test } from 'vitest'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { type Instance, startInstance } from '#test/support/instance'
import { recordMoney } from '#test/support/settlements'
import { verified } from '#test/support/audit'

let instance: Instance
beforeEach(async () => {
  instance = await startInstance()
})
afterEach(() => instance.remove())

const nobody = { user_id: 0, origin: 'system', request_id: null, if_match: null }
const changed = (text: string) => instance.app.store.transact(nobody, (tx) => tx.write(text, []))
const found = async () => (await verified(instance)).problems.map(({ code, about }) => [code, about])

test('records that Outlay wrote are as the trail says, through every act', async () => {
  const { member, manager, admin } = instance
  const approved = await recordExpense(instance, member, { amount: 40, currency: 'EUR', tags: 'Taxi', location: 'Bonn' })
  await moveExpense(manager, approved.id, { status: 'approved', approved_amount: 30.5, approved_amount_currency: 'EUR' })
  await recordMoney(instance, '/reimbursements', { amount: 30.5, currency: 'EUR', expense_ids: [approved.id] })
  const edited = await recordExpense(instance, member, { amount: 7, currency: 'JPY' })
  await member.api.send('PATCH', `/expenses/${edited.id}`, {
    amount: 8.25,
    currency: 'USD',
    description: 'now in dollars',
    occurred_at: '2026-02-01',
  })
  await member.api.send('PATCH', `/expenses/${edited.id}`, { description: null })
  const gone = await recordExpense(instance, member, { amount: 1 })
  await member.api.send('DELETE', `/expenses/${gone.id}`)
  await recordMoney(instance, '/advancements', { amount: 100, currency: 'EUR' })
  await recordMoney(instance, '/advancement_devolutions', { amount: 20, currency: 'EUR' })
  const distance = { kind: 'distance', distance: 12.5, distance_kind: 'km', origin: 'A', destination: 'B' }
  await recordExpense(instance, member, { amount: 5, currency: 'EUR', ...distance })
  await admin.api.send('PUT', `/expenses/${edited.id}`, { ...edited, amount: 3 })
  expect(await found()).toEqual([])
})

test('policies and rules that were changed and deleted are as the trail says, and a deleted one that was changed behind its back is named', async () => {
  const { manager, admin, organization_id } = instance
  const of = (name: string) => `/organizations/${organization_id}/${name}`
  const terms = { name: 'Dear', amount: 80, currency: 'BRL' }
  const { body: policy } = await manager.api.send('POST', of('policies'), { ...terms, weight: 'block', condition: 'amount_over' })
  await manager.api.send('PATCH', `${of('policies')}/${policy.id}`, { amount: 90, name: 'Dearer' })
  const { body: rule } = await admin.api.send('POST', of('approval_rules'), { ...terms, rule: 'second_look' })
  expect((await manager.api.send('DELETE', `${of('policies')}/${policy.id}`)).status).toBe(204)
  expect((await admin.api.send('DELETE', `${of('approval_rules')}/${rule.id}`)).status).toBe(204)
  expect(await found()).toEqual([])
  await changed(`UPDATE policies SET amount_minor = 8000, amount_scaled = 800000 WHERE id = ${policy.id}`)
  expect(await found()).toEqual([['record', `Policy ${policy.id}: amount`]])
})

test('an expense that was changed, deleted, put in or removed behind its back is named', async () => {
  const [one, two, three] = await Promise.all(
    [1, 2, 3].map((amount) => recordExpense(instance, instance.member, { amount, currency: 'EUR' })),
  )
  const { id } = await recordMoney(instance, '/reimbursements', { amount: 9, currency: 'EUR' })
  await changed(`UPDATE expenses SET amount_minor = 100000, amount_scaled = 10000000 WHERE id = ${one?.id}`)
  await changed(`UPDATE expenses SET status = 'liquidated' WHERE id = ${two?.id}`)
  await changed(`UPDATE expenses SET deleted_at = '2026-01-01T00:00:00Z' WHERE id = ${three?.id}`)
  await changed(`UPDATE reimbursements SET amount_scaled = 1 WHERE id = ${id}`)
  expect(await found()).toEqual([
    ['record', `Expense ${one?.id}: amount`],
    ['record', `Expense ${two?.id}: status`],
    ['record_gone', `Expense ${three?.id}`],
    ['record_derived', `Reimbursement ${id}`],
  ])
})
