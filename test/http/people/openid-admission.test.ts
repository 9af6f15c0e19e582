import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Settings } from '#main/config/settings'
import { startLiar } from '#test/support/doors/openid-liar'
import { type Instance, type Person, startInstance } from '#test/support/instance'

const groups: Settings['OUTLAY_OPENID_GROUPS'] = [
  { group: 'staff', organization: 1, role: 'member' },
  { group: '/finance, all', organization: 1, role: 'manager' },
  { group: 'owners', organization: 1, role: 'admin' },
  { group: 'staff', organization: 999, role: 'admin' },
]
const liar = await startLiar()
const settings = { ...liar.settings, OUTLAY_LOGIN_THROTTLE: 1000 }
/** Without groups, and with groups and people who join by them. */
const plain = await startInstance({ settings })
const grouped = await startInstance({ settings: { ...settings, OUTLAY_OPENID_GROUPS: groups, OUTLAY_OPENID_JOIN: true } })
beforeEach(() => liar.lie({}))
afterAll(async () => {
  await Promise.all([plain.remove(), grouped.remove()])
  await liar.close()
})

let added = 0
/** Someone whom an instance knows, and what the provider says of them. */
async function makePerson(instance: Instance, role?: 'member' | 'admin') {
  added += 1
  const person = await instance.addUser(`Person ${added}`, role)
  return { ...person, claims: { sub: `sub-${added}`, email: `person.${added}@example.org`, email_verified: true } }
}
const signIn = (instance: Instance, claims: object) => liar.signIn(instance.url, { ...claims })
const messageOf = async (instance: Instance, claims: object) => (await signIn(instance, claims)).body.errors?.message
const roleOf = async (instance: Instance, { user_id }: Pick<Person, 'user_id'>) => {
  const { status, body } = await instance.admin.api.get(`/organizations/${instance.organization_id}/members/${user_id}`)
  return status === 404 ? null : body.role
}
const remove = ({ admin, organization_id }: Instance, { user_id }: Person) =>
  admin.api.send('DELETE', `/organizations/${organization_id}/members/${user_id}`)

test('a first sign-in is linked by the verified address, whatever its case; afterwards the address does not count', async () => {
  const { user_id, claims } = await makePerson(plain, 'member')
  expect((await signIn(plain, { ...claims, email: claims.email.toUpperCase() })).body.user.id).toBe(user_id)
  expect((await signIn(plain, { sub: claims.sub })).body.user.id).toBe(user_id)
  expect((await signIn(plain, { ...claims, email: 'ada.admin@example.org' })).body.user.id).toBe(user_id)
})

test.each([[false], [undefined], ['no'], [0], [null], [[true]], [['true']], [{}]])(
  'an address with email_verified %j links nobody',
  async (email_verified) => {
    const { claims } = await makePerson(plain, 'admin')
    expect(await messageOf(plain, { ...claims, email_verified })).toMatch(/^Acme ID does not confirm your e-mail address/)
    expect(await messageOf(grouped, { ...claims, email_verified, groups: ['owners'] })).toMatch(/^Acme ID does not confirm/)
  },
)

test('an address that one place names and another calls verified links nobody', async () => {
  const { claims } = await makePerson(plain, 'member')
  const { email_verified: _verified, ...token } = claims
  liar.lie({ metadata: { userinfo_endpoint: `${liar.issuer}/userinfo` }, userinfo: { sub: claims.sub, email_verified: true } })
  const other = await startInstance({ settings: liar.settings })
  await other.addUser(`Person ${added}`)
  expect(await messageOf(other, token)).toMatch(/^Acme ID does not confirm/)
  liar.lie({ metadata: { userinfo_endpoint: `${liar.issuer}/userinfo` }, userinfo: { ...claims, sub: 'another' } })
  expect(await messageOf(other, { sub: claims.sub })).toMatch(/^Could not check/)
  liar.lie({ metadata: { userinfo_endpoint: `${liar.issuer}/userinfo` }, userinfo: claims })
  expect((await signIn(other, { sub: claims.sub })).status).toBe(201)
  await other.remove()
})

