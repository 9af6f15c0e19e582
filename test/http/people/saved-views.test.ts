import { expect, test } from 'vitest'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { startReplica } from '#test/support/sync/replica'

const instance = await instanceOfFile()

type Caller = Pick<Person, 'api'>
const path = (id?: number) => `/organizations/${instance.organization_id}/saved_views${id === undefined ? '' : `/${id}`}`
const save = async ({ api }: Caller, body: object): Promise<Json> => (await api.send('POST', path(), { query: 'queue=all', ...body })).body
const namesOf = async ({ api }: Caller): Promise<string[]> =>
  (await api.get(`${path()}?per_page=100`)).body.saved_views.map(({ name }: Json) => name)
const trailOf = async ({ api }: Caller, id: number): Promise<string[]> =>
  (await api.get('/activities?per_page=100')).body.activities
    .filter(({ subject }: Json) => subject.type === 'SavedView' && subject.id === id)
    .map(({ changes }: Json) => changes)

test('a view is its author’s alone, even before admins, in lists, by id and in the audit trail', async () => {
  const { member, admin, manager } = instance
  const { id, user, is_shared } = await save(member, { name: 'Mine', query: 'queue=all&search=taxi' })
  expect([user.id, is_shared]).toEqual([member.user_id, false])
  expect(await namesOf(member)).toEqual(['Mine'])
  expect(await trailOf(member, id)).toHaveLength(1)
  for (const other of [admin, manager]) {
    expect(await namesOf(other)).toEqual([])
    expect((await other.api.get(path(id))).status).toBe(404)
    expect((await other.api.send('PATCH', path(id), { name: 'Taken' })).status).toBe(404)
    expect((await other.api.send('DELETE', path(id))).status).toBe(404)
    expect(await trailOf(other, id)).toEqual([])
  }
  expect((await member.api.send('DELETE', path(id))).status).toBe(204)
  expect(await trailOf(admin, id)).toEqual([])
})

test('every member reads a shared view; its author and managers change it, and only the author shares or withdraws it', async () => {
  const { member, analyst, manager } = instance
  const { id } = await save(analyst, { name: 'Meals', is_shared: true })
  expect(await namesOf(member)).toEqual(['Meals'])
  expect(await trailOf(member, id)).toHaveLength(1)
  expect((await member.api.send('PATCH', path(id), { name: 'Food' })).status).toBe(403)
  expect((await manager.api.send('PATCH', path(id), { name: 'Food', is_shared: true })).status).toBe(200)
  expect((await manager.api.send('PATCH', path(id), { is_shared: false })).status).toBe(403)
  expect((await analyst.api.send('PATCH', path(id), { is_shared: false })).body).toMatchObject({ name: 'Food', is_shared: false })
  expect((await manager.api.get(path(id))).status).toBe(404)
  expect(await trailOf(analyst, id)).toEqual([
    expect.stringContaining('changed the saved view: whether it is shared from yes to no'),
    expect.stringContaining('from “Meals” to “Food”'),
    expect.stringContaining('saved the view “Meals”'),
  ])
  expect((await analyst.api.send('PATCH', path(id), { query: ' ' })).body.errors).toHaveProperty('query')
})

test('replicas hold what their users see, and let go of what is no longer shared', async () => {
  const { member, analyst, admin } = instance
  const replica = await startReplica(instance.url, member)
  try {
    const shared = await save(analyst, { name: 'Shared', is_shared: true })
    const hidden = await save(analyst, { name: 'Hidden' })
    await replica.sync()
    expect(await namesOf(replica)).toEqual(['Shared'])
    // Saved without a connection, it reaches its author elsewhere, and nobody else.
    const own = (await replica.api.send('POST', path(), { name: 'Offline', query: 'queue=clean' })).body
    await analyst.api.send('PATCH', path(shared.id), { is_shared: false })
    await analyst.api.send('PATCH', path(hidden.id), { is_shared: true })
    await replica.sync()
    expect((await namesOf(replica)).toSorted()).toEqual(['Hidden', 'Offline'])
    expect((await namesOf(member)).toSorted()).toEqual(['Hidden', 'Offline'])
    expect(await namesOf(admin)).toEqual(['Hidden'])
    expect(await trailOf(replica, hidden.id)).toHaveLength(2)
    await replica.api.send('PATCH', path(own.id), { is_shared: true })
    await replica.sync()
    expect((await namesOf(admin)).toSorted()).toEqual(['Hidden', 'Offline'])
    await replica.api.send('DELETE', path(own.id))
    await replica.sync()
    expect(await namesOf(admin)).toEqual(['Hidden'])
  } finally {
    await replica.remove()
  }
})
