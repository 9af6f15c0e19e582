import { expect, test } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { startReplica } from '#test/support/sync/replica'

const remote = await instanceOfFile()

const countOn = async ({ api }: Pick<Person, 'api'>, id: number): Promise<number> =>
  (await api.get(`/expenses/${id}`)).body.flags.find(({ condition }: Json) => condition === 'repeat')?.value ?? 0

test('a decision made offline reaches the remote, and both say the same', async () => {
  const { manager, member } = remote
  const first = await recordExpense(remote, member, { amount: 71, description: 'Hotel' })
  const second = await recordExpense(remote, member, { amount: 71, description: 'Hotel' })
  const replica = await startReplica(remote.url, manager)
  try {
    await replica.sync()
    expect(await countOn(replica, second.id)).toBe(1)
    const path = `/organizations/${remote.organization_id}/repeat_decisions`
    const body = { expense_id: first.id, other_expense_id: second.id, name: 'Two nights' }
    expect((await replica.api.send('POST', path, body)).status).toBe(201)
    expect([await countOn(replica, second.id), await countOn(manager, second.id)]).toEqual([0, 1])
    await replica.sync()
    expect([await countOn(replica, second.id), await countOn(manager, second.id)]).toEqual([0, 0])
    const { decisions } = (await manager.api.get(`/expenses/${first.id}/repeats`)).body
    expect(decisions).toMatchObject([{ name: 'Two nights', user: { id: manager.user_id } }])
    await manager.api.send('DELETE', `${path}/${decisions[0].id}`)
    await replica.sync()
    expect([await countOn(replica, second.id), await countOn(manager, second.id)]).toEqual([1, 1])
  } finally {
    await replica.remove()
  }
})

test('an expense that is recorded offline is compared there with what its user sees, and by the remote with all', async () => {
  const { member, analyst } = remote
  await recordExpense(remote, analyst, { amount: 72, description: 'Dinner with the board' })
  const replica = await startReplica(remote.url, member)
  try {
    await replica.sync()
    const payer = { id: remote.organization_id, type: 'Organization' }
    const recorded = { payer, amount: 72, occurred_at: '2026-03-04', description: 'Dinner with the board' }
    const { id } = (await replica.api.send('POST', '/expenses', recorded)).body
    expect(await countOn(replica, id)).toBe(0)
    await replica.sync()
    expect([await countOn(replica, id), await countOn(member, id)]).toEqual([1, 1])
    expect((await replica.api.get(`/expenses/${id}/repeats`)).body.repeats).toEqual([])
  } finally {
    await replica.remove()
  }
})
