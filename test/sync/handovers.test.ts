import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Handover, HandoverOfExpense } from '#shared/contract/instance/handovers'
import { type Instance, startInstance } from '#test/support/instance'
import { approvedExpense } from '#test/support/settlements'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'

let remote: Instance
let replica: ReplicaInstance
beforeEach(async () => {
  remote = await startInstance()
  replica = await startReplica(remote.url, remote.manager)
})
afterEach(async () => {
  await replica.remove()
  await remote.remove()
})

test('a replica hands over at its remote, shows what it says, and needs it for that', async () => {
  const expense = await approvedExpense(remote, { amount: 7 })
  await replica.sync()
  const home = `/organizations/${remote.organization_id}/handovers`
  const { status, body: asked } = await replica.api.send<Handover>('POST', home, { format: 'json' })
  expect(status).toBe(201)
  const made = await vi.waitFor(async () => {
    const { body } = await replica.api.get<Handover>(`${home}/${asked.id}`)
    expect(body.state).toBe('finished')
    return body
  })
  // The file is on the remote.
  expect(JSON.parse(await (await fetch(made.url ?? '')).text())).toMatchObject([{ amount: 7 }])
  const { handovers } = (await replica.api.get<{ handovers: HandoverOfExpense[] }>(`/expenses/${expense.id}/handovers`)).body
  expect(handovers).toMatchObject([{ id: asked.id, is_changed: false }])
  expect((await remote.admin.api.get<{ handovers: Handover[] }>(home)).body.handovers).toMatchObject([{ id: asked.id, done: 1 }])
  await remote.close()
  expect((await replica.api.get(home)).status).toBe(503)
  expect((await replica.api.send('POST', home, { format: 'json' })).status).toBe(503)
})

test('a key holds for what the remote does: one handover, and a secret is in one response only', async () => {
  await approvedExpense(remote, { amount: 7 })
  await replica.sync()
  const home = `/organizations/${remote.organization_id}/handovers`
  const ask = (again: boolean) => replica.api.send<Handover>('POST', home, { format: 'json', again }, { 'idempotency-key': 'hand over' })
  const [first, second] = [await ask(false), await ask(false)]
  expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null])
  expect([second.status, second.body.id, second.headers.get('idempotency-replayed')]).toEqual([201, first.body.id, 'true'])
  expect((await ask(true)).status).toBe(422)
  // Asked at the remote itself, it is the same request of the same person.
  const there = await remote.manager.api.send<Handover>('POST', home, { format: 'json', again: false }, { 'idempotency-key': 'hand over' })
  expect([there.body.id, there.headers.get('idempotency-replayed')]).toEqual([first.body.id, 'true'])
  const token = () => replica.api.send('POST', '/user/tokens', { description: 'Phone' }, { 'idempotency-key': 'token' })
  const [made, repeat] = [await token(), await token()]
  expect([made.status, repeat.headers.get('idempotency-replayed'), repeat.body]).toEqual([201, 'true', { ...made.body, token: null }])
  for (const { app } of [remote, replica])
    expect(JSON.stringify(await app.store.reader.db.selectFrom('idempotency_keys').selectAll().execute())).not.toContain(made.body.token)
})
