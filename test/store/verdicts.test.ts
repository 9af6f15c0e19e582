import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { noteProgramVersion } from '#main/store/core/instance-settings'
import { judgeAllAgain, listVerdictProblems, mendVerdicts } from '#main/store/records/expenses/verdicts'
import { findPolicyRun } from '#main/store/queues/policy-runs'
import { findSumRun } from '#main/store/queues/sum-runs'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { type Instance, type Json, startInstance } from '#test/support/instance'

let instance: Instance
let ids: number[]
beforeAll(async () => {
  instance = await startInstance()
  const path = `/organizations/${instance.organization_id}/policies`
  const said = { weight: 'note', amount: 80, currency: 'BRL' }
  await instance.manager.api.send('POST', path, { name: 'Meals', condition: 'amount_over', ...said })
  await instance.manager.api.send('POST', path, { name: 'Day', condition: 'sum_over', period: 'day', ...said })
  const amounts = [50, 60, 90]
  const made = await Promise.all(
    amounts.map((amount) => recordExpense(instance, instance.member, { amount, occurred_at: '2026-03-10' })),
  )
  ids = made.map(({ id }) => id)
  await vi.waitFor(async () => expect(await values()).toEqual([[200], [200], [90, 200]]))
  const { reader } = instance.app.store
  await vi.waitFor(async () => expect([await findPolicyRun(reader), await findSumRun(reader)]).toEqual([undefined, undefined]))
})
afterAll(() => instance.remove())

const values = () =>
  Promise.all(
    ids.map(async (id) => (await instance.manager.api.get(`/expenses/${id}`)).body.flags.map(({ value }: Json) => value)),
  )

const actor = { user_id: 0, origin: 'cli', request_id: null, if_match: null } as const

/** As a program did that found other things. */
async function findOtherwise(): Promise<void> {
  await instance.app.store.transact(actor, async (tx) => {
    await tx.write(`UPDATE expenses SET flags = replace(flags, '20000', '19999') WHERE id = ?`, [ids[0] ?? 0])
    await tx.write(`UPDATE expenses SET flags = NULL, flag_level = NULL WHERE id = ?`, [ids[2] ?? 0])
  })
}

test('what the stored versions give is what is stored; where it is not, the check says so and repairs it', async () => {
  const { store } = instance.app
  expect(await listVerdictProblems(store.reader)).toEqual([])
  await findOtherwise()
  expect(await listVerdictProblems(store.reader)).toEqual(
    [ids[0], ids[2]].map((id) => `The findings of expense ${id} are not those that its policies give.`),
  )
  await store.transact(actor, mendVerdicts)
  expect(await listVerdictProblems(store.reader)).toEqual([])
  expect(await values()).toEqual([[200], [200], [90, 200]])
})

test('a decided expense keeps what was found, and the check says where the version that it names cannot have found it', async () => {
  const { store } = instance.app
  const { id } = await recordExpense(instance, instance.member, { amount: 95, occurred_at: '2026-07-01' })
  const approval = { status: 'approved', approved_amount: 95, approved_amount_currency: 'BRL' }
  await moveExpense(instance.manager, id, approval)
  const [policy] = (await instance.manager.api.get(`/organizations/${instance.organization_id}/policies`)).body.policies
  await instance.manager.api.send('PATCH', `/organizations/${instance.organization_id}/policies/${policy.id}`, { amount: 70 })
  const { reader } = store
  await vi.waitFor(async () => expect([await findPolicyRun(reader), await findSumRun(reader)]).toEqual([undefined, undefined]))
  expect(await listVerdictProblems(reader)).toEqual([])
  await store.transact(actor, (tx) => tx.write(`UPDATE expenses SET flags = replace(flags, '9500', '7900') WHERE id = ?`, [id]))
  expect(await listVerdictProblems(reader)).toEqual([`The findings of decided expense ${id} are not those of the versions that they name.`])
  await store.transact(actor, (tx) => tx.write(`UPDATE expenses SET flags = replace(flags, '7900', '9500') WHERE id = ?`, [id]))
  await instance.manager.api.send('PATCH', `/organizations/${instance.organization_id}/policies/${policy.id}`, { amount: 80 })
})

test('after an update of the program everything open is judged again', async () => {
  await findOtherwise()
  await noteProgramVersion(instance.app.store, '99.0.0', judgeAllAgain)
  await vi.waitFor(async () => expect(await values()).toEqual([[200], [200], [90, 200]]))
})
