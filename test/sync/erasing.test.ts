import { afterEach, beforeEach, expect, test } from 'vitest'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Instance, type Json, type Person, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'

let remote: Instance
let replica: ReplicaInstance
let person: Person
let taxi: Json
beforeEach(async () => {
  remote = await startInstance()
  person = await remote.addUser('Quirina Zebedea', 'member')
  taxi = await recordExpense(remote, person, { description: 'Taxi' })
  replica = await startReplica(remote.url, remote.manager)
  await replica.sync()
})
afterEach(async () => {
  await replica.remove()
  await remote.remove()
})

const members = () => `/organizations/${remote.organization_id}/members/${person.user_id}`
const erase = () => remote.admin.api.send('POST', `${members()}/erasure`, { name: 'Quirina Zebedea' })

async function expectForgotten(): Promise<void> {
  const { db } = replica.app.store.reader
  const [user] = await db.selectFrom('users').selectAll().where('id', '=', person.user_id).execute()
  expect(user).toMatchObject({ first_name: 'Erased', last_name: 'person', avatar_sha256: null })
  const emails = await db.selectFrom('user_emails').select('email').execute()
  expect(JSON.stringify([user, emails])).not.toMatch(/quirina/i)
  expect((await replica.api.get('/expenses?q[search]=quirina')).body.count).toBe(0)
  expect((await replica.api.get(`/expenses/${taxi.id}`)).body).toMatchObject({ receiver: { name: 'Erased person' } })
}

test('a replica forgets the name of a person who is erased', async () => {
  expect((await replica.api.get('/expenses?q[search]=quirina')).body.count).toBe(1)
  await erase()
  await replica.sync()
  await expectForgotten()
})

test('work of a replica that was offline meanwhile does not bring the name back', async () => {
  await remote.admin.api.send('DELETE', members())
  await replica.sync()
  await replica.api.send('PATCH', `/expenses/${taxi.id}`, { location: 'Recife' })
  await replica.api.send('POST', '/expenses', newExpense(remote, { description: 'Hotel' }))
  await erase()
  expect(await replica.sync()).toMatchObject({ pushed: 2, failed: 0 })
  await expectForgotten()
  const [user] = await remote.app.store.reader.db.selectFrom('users').selectAll().where('id', '=', person.user_id).execute()
  expect(user).toMatchObject({ first_name: 'Erased', last_name: 'person' })
  expect((await remote.admin.api.get(`/expenses/${taxi.id}`)).body).toMatchObject({ location: 'Recife' })
})

test('a replica that has to fetch everything again gets the neutral name', async () => {
  await erase()
  await replica.app.store.transact({ user_id: 0, origin: 'system', request_id: null, if_match: null }, (tx) =>
    tx.write(`DELETE FROM sync_state WHERE key = 'pulled'`, []),
  )
  await replica.sync()
  await expectForgotten()
})
