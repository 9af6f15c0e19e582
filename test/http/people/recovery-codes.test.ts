import { expect, test } from 'vitest'
import { checked } from '#test/support/contract'
import { apiOf, startInstance } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { startReplica } from '#test/support/sync/replica'

const instance = await instanceOfFile({ settings: { OUTLAY_LOGIN_THROTTLE: 1000 } })

let added = 0
const makePerson = () => instance.addUser(`Person ${(added += 1)}`, 'member')
const signInWith = (code: string) => checked(apiOf(instance.url, null)).send('POST', '/session/recovery_code', { code })

test('ten codes are shown once, each signs in once, and the trail has it', async () => {
  const { api, user_id } = await makePerson()
  expect((await checked(api).get('/user/recovery_codes')).body).toEqual({ offered: true, left: 0, created_at: null })
  const { status, body } = await checked(api).send('POST', '/user/recovery_codes')
  expect([status, new Set(body.codes).size]).toEqual([201, 10])
  const [first = '', second = ''] = body.codes
  expect(first).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  const signedIn = await signInWith(first)
  expect([signedIn.status, signedIn.body.user.id]).toEqual([201, user_id])
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect((await apiOf(instance.url, null).get('/user/sessions', { cookie })).body.sessions).toMatchObject([{ door: 'recovery_code' }])
  expect((await signInWith(first)).body).toEqual({ errors: { code: ['is invalid'] } })
  expect((await signInWith(second.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l'))).status).toBe(201)
  expect((await api.get('/user/recovery_codes')).body.left).toBe(8)
  const { db } = instance.app.store.reader
  const trail = await db
    .selectFrom('activities')
    .select(['event', 'user_id'])
    .where('subject_id', '=', user_id)
    .where('event', 'like', '%recovery%')
    .execute()
  const used = { event: 'signed_in_by_recovery_code', user_id }
  expect(trail).toEqual([{ event: 'recovery_codes_created', user_id }, used, used])
  const tables = ['recovery_codes', 'activities', 'idempotency_keys', 'change_log'] as const
  const dump = JSON.stringify(await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute())))
  for (const code of body.codes) for (const form of [code, code.replaceAll('-', '')]) expect(dump).not.toContain(form)
})

test('new codes end the earlier ones, also unused ones', async () => {
  const { api } = await makePerson()
  const make = async () => (await api.send('POST', '/user/recovery_codes')).body.codes
  const [earlier] = await make()
  const [later] = await make()
  expect((await signInWith(earlier)).status).toBe(422)
  expect((await signInWith(later)).status).toBe(201)
  expect((await api.get('/user/recovery_codes')).body.left).toBe(9)
})

test('sixteen browsers that use one code at once get one session', async () => {
  const { api } = await makePerson()
  const [code] = (await api.send('POST', '/user/recovery_codes')).body.codes
  const statuses = await Promise.all(Array.from({ length: 16 }, async () => (await signInWith(code)).status))
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
})

test('a token with scopes makes no codes, and a repeated request does not show them again', async () => {
  const { api } = await makePerson()
  const { token } = (await api.send('POST', '/user/tokens', { description: 'limited', scopes: ['admin'] })).body
  expect((await apiOf(instance.url, token).send('POST', '/user/recovery_codes')).status).toBe(403)
  const again = { 'idempotency-key': 'codes' }
  expect((await api.send('POST', '/user/recovery_codes', undefined, again)).body.codes).toHaveLength(10)
  expect((await api.send('POST', '/user/recovery_codes', undefined, again)).body.codes).toBeNull()
})

test('attempts count as failed sign-ins of their network address; a replica takes no codes', async () => {
  const other = await startInstance({ database: 'sqlite' })
  const replica = await startReplica(other.url, other.member)
  expect((await replica.api.get('/user/recovery_codes')).body.offered).toBe(false)
  expect((await replica.api.send('POST', '/user/recovery_codes')).status).toBe(422)
  await replica.remove()
  const guess = async () => (await apiOf(other.url, null).send('POST', '/session/recovery_code', { code: 'wrong' })).status
  // A loopback address has a hundred.
  for (let count = 0; count < 100; count += 1) await guess()
  expect(await guess()).toBe(429)
  await other.remove()
})
