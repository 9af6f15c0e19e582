import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { insertPasskey } from '#main/store/records/users/passkeys'
import { systemClock } from '#main/clock'
import { createBlobStore } from '#main/files/blob-store'
import { allSealed, unpackedPack, verified } from '#test/support/audit'
import { recordExpense } from '#test/support/expenses'
import { type Instance, type Json, type Person, startInstance } from '#test/support/instance'
import { pngFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'

let instance: Instance
let person: Person
let sinceMs = 0
beforeEach(async () => {
  sinceMs = 0
  const now = () => new Date(systemClock.now().getTime() + sinceMs)
  const clock = { ...systemClock, now, monotonicMs: () => systemClock.monotonicMs() + sinceMs }
  instance = await startInstance({ clock, settings: { OUTLAY_SEAL_MS: 1, OUTLAY_WEBHOOK_ALLOW_PRIVATE: true } })
  person = await instance.addUser('Quirina Zebedea', 'analyst')
})
afterEach(() => instance.remove())

const erase = (by: Person, name: unknown = 'Quirina Zebedea', who: Person = person) =>
  by.api.send<Json>('POST', `/organizations/${instance.organization_id}/members/${who.user_id}/erasure`, { name })
const db = () => instance.app.store.reader.db
const problems = async () => (await verified(instance)).problems

test('replaces the name everywhere, keeps the sums and the trail, and the seals stay valid', async () => {
  const { admin, member } = instance
  const expense = await recordExpense(instance, person, { amount: 47.11 })
  await person.api.send('POST', `/expenses/${expense.id}/comments`, { content: 'Paid in cash' })
  await person.api.send('PATCH', '/preferences', { mention_name: 'quirinaz' })
  await allSealed(instance.app.store)
  expect(await problems()).toEqual([])
  const entries = await db().selectFrom('activities').select(['id', 'event', 'user_id']).execute()
  // The last change may not be sealed yet.
  await person.api.send('PATCH', '/preferences', { mention_name: 'quirinaagain' })
  expect((await erase(admin)).status).toBe(204)
  await allSealed(instance.app.store)
  expect(await problems()).toEqual([])
  const kept = await db().selectFrom('activities').select(['id', 'event', 'user_id']).execute()
  expect(kept).toEqual(expect.arrayContaining(entries))
  const { body } = await admin.api.get(`/expenses/${expense.id}`)
  expect(body).toMatchObject({
    amount: 47.11,
    status: 'awaiting_analysis',
    receiver: { id: person.user_id, name: 'Erased person', avatar: [] },
  })
  for (const path of [`/expenses?q[search]=quirina`, `/expenses?q[search]=zebedea`]) expect((await admin.api.get(path)).body.count).toBe(0)
  expect((await admin.api.get(`/expenses?q[search]=erased`)).body.count).toBe(1)
  for (const path of ['/expenses', '/activities', `/expenses/${expense.id}/comments`, `/organizations/${instance.organization_id}/members`])
    expect(JSON.stringify((await admin.api.get(path)).body)).not.toMatch(/quirina|zebedea/i)
  expect((await admin.api.get(`/expenses/${expense.id}/comments`)).body.comments[0].user.first_name).toBe('Erased')
  const pack = await unpackedPack(instance, join(instance.folder, 'unpacked'))
  for (const file of readdirSync(pack, { recursive: true }).map((name) => join(pack, String(name))))
    if (statSync(file).isFile()) expect(readFileSync(file, 'latin1')).not.toMatch(/quirina|zebedea/i)
  expect((await member.api.get(`/organizations/${instance.organization_id}/members`)).body.count).toBe(4)
})

test('the name is in the language of who erases', async () => {
  await instance.admin.api.send('PATCH', '/preferences', { locale: 'pt' })
  const expense = await recordExpense(instance, person)
  expect((await erase(instance.admin)).status).toBe(204)
  expect((await instance.admin.api.get(`/expenses/${expense.id}`)).body.receiver).toMatchObject({ name: 'Pessoa apagada' })
})

test('ends tokens, sessions, passkeys, recovery codes and push subscriptions, and leaves an address that receives nothing', async () => {
  const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16, 7).toString('base64url') }
  await person.api.send('POST', '/devices', { name: "Quirina's phone", endpoint: 'http://127.0.0.1:9/q', keys })
  await person.api.send('POST', '/user/tokens', { description: "Quirina's laptop" })
  await person.api.send('POST', '/user/recovery_codes')
  const passkey = { user_id: person.user_id, credential_id: 'erased', public_key: '', counter: 0, name: "Quirina's key" }
  const actor = { user_id: person.user_id, origin: 'test', request_id: null, if_match: null }
  await instance.app.store.transact(actor, (tx) => insertPasskey(tx, passkey))
  expect((await erase(instance.admin)).status).toBe(204)
  expect((await person.api.get('/session')).status).toBe(401)
  for (const table of ['passkeys', 'recovery_codes'] as const)
    expect(await db().selectFrom(table).selectAll().where('user_id', '=', person.user_id).execute()).toEqual([])
  const { user_id } = person
  const tokens = await db().selectFrom('api_tokens').selectAll().where('user_id', '=', user_id).execute()
  expect(tokens.map(({ revoked_at, description }) => [revoked_at === null, description])).toEqual(tokens.map(() => [false, '']))
  expect(await db().selectFrom('sessions').selectAll().where('user_id', '=', user_id).execute()).toEqual([])
  const device = { name: '', push_endpoint: null, push_auth: null }
  expect(await db().selectFrom('devices').selectAll().where('user_id', '=', user_id).execute()).toMatchObject([device])
  const [address, ...others] = await db().selectFrom('user_emails').selectAll().where('user_id', '=', user_id).execute()
  expect([address?.email, others]).toEqual([expect.stringMatching(/^erased-.*@erased\.invalid$/), []])
  expect((await erase(instance.admin)).status).toBe(404)
})