test('an unknown address signs nobody in, and makes nobody', async () => {
  const before = (await plain.admin.api.get('/organizations/1/members')).body.count
  expect(await messageOf(plain, { sub: 'new', email: 'new@example.org', email_verified: true, groups: ['owners'] })).toBe(
    'Nobody here has the e-mail address new@example.org. Ask an admin of your organization to invite you.',
  )
  expect((await plain.admin.api.get('/organizations/1/members')).body.count).toBe(before)
  expect(before).toBeGreaterThan(3)
})

test('who gets an address that someone signed in with before is not that person', async () => {
  const { claims } = await makePerson(plain, 'member')
  expect((await signIn(plain, claims)).status).toBe(201)
  expect(await messageOf(plain, { ...claims, sub: 'their-successor' })).toMatch(/^Someone signed in here before with another account/)
})

test('an erased person does not get in again, not even as someone new', async () => {
  const person = await makePerson(grouped, 'member')
  expect((await signIn(grouped, { ...person.claims, groups: ['staff'] })).status).toBe(201)
  const erased = await grouped.admin.api.send('POST', `/organizations/1/members/${person.user_id}/erasure`, { name: `Person ${added}` })
  expect(erased.status).toBe(204)
  expect(await messageOf(grouped, { ...person.claims, groups: ['staff'] })).toMatch(/^Your data here was erased/)
})

test('someone new joins with the role of their groups, traced to them', async () => {
  const claims = {
    sub: 'nia',
    email: 'nia@example.org',
    email_verified: true,
    name: 'Nia Lima',
    locale: 'pt-BR',
    zoneinfo: 'America/Recife',
  }
  expect(await messageOf(grouped, claims)).toMatch(/^None of your groups at Acme ID/)
  expect(await messageOf(grouped, { ...claims, groups: ['others'] })).toMatch(/^None of your groups at Acme ID/)
  const { status, body } = await signIn(grouped, { ...claims, groups: ['staff', '/finance, all', 'others', 7] })
  expect([status, body.user.first_name, body.user.locale, body.user.timezone]).toEqual([201, 'Nia', 'pt', 'America/Recife'])
  expect(body.memberships.map(({ role }: { role: string }) => role)).toEqual(['manager'])
  const trail = grouped.app.store.reader.db.selectFrom('activities').select(['event', 'origin', 'details'])
  const events = await trail.where('user_id', '=', body.user.id).orderBy('id').execute()
  expect(events.map(({ event, origin }) => [event, origin])).toEqual([
    ['openid_linked', 'openid'],
    ['organization_add_member', 'openid'],
    ['signed_in_by_openid', 'openid'],
  ])
  expect(events[2]?.details).toContain('staff, /finance, all')
})

test('someone new who signs in eight times at once becomes one user with one membership', async () => {
  const claims = { sub: 'leo', email: 'leo@example.org', email_verified: true, groups: ['staff'] }
  const begun = await Promise.all(Array.from({ length: 8 }, () => liar.begin(grouped.url, claims)))
  const users = (await Promise.all(begun.map(({ end }) => end()))).map(({ status, body }) => [status, body.user?.id])
  expect(users).toEqual(users.map(() => [201, users[0]?.[1]]))
  const memberships = grouped.app.store.reader.db.selectFrom('memberships').selectAll().where('user_id', '=', Number(users[0]?.[1]))
  expect(await memberships.execute()).toHaveLength(1)
})

test('groups give and change roles at each sign-in, and take back the membership that they gave', async () => {
  const person = await makePerson(grouped)
  const after = async (...named: string[]) => {
    expect((await signIn(grouped, { ...person.claims, groups: named })).status).toBe(201)
    return roleOf(grouped, person)
  }
  expect(await after('others')).toBeNull()
  expect(await after('staff')).toBe('member')
  expect(await after('staff', 'owners')).toBe('admin')
  expect(await after('/finance, all')).toBe('manager')
  expect((await signIn(grouped, person.claims)).status).toBe(201)
  expect(await roleOf(grouped, person)).toBe('manager')
  expect(await after()).toBeNull()
  expect(await after('staff')).toBe('member')
})

