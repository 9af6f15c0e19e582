import { describe, expect, test } from 'vitest'
import { checked } from '#test/support/contract'
import { whileExpired } from '#test/support/expiry'
import type { Api, Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()
const members = `/organizations/${instance.organization_id}/members`

const api = (person: Person): Api => checked(person.api)
const pt = { 'accept-language': 'pt' }
const counts = (total: number, { added = 0, not_added = 0, invalid = 0 }) => ({
  total_recipients: String(total),
  not_added_recipients: String(not_added),
  added_recipients: String(added),
  invalid_recipients: String(invalid),
})
const invite = (person: Person, body: unknown, headers?: Record<string, string>) =>
  person.api.send<Json>('POST', `${members}/`, body, headers)
const roleOf = async ({ user_id }: Person): Promise<unknown> => (await instance.admin.api.get(`${members}/${user_id}`)).body.role
const setRole = ({ api: own }: Person, { user_id }: Person, role: unknown) => own.send<Json>('PUT', `${members}/${user_id}`, { role })
const invitations = () => instance.app.store.reader.db.selectFrom('invitations').selectAll().orderBy('id').execute()

describe('GET members', () => {
  test('is always paged, and shows every member', async () => {
    const { body } = await api(instance.member).get(`${members}?per_page=3`)
    expect(body).toMatchObject({ count: 4, current_page: 1, total_pages: 2 })
    expect(body.memberships.map(({ role }: Json) => role)).toEqual(['member', 'analyst', 'manager'])
    const filtered = await api(instance.member).get(`${members}?q[role_in][]=admin&q[role_in][]=manager&sort=user_id`)
    expect(filtered.body.memberships.map(({ role }: Json) => role)).toEqual(['admin', 'manager'])
  })

  test('shows one by the id of the user', async () => {
    const path = `${members}/${instance.analyst.user_id}`
    const { body } = await api(instance.member).get(path)
    expect(body).toMatchObject({
      role: 'analyst',
      user: {
        id: instance.analyst.user_id,
        first_name: 'Ann',
        last_name: 'Analyst',
        mention_name: 'annanalyst',
        default_currency: 'BRL',
        emails: [{ email: 'ann.analyst@example.org', main: true }],
        avatar: [],
      },
      organization: { id: instance.organization_id, name: 'Acme' },
      _links: [
        { rel: 'self', method: 'GET', href: `${instance.url}/api/v1${path}` },
        { rel: 'update', method: 'PUT', href: `${instance.url}/api/v1${path}` },
        { rel: 'destroy', method: 'DELETE', href: `${instance.url}/api/v1${path}` },
      ],
    })
    expect(body.organization._links[0]).toEqual({
      rel: 'self',
      method: 'GET',
      url: `${instance.url}/api/v1/organizations/${instance.organization_id}`,
    })
  })

  test('is hidden from strangers, as is who is a member', async () => {
    for (const path of [members, `${members}/${instance.member.user_id}`]) expect((await instance.stranger.api.get(path)).status).toBe(404)
    expect((await instance.admin.api.get(`${members}/${instance.stranger.user_id}`)).status).toBe(404)
  })
})

describe('POST members', () => {
  test('lets users join at once and invites others, in one request', async () => {
    const joiner = await instance.addUser('Jo Joiner')
    const { status, body } = await api(instance.analyst).send('POST', members, {
      user: { email: 'JO.Joiner@example.org, new@example.org , new@example.org, ann.analyst@example.org' },
      role: 'analyst',
    })
    expect({ status, body }).toEqual({ status: 201, body: counts(3, { added: 2, not_added: 1 }) })
    expect(await roleOf(joiner)).toBe('analyst')
    expect(await invitations()).toMatchObject([
      { email: 'new@example.org', role: 'analyst', invited_by_user_id: instance.analyst.user_id, accepted_at: null },
    ])
    expect((await invitations())[0]?.token_hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('invites again to the same open invitation', async () => {
    expect((await invite(instance.manager, { user: { email: 'NEW@example.org' } })).body).toEqual(counts(1, { added: 1 }))
    expect(await invitations()).toMatchObject([{ role: 'member', invited_by_user_id: instance.manager.user_id }])
  })

  test('takes the literal key of the contract', async () => {
    const joiner = await instance.addUser('Lia Literal')
    expect((await invite(instance.admin, { 'user[email]': 'lia.literal@example.org' })).body).toEqual(counts(1, { added: 1 }))
    expect(await roleOf(joiner)).toBe('member')
  })

  test('returns 422 with the counts when some are not addresses, and invites the others', async () => {
    const joiner = await instance.addUser('Val Valid')
    const { status, body } = await invite(instance.admin, { user: { email: 'val.valid@example.org,nonsense,max.manager@example.org' } })
    expect({ status, body }).toEqual({ status: 422, body: counts(3, { added: 1, not_added: 1, invalid: 1 }) })
    expect(await roleOf(joiner)).toBe('member')
  })

  test.each([[{}], [{ user: null }], [{ user: {} }], [{ user: { email: ' , ' } }]])('says that the user is missing: %j', async (body) => {
    const response = await invite(instance.admin, body)
    expect(response).toMatchObject({ status: 422, body: { errors: { message: ['The e-mail addresses to invite are missing.'] } } })
    expect((await invite(instance.admin, body, pt)).body).toEqual({ errors: { message: ['Faltam os endereços de e-mail a convidar.'] } })
  })

  test('gives no role above the own', async () => {
    const body = { user: { email: 'someone@example.org' } }
    expect((await invite(instance.member, body)).status).toBe(403)
    expect((await invite(instance.analyst, { ...body, role: 'manager' })).status).toBe(403)
    expect((await invite(instance.manager, { ...body, role: 'admin' })).status).toBe(403)
    expect((await invite(instance.admin, { ...body, role: 'boss' })).body).toEqual({ errors: { role: ['is not included in the list'] } })
    expect((await invite(instance.stranger, body)).status).toBe(404)
  })
})

describe('PUT members/:user_id', () => {
  test('changes the role', async () => {
    const person = await instance.addUser('Rae Role', 'member')
    for (const role of ['analyst', 'manager', 'admin', 'member']) {
      const { status, body } = await api(instance.admin).send('PUT', `${members}/${person.user_id}`, { role })
      expect({ status, role: body.role }).toEqual({ status: 200, role })
    }
  })

  test.each([
    [undefined, "can't be blank"],
    [null, "can't be blank"],
    ['', "can't be blank"],
    ['boss', 'is not included in the list'],
  ])('refuses the role %j', async (role, message) => {
    const { status, body } = await setRole(instance.admin, instance.member, role)
    expect({ status, body }).toEqual({ status: 422, body: { errors: { role: [message] } } })
  })

  test("gives no role above the caller's, and changes no one above", async () => {
    expect((await setRole(instance.member, instance.analyst, 'member')).status).toBe(403)
    expect((await setRole(instance.analyst, instance.member, 'manager')).status).toBe(403)
    expect((await setRole(instance.analyst, instance.manager, 'member')).status).toBe(403)
    expect((await setRole(instance.manager, instance.admin, 'manager')).status).toBe(403)
    expect((await setRole(instance.stranger, instance.member, 'admin')).status).toBe(404)
    expect((await setRole(instance.admin, instance.stranger, 'member')).status).toBe(404)
  })

  test('keeps the last admin, in both languages', async () => {
    for (const role of ['member', 'analyst', 'manager'])
      expect((await setRole(instance.admin, instance.admin, role)).body).toEqual({ errors: { role: ['must have at least one admin'] } })
    const { status, body } = await instance.admin.api.send('PUT', `${members}/${instance.admin.user_id}`, { role: 'member' }, pt)
    expect({ status, body }).toEqual({ status: 422, body: { errors: { role: ['deve ter pelo menos um administrador'] } } })
    expect((await setRole(instance.admin, instance.admin, 'admin')).status).toBe(200)
  })

  test('refuses a stale change', async () => {
    const person = await instance.addUser('Stan Stale', 'member')
    const { headers } = await instance.admin.api.get(`${members}/${person.user_id}`)
    await setRole(instance.admin, person, 'analyst')
    const seen = { 'if-match': headers.get('etag') ?? '' }
    expect((await instance.admin.api.send('PUT', `${members}/${person.user_id}`, { role: 'member' }, seen)).status).toBe(412)
  })
})

describe('DELETE members/:user_id', () => {
  test('removes a member, who may come back', async () => {
    const person = await instance.addUser('Gus Gone', 'analyst')
    expect((await api(instance.analyst).send('DELETE', `${members}/${person.user_id}`)).status).toBe(204)
    expect((await person.api.get(members)).status).toBe(404)
    expect((await instance.analyst.api.send('DELETE', `${members}/${person.user_id}`)).status).toBe(404)
    expect((await invite(instance.analyst, { user: { email: 'gus.gone@example.org' } })).body).toEqual(counts(1, { added: 1 }))
    expect(await roleOf(person)).toBe('member')
  })

  test('removes no one above, and not the last admin', async () => {
    expect((await instance.member.api.send('DELETE', `${members}/${instance.analyst.user_id}`)).status).toBe(403)
    expect((await instance.analyst.api.send('DELETE', `${members}/${instance.manager.user_id}`)).status).toBe(403)
    const { status, body } = await instance.admin.api.send('DELETE', `${members}/${instance.admin.user_id}`)
    expect({ status, body }).toEqual({ status: 422, body: { errors: { role: ['must have at least one admin'] } } })
  })
})

describe('DELETE members', () => {
  test('lets any member leave', async () => {
    const person = await instance.addUser('Lou Leaver', 'member')
    expect((await api(person).send('DELETE', members)).status).toBe(204)
    expect((await person.api.send('DELETE', members)).status).toBe(404)
    expect((await instance.stranger.api.send('DELETE', members)).status).toBe(404)
  })

  test('keeps the only admin, with the error of the contract in both languages', async () => {
    const { status, body } = await instance.admin.api.send('DELETE', members)
    expect({ status, body }).toEqual({ status: 422, body: { error: 'The only admin of an organization can not leave it.' } })
    expect((await instance.admin.api.send('DELETE', members, undefined, pt)).body).toEqual({
      error: 'O único administrador de uma organização não pode sair dela.',
    })
    const second = await instance.addUser('Ada Second', 'admin')
    expect((await api(second).send('DELETE', members)).status).toBe(204)
  })
})

test('an expired organization can only be left', async () => {
  const leaver = await instance.addUser('Exa Expired', 'member')
  await whileExpired(instance, async () => {
    const path = `${members}/${instance.member.user_id}`
    expect((await invite(instance.admin, { user: { email: 'late@example.org' } })).status).toBe(402)
    expect((await instance.admin.api.send('PUT', path, { role: 'analyst' })).status).toBe(402)
    expect((await instance.admin.api.send('DELETE', path)).status).toBe(402)
    expect((await instance.admin.api.get(members)).status).toBe(200)
    expect((await leaver.api.send('DELETE', members)).status).toBe(204)
  })
})

test('the audit trail shows who came, changed and went', async () => {
  const person = await instance.addUser('Audrey Audit', 'member')
  await setRole(instance.admin, person, 'analyst')
  await instance.admin.api.send('DELETE', `${members}/${person.user_id}`)
  const { db } = instance.app.store.reader
  const rows = await db
    .selectFrom('activities')
    .select(['event', 'details'])
    .where('subject_type', '=', 'Membership')
    .orderBy('id', 'desc')
    .limit(3)
    .execute()
  expect(rows.map(({ event, details }): unknown => [event, JSON.parse(details)])).toEqual([
    [
      'organization_remove_member',
      [
        { attribute: 'user_id', from: person.user_id, to: null },
        { attribute: 'role', from: 'analyst', to: null },
      ],
    ],
    [
      'organization_role_changed',
      [
        { attribute: 'user_id', from: person.user_id, to: person.user_id },
        { attribute: 'role', from: 'member', to: 'analyst' },
      ],
    ],
    [
      'organization_add_member',
      [
        { attribute: 'user_id', from: null, to: person.user_id },
        { attribute: 'role', from: null, to: 'member' },
      ],
    ],
  ])
})