test.each([
  ['takes the file of the picture', false, 'missing'],
  ['leaves the file of the picture to someone who has the same', true, 'intact'],
])('%s', async (_what, isShared, kind) => {
  for (const one of isShared ? [person, instance.member] : [person])
    await one.api.send('PATCH', '/preferences', { avatar: { file: await uploadFile(one, await pngFile()) } })
  const [row] = await db().selectFrom('users').select('avatar_sha256').where('id', '=', person.user_id).execute()
  const sha256 = row?.avatar_sha256 ?? ''
  const blobs = createBlobStore(instance.folder, { randomId: () => 'unused' })
  expect((await blobs.verify(sha256)).kind).toBe('intact')
  await erase(instance.admin)
  for (let round = 0; round < 2; round += 1) {
    sinceMs += 3 * 24 * 60 * 60 * 1000
    await recordExpense(instance, instance.member)
  }
  await vi.waitFor(async () => expect((await blobs.verify(sha256)).kind).toBe(kind))
})

test('only admins of all organizations of a person erase the person, by typing the name, and never the last admin', async () => {
  const { admin, manager, stranger } = instance
  expect((await erase(manager)).status).toBe(403)
  expect((await erase(stranger)).status).toBe(404)
  for (const name of [null, '', 'Quirina']) expect((await erase(admin, name)).status).toBe(422)
  const last = await erase(admin, 'Ada Admin', admin)
  expect(last).toMatchObject({ status: 422, body: { errors: { role: ['must have at least one admin'] } } })
  const { body: other } = await person.api.send<Json>('POST', '/organizations', { name: 'Elsewhere' })
  expect((await erase(admin)).status).toBe(403)
  const others = `/organizations/${other.id}/members`
  await person.api.send('POST', others, { user: { email: 'sam.stranger@example.org' }, role: 'admin' })
  expect((await person.api.send('DELETE', others)).status).toBe(204)
  expect((await erase(admin)).status).toBe(403)
  await stranger.api.send('DELETE', `/organizations/${other.id}`)
  await admin.api.send('DELETE', `/organizations/${instance.organization_id}/members/${person.user_id}`)
  expect((await erase(admin)).status).toBe(204)
})