test('groups take nothing from a member whom they gave nothing', async () => {
  const person = await makePerson(grouped, 'admin')
  expect((await signIn(grouped, { ...person.claims, groups: [] })).status).toBe(201)
  expect(await roleOf(grouped, person)).toBe('admin')
})

test('a member whom an admin removed does not come back by their groups, but by an invitation', async () => {
  const [invited, given] = [await makePerson(grouped, 'member'), await makePerson(grouped)]
  expect((await signIn(grouped, { ...given.claims, groups: ['staff'] })).status).toBe(201)
  for (const person of [invited, given]) {
    expect((await remove(grouped, person)).status).toBe(204)
    for (const _times of [1, 2]) expect((await signIn(grouped, { ...person.claims, groups: ['staff'] })).body.memberships).toEqual([])
    await grouped.admin.api.send('POST', '/organizations/1/members', { user: { email: person.claims.email } })
    expect((await signIn(grouped, { ...person.claims, groups: ['owners'] })).body.memberships).toMatchObject([{ role: 'admin' }])
  }
})

test('of a removal by groups and one by an admin the later counts', async () => {
  const person = await makePerson(grouped)
  const rolesAfter = async (...named: string[]) => {
    const { body } = await signIn(grouped, { ...person.claims, groups: named })
    return body.memberships.map(({ role }: { role: string }) => role)
  }
  expect(await rolesAfter('staff')).toEqual(['member'])
  expect(await rolesAfter()).toEqual([])
  await grouped.admin.api.send('POST', '/organizations/1/members', { user: { email: person.claims.email } })
  expect((await remove(grouped, person)).status).toBe(204)
  expect(await rolesAfter('staff')).toEqual([])
})

test('the last admin stays one, whatever their groups', async () => {
  const instance = await startInstance({
    settings: { ...liar.settings, OUTLAY_OPENID_GROUPS: groups, OUTLAY_OPENID_GROUPS_CLAIM: 'roles' },
  })
  const ada = { sub: 'ada', email: 'ada.admin@example.org', email_verified: 'true' }
  for (const roles of ['owners', ['staff'], []]) {
    expect((await signIn(instance, { ...ada, roles })).status).toBe(201)
    expect(await roleOf(instance, instance.admin)).toBe('admin')
  }
  await instance.addUser('Second Admin', 'admin')
  await signIn(instance, { ...ada, roles: 'staff' })
  expect((await instance.manager.api.get(`/organizations/1/members/${instance.admin.user_id}`)).body.role).toBe('member')
  await instance.remove()
})

test('an expired organization gets no members, and its members sign in', async () => {
  const instance = await startInstance({ settings: { ...liar.settings, OUTLAY_OPENID_GROUPS: groups, OUTLAY_OPENID_JOIN: true } })
  const person = await makePerson(instance, 'member')
  const actor = { user_id: instance.admin.user_id, origin: 'test', request_id: null, if_match: null }
  await instance.app.store.transact(actor, (tx) => tx.write('UPDATE organizations SET expired_at = ?', [tx.now]))
  expect((await signIn(instance, { ...person.claims, groups: ['owners'] })).body.memberships).toMatchObject([{ role: 'member' }])
  expect(await messageOf(instance, { sub: 'x', email: 'x@example.org', email_verified: true, groups: ['staff'] })).toMatch(/^None of/)
  await instance.remove()
})

test('an instance without a provider offers none', async () => {
  const instance = await startInstance()
  expect((await instance.admin.api.get('/setup')).body.openid).toBeNull()
  const { status, body } = await instance.admin.api.send('POST', '/session/openid/begin')
  expect([status, body.errors.message]).toEqual([422, 'Nobody can sign in with OpenID Connect at this address.'])
  await instance.remove()
})
