import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Instance, type Json, type Person, startInstance } from '#test/support/instance'
import { startReplica } from '#test/support/sync/replica'

let instance: Instance
beforeAll(async () => {
  instance = await startInstance()
})
afterAll(() => instance.remove())

type Caller = Pick<Person, 'api'>
const path = (id?: number) => `/organizations/${instance.organization_id}/suppliers${id === undefined ? '' : `/${id}`}`
const listOf = async ({ api }: Caller, query = ''): Promise<Json[]> => (await api.get(`${path()}?per_page=100${query}`)).body.suppliers

test('a supplier is kept by managers, and read and found by every member', async () => {
  const { manager, member, analyst } = instance
  const made = await manager.api.send('POST', path(), { name: 'Kalunga', tax_number: '11222333000181' })
  expect(made).toMatchObject({ status: 201, body: { name: 'Kalunga', tax_number: '11222333000181' } })
  expect(await listOf(member, '&q[tax_number_eq]=11222333000181')).toEqual([expect.objectContaining({ id: made.body.id })])
  expect((await analyst.api.send('POST', path(), { name: 'Ours', tax_number: '503504564' })).status).toBe(403)
  expect((await manager.api.send('POST', path(), { name: 'Nameless' })).body.errors).toHaveProperty('tax_number')
  const changed = await manager.api.send('PATCH', path(made.body.id), { name: 'Kalunga Papelaria' })
  expect(changed.body).toMatchObject({ name: 'Kalunga Papelaria', version: 2 })
  expect((await manager.api.send('DELETE', path(made.body.id))).status).toBe(204)
  expect(await listOf(member)).toEqual([])
  const { activities } = (await instance.admin.api.get('/activities?per_page=3')).body
  expect(activities.map(({ changes }: Json) => changes)).toEqual([
    expect.stringContaining('deleted the supplier “Kalunga Papelaria”'),
    expect.stringContaining('from “Kalunga” to “Kalunga Papelaria”'),
    expect.stringContaining('added the supplier “Kalunga”'),
  ])
})

test('a replica adds, changes and deletes suppliers without a connection', async () => {
  const { manager, member } = instance
  const replica = await startReplica(instance.url, manager)
  try {
    await replica.sync()
    const { id } = (await replica.api.send('POST', path(), { name: 'Tasca', tax_number: '503504564' })).body
    await replica.api.send('PATCH', path(id), { name: 'Tasca do Porto' })
    expect(await listOf(member)).toEqual([])
    await replica.sync()
    const [arrived] = await listOf(member)
    expect(arrived).toMatchObject({ id, name: 'Tasca do Porto', tax_number: '503504564' })
    await manager.api.send('PATCH', path(id), { tax_number: '503504563' })
    await replica.api.send('PATCH', path(id), { name: 'A Tasca' })
    await replica.sync()
    expect(await listOf(replica)).toEqual([expect.objectContaining({ name: 'A Tasca', tax_number: '503504563' })])
    await replica.api.send('DELETE', path(id))
    await replica.sync()
    expect(await listOf(member)).toEqual([])
  } finally {
    await replica.remove()
  }
})
