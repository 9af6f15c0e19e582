import { describe, expect, test } from 'vitest'
import { notificationSwitches, switchNames } from '#shared/contract/notifications'
import { checked } from '#test/support/contract'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()

const path = '/notification_preferences'
const read = async (person: Person) => (await checked(person.api).get<Json>(path)).body
const patch = (person: Person, body: unknown, headers?: Record<string, string>) =>
  checked(person.api).send<Json>('PATCH', path, body, headers)

describe('GET /notification_preferences', () => {
  test('shows the caller 40 switches, all on until they say otherwise, with their preferences', async () => {
    const { status, body, headers } = await checked(instance.member.api).get(path)
    expect(status).toBe(200)
    expect(switchNames).toHaveLength(40)
    expect(switchNames.map((name) => body[name])).toEqual(switchNames.map(() => true))
    expect(body.user).toEqual((await instance.member.api.get('/preferences')).body)
    expect(body.email).toEqual({ address: 'mel.member@example.org', bounced_at: null })
    expect(body._links).toEqual([
      { rel: 'self', method: 'GET', href: `${instance.url}/api/v1/notifications` },
      { rel: 'update', method: 'PUT', href: `${instance.url}/api/v1/notifications` },
      { rel: 'partial_update', method: 'PATCH', href: `${instance.url}/api/v1/notifications` },
    ])
    expect(headers.get('etag')).toBe(`"${body.user.uid}.${body.user.version}"`)
  })

  test('returns the same at the address in its links', async () => {
    expect((await checked(instance.member.api).get('/notifications')).body).toEqual(await read(instance.member))
  })

  test('describes each event in the language of the caller', async () => {
    const { body } = await checked(instance.member.api).get('/notification_preferences/descriptions')
    expect(body).toHaveLength(20)
    expect(body[0]).toEqual({ names: ['email_on_expense_created', 'mobile_on_expense_created'], description: 'An expense is recorded' })
    expect(body.flatMap(({ names }: Json) => names)).toEqual(switchNames)
    const pt = await instance.member.api.get('/notification_preferences/descriptions', { 'accept-language': 'pt' })
    expect(pt.body[0].description).toBe('Uma despesa é registrada')
  })
})

describe('PATCH and PUT /notification_preferences', () => {
  test.each([
    [false, false],
    [0, false],
    ['0', false],
    ['false', false],
    [1, true],
    ['1', true],
    ['true', true],
    [true, true],
  ])('understand %j as %j', async (sent, stored) => {
    const { body } = await patch(instance.analyst, { mobile_on_comment_created: sent })
    expect(body.mobile_on_comment_created).toBe(stored)
    expect(body.email_on_comment_created).toBe(true)
    expect((await read(instance.analyst)).mobile_on_comment_created).toBe(stored)
  })

  test('change what is sent, for the caller only', async () => {
    const { status, body } = await checked(instance.manager.api).send('PATCH', '/notifications', {
      email_on_expense_created: false,
      user: { id: 1 },
    })
    expect(status).toBe(200)
    expect(switchNames.filter((name) => !body[name])).toEqual(['email_on_expense_created'])
    expect((await read(instance.admin)).email_on_expense_created).toBe(true)
  })

  test('reject values that are not booleans', async () => {
    expect(await patch(instance.member, { email_on_expense_created: 'often', mobile_on_expense_created: null })).toMatchObject({
      status: 422,
      body: { errors: { email_on_expense_created: ['is invalid'], mobile_on_expense_created: ["can't be blank"] } },
    })
  })

  test('PUT demands all 40 and takes back what GET showed', async () => {
    const { status, body } = await instance.member.api.send<Json>('PUT', path, { email_on_expense_created: true })
    expect(status).toBe(422)
    expect(Object.keys(body.errors).toSorted()).toEqual(switchNames.filter((name) => name !== 'email_on_expense_created').toSorted())
    const shown = await read(instance.member)
    const put = await checked(instance.member.api).send('PUT', path, { ...shown, mobile_on_organization_left: '0' })
    expect(put.body).toMatchObject({ mobile_on_organization_left: false, email_on_organization_left: true })
  })

  test('raise the version with a place in the audit trail, and refuse a stale change', async () => {
    const person = await instance.addUser('Vera Version')
    const { headers } = await person.api.get(path)
    const seen = { 'if-match': headers.get('etag') ?? '' }
    const off = Object.fromEntries(notificationSwitches.filter(({ event }) => event === 'comment_created').map(({ name }) => [name, false]))
    expect((await patch(person, off, seen)).status).toBe(200)
    expect((await patch(person, { email_on_comment_created: true }, seen)).status).toBe(412)
    const { body } = await person.api.get('/activities')
    expect(body.activities[0]).toMatchObject({
      subject: { id: person.user_id, type: 'User' },
      details: [{ attribute: 'notifications_off', from: null, to: 'email_on_comment_created, mobile_on_comment_created' }],
    })
    expect(body.activities[0].changes).toContain('Vera Version changed the notification preferences')
    const before = (await person.api.get(path)).headers.get('etag')
    expect((await patch(person, off)).headers.get('etag')).toBe(before)
  })
})

