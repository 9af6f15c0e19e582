import { afterEach, beforeEach, expect, test } from 'vitest'
import { attach } from '#test/support/attach'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Instance, type Json, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'

let remote: Instance
let replica: ReplicaInstance
let taxi: Json
beforeEach(async () => {
  remote = await startInstance()
  taxi = await recordExpense(remote, remote.member, { description: 'Taxi' })
  replica = await startReplica(remote.url, remote.manager)
  await replica.sync()
})
afterEach(async () => {
  await replica.remove()
  await remote.remove()
})

const close = () => remote.admin.api.send('POST', `/organizations/${remote.organization_id}/closings`, { name: '2026-03' })
const failed = async (): Promise<Json[]> => (await replica.api.get('/replica/operations?list=failed')).body.operations

test('offline work in a month that is closed meanwhile comes back and says so, and late arrivals count in the open month', async () => {
  const path = `/expenses/${taxi.id}`
  const approval = { status: 'approved', approved_amount: 10 }
  expect((await replica.api.send('PUT', `${path}/status`, approval)).status).toBe(200)
  expect((await replica.api.send('PATCH', `/expenses/${taxi.id}`, { location: 'Recife' })).status).toBe(200)
  await attach(replica.api, taxi.id, 'a')
  const { body: late } = await replica.api.send('POST', '/expenses', newExpense(remote, { description: 'Hotel' }))
  expect(late.booked_on).toBeNull()
  await close()
  expect(await replica.sync()).toMatchObject({ pushed: 1, failed: 3 })
  for (const { answer } of await failed()) expect(answer.message).toMatch(/^March 2026 is closed/)
  for (const api of [remote.manager.api, replica.api]) {
    expect((await api.get(path)).body).toMatchObject({ status: 'awaiting_analysis', location: null, attachments_count: 0 })
    expect((await api.get(`/expenses/${late.id}`)).body).toMatchObject({ booked_on: '2026-04-01T00:00:00Z' })
  }
})

test('a replica that knows of a closed month refuses alike, and stops when it is reopened', async () => {
  const { body: closed } = await close()
  await replica.sync()
  const path = `/expenses/${taxi.id}`
  const change = () => replica.api.send('PATCH', path, { amount: 1 })
  expect((await change()).body.errors.message).toMatch(/^March 2026 is closed/)
  expect((await replica.api.get(`${path}/status`)).body.status).toEqual([])
  expect((await replica.api.get('/session')).body.memberships[0].closed_months).toEqual(['2026-03'])
  const late = (await replica.api.send('POST', '/expenses', newExpense(remote))).body
  expect(late.booked_on).toBe('2026-04-01T00:00:00Z')
  expect(await replica.sync()).toMatchObject({ pushed: 1, failed: 0 })
  const closings = `/organizations/${remote.organization_id}/closings`
  await remote.admin.api.send('PATCH', `${closings}/${closed.id}`, { reopening: 'A receipt was missing' })
  await replica.sync()
  expect((await change()).status).toBe(200)
  expect(await replica.sync()).toMatchObject({ pushed: 1, failed: 0 })
})
