import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { attach } from '#test/support/attach'
import { recordExpense } from '#test/support/expenses'
import { type Api, type Instance, type Json, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'

let remote: Instance
let replica: ReplicaInstance
beforeEach(async () => {
  remote = await startInstance({ settings: { OUTLAY_SYNC: false } })
})
afterEach(async () => {
  await replica.remove()
  await remote.remove()
})

const expenseOf = async (api: Pick<Api, 'get'>, id: number): Promise<Json> => (await api.get(`/expenses/${id}`)).body
const operationsOf = async (list: string): Promise<Json[]> => (await replica.api.get(`/replica/operations?list=${list}`)).body.operations
const synced = { ended: 'synced', error: null, conflicts: 0, failed: 0 }

describe('what others do', () => {
  test('arrives: new records, changes, comments, receipts and money', async () => {
    const expense = await recordExpense(remote, remote.member, { amount: 30 })
    replica = await startReplica(remote.url, remote.manager)
    await replica.sync()
    const send = (method: string, path: string, body: unknown) => remote.manager.api.send(method, path, body)
    await remote.member.api.send('POST', `/expenses/${expense.id}/comments`, { content: 'see the receipt' })
    await attach(remote.member.api, expense.id, 'b.png')
    await send('PUT', `/expenses/${expense.id}/status`, { status: 'approved', approved_amount: 30 })
    const parties = { payer: { id: remote.organization_id, type: 'Organization' }, receiver: { id: remote.member.user_id, type: 'User' } }
    const money = { ...parties, amount: 30, date: '2026-01-05', currency: 'BRL' }
    const accountability = (
      await send('POST', '/accountabilities', { ...parties, title: 'Trip', description: null, expense_ids: [expense.id] })
    ).body
    const reimbursement = (await send('POST', '/reimbursements', { ...money, expense_ids: [expense.id], tags: ['Paid'] })).body
    const advancement = (await send('POST', '/advancements', { ...money, description: 'For the road' })).body
    expect(await replica.sync()).toMatchObject({ ...synced })
    for (const path of [
      `/expenses/${expense.id}`,
      `/reimbursements/${reimbursement.id}`,
      `/advancements/${advancement.id}`,
      `/accountability/${accountability.id}`,
    ]) {
      const [there, here] = [(await remote.manager.api.get(path)).body, (await replica.api.get(path)).body]
      const { attachments: _a, expenses: _e, payer: _p, receiver: _r, _links: _l, ...plain } = there
      expect(here).toMatchObject(plain)
    }
    expect((await expenseOf(replica.api, expense.id)).attachments).toHaveLength(1)
    const content = await fetch((await expenseOf(replica.api, expense.id)).attachments[0].url)
    expect(content.status).toBe(200)
    expect((await replica.api.get(`/expenses/${expense.id}/comments`)).body.comments).toMatchObject([{ content: 'see the receipt' }])
  })

  test('activities and balances are read from the remote, and from here when it is unreachable', async () => {
    const expense = await recordExpense(remote, remote.member)
    replica = await startReplica(remote.url, remote.manager)
    await replica.sync()
    const path = `/expenses/${expense.id}/activities`
    const there = (await remote.manager.api.get(path)).body
    expect(there.count).toBeGreaterThan(0)
    expect((await replica.api.get(path)).body.count).toBe(there.count)
    await remote.close()
    expect(await replica.api.get(path)).toMatchObject({ status: 200, body: { count: 0 } })
  })

  test('a deletion is noticed by the full listing, and absence from one list is not a deletion', async () => {
    const [gone, kept] = [await recordExpense(remote, remote.member), await recordExpense(remote, remote.member)]
    replica = await startReplica(remote.url, remote.manager)
    await replica.sync()
    await remote.member.api.send('DELETE', `/expenses/${gone.id}`)
    expect(await replica.sync()).toMatchObject({ ...synced })
    expect((await replica.api.get(`/expenses/${gone.id}`)).status).toBe(404)
    expect((await replica.api.get(`/expenses/${kept.id}`)).status).toBe(200)
    expect((await replica.api.get('/expenses')).body.count).toBe(1)
  })

  test('a deletion of more than is believed waits for a person', async () => {
    const ids: number[] = []
    for (let index = 0; index < 25; index += 1) ids.push((await recordExpense(remote, remote.member)).id)
    replica = await startReplica(remote.url, remote.manager)
    await replica.sync()
    for (const id of ids.slice(0, 22)) await remote.member.api.send('DELETE', `/expenses/${id}`)
    expect(await replica.sync()).toMatchObject({ ended: 'stopped' })
    expect((await replica.api.get('/expenses')).body.count).toBe(25)
    await replica.app.replica.decide('allow')
    expect(await replica.sync()).toMatchObject({ ...synced })
    expect((await replica.api.get('/expenses')).body.count).toBe(3)
  })

  test('what the user may see from now on comes whole', async () => {
    const expense = await recordExpense(remote, remote.member)
    replica = await startReplica(remote.url, remote.analyst)
    await remote.admin.api.send('PUT', `/organizations/${remote.organization_id}/members/${remote.analyst.user_id}`, { role: 'member' })
    await replica.sync()
    expect((await replica.api.get('/expenses')).body.count).toBe(0)
    const role = async (name: string) =>
      remote.admin.api.send('PUT', `/organizations/${remote.organization_id}/members/${remote.analyst.user_id}`, { role: name })
    await role('analyst')
    expect(await replica.sync()).toMatchObject({ ...synced })
    expect((await replica.api.get(`/expenses/${expense.id}`)).status).toBe(200)
    await role('member')
    expect(await replica.sync()).toMatchObject({ ...synced })
    expect((await replica.api.get('/expenses')).body.count).toBe(0)
  })
})

describe('money moved offline', () => {
  test('a reimbursement pays what it says, and what it paid is free again when it is deleted', async () => {
    const expense = await recordExpense(remote, remote.member, { amount: 30 })
    const { manager, member } = remote
    await manager.api.send('PUT', `/expenses/${expense.id}/status`, { status: 'approved', approved_amount: 30 })
    replica = await startReplica(remote.url, manager)
    await replica.sync()
    const made = await replica.api.send('POST', '/reimbursements', {
      payer: { id: remote.organization_id, type: 'Organization' },
      receiver: { id: member.user_id, type: 'User' },
      ...{ amount: 30, date: '2026-01-05', currency: 'BRL', expense_ids: [expense.id] },
    })
    expect(made.status).toBe(201)
    expect(await replica.sync()).toMatchObject({ ...synced, pushed: 1 })
    const here = (await replica.api.get(`/reimbursements/${made.body.id}`)).body
    expect(here).toMatchObject({ uid: made.body.uid, expenses: [{ id: expense.id, status: 'liquidated' }] })
    expect((await manager.api.get(`/reimbursements/${here.id}`)).body.expenses).toMatchObject([{ id: expense.id }])
    await replica.api.send('DELETE', `/reimbursements/${here.id}`)
    expect(await replica.sync()).toMatchObject({ ...synced, pushed: 1 })
    for (const { api } of [manager, replica]) expect(await expenseOf(api, expense.id)).toMatchObject({ status: 'approved' })
  })

  test('an accountability is finished with all that follows from it', async () => {
    const expense = await recordExpense(remote, remote.member, { amount: 30 })
    const { manager, member } = remote
    await manager.api.send('PUT', `/expenses/${expense.id}/status`, { status: 'approved', approved_amount: 30 })
    replica = await startReplica(remote.url, manager)
    await replica.sync()
    const { body } = await replica.api.send('POST', '/accountabilities', {
      payer: { id: remote.organization_id, type: 'Organization' },
      receiver: { id: member.user_id, type: 'User' },
      ...{ title: 'Trip', description: null, expense_ids: [expense.id] },
    })
    for (const status of ['ready_to_review', 'analyzed', 'approved', 'finished'])
      expect((await replica.api.send('PUT', `/accountability/${body.id}/status`, { status })).status).toBe(200)
    expect(await replica.sync()).toMatchObject({ ...synced, pushed: 5 })
    for (const { api } of [manager, replica]) {
      expect(await expenseOf(api, expense.id)).toMatchObject({ status: 'liquidated' })
      expect((await api.get('/reimbursements')).body.count).toBe(1)
    }
    expect((await replica.api.get(`/accountability/${body.id}`)).body).toMatchObject({ status: 'finished', uid: body.uid })
    expect(await operationsOf('waiting')).toEqual([])
  })
})