describe('devices', () => {
  const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16, 7).toString('base64url') }
  const subscription = (endpoint: string) => ({ name: 'Firefox on Linux', endpoint, keys })
  const add = (person: Person, endpoint: string) => checked(person.api).send<Json>('POST', '/devices', subscription(endpoint))

  test('are registered, listed and removed by their owner', async () => {
    const { status, body } = await add(instance.member, 'https://push.example.com/one')
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'Firefox on Linux', endpoint: 'https://push.example.com/one', gone_at: null })
    const { body: list } = await checked(instance.member.api).get('/devices')
    expect(list).toEqual({ count: 1, current_page: 1, total_pages: 1, devices: [body] })
    expect((await instance.admin.api.send('DELETE', `/devices/${body.id}`)).status).toBe(404)
    expect((await checked(instance.member.api).send('DELETE', `/devices/${body.id}`)).status).toBe(204)
    expect((await instance.member.api.send('DELETE', `/devices/${body.id}`)).status).toBe(404)
    expect((await instance.member.api.get('/devices')).body.count).toBe(0)
  })

  test('are registered once: renewed by the same user, taken over by another', async () => {
    const first = await add(instance.manager, 'https://push.example.com/two')
    expect((await add(instance.manager, 'https://push.example.com/two')).body.id).toBe(first.body.id)
    await add(instance.analyst, 'https://push.example.com/two')
    expect((await instance.manager.api.get('/devices')).body.count).toBe(0)
    expect((await instance.analyst.api.get('/devices')).body.count).toBe(1)
  })

  test.each([
    'http://push.example.com/x',
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://10.1.2.3/x',
    'https://169.254.169.254/latest',
    'https://192.168.0.1/x',
    'https://localhost/x',
    'https://user:secret@push.example.com/x',
    'ftp://push.example.com/x',
    'nothing',
  ])('are not found at %s', async (endpoint) => {
    expect(await add(instance.member, endpoint)).toMatchObject({ status: 422, body: { errors: { endpoint: ['is invalid'] } } })
  })

  test('refuse a subscription without its keys', async () => {
    const { status, body } = await instance.member.api.send('POST', '/devices', {})
    expect({ status, body }).toEqual({
      status: 422,
      body: { errors: { name: ["can't be blank"], endpoint: ["can't be blank"], keys: ["can't be blank"] } },
    })
    const short = { ...subscription('https://push.example.com/three'), keys: { ...keys, auth: 'abc' } }
    expect((await instance.member.api.send('POST', '/devices', short)).status).toBe(422)
  })

  test('subscribe with a key that stays the same', async () => {
    const { body } = await checked(instance.member.api).get('/devices/key')
    expect(Buffer.from(body.public_key, 'base64url')).toHaveLength(65)
    expect((await instance.admin.api.get('/devices/key')).body).toEqual(body)
  })
})
