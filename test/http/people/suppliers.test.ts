import { expect, test } from 'vitest'
import { newExpense } from '#test/support/expenses'
import { pathOf, settled, uploadImport } from '#test/support/imports'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { startReplica } from '#test/support/sync/replica'

const instance = await instanceOfFile()

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

const known = async (caller: Caller, number: string): Promise<Json> => (await listOf(caller, `&q[tax_number_eq]=${number}`))[0]

test('a tax number is kept without punctuation and once, and the usual tag is one of the organization', async () => {
  const { manager } = instance
  const { id: tag_id } = (await manager.api.send('POST', `/organizations/${instance.organization_id}/tags`, { name: 'Paper' })).body
  const made = await manager.api.send('POST', path(), { name: 'Kalunga', tax_number: '11.222.333/0001-81', tag_id, currency: 'BRL' })
  expect(made.body).toMatchObject({ tax_number: '11222333000181', tag_id, currency: 'BRL' })
  const again = await manager.api.send('POST', path(), { name: 'Another', tax_number: '11222333000181' })
  expect(again).toMatchObject({ status: 422, body: { errors: { tax_number: [expect.any(String)] } } })
  expect((await manager.api.send('POST', path(), { name: 'None', tax_number: ' ./- ' })).body.errors).toHaveProperty('tax_number')
  expect((await manager.api.send('PATCH', path(made.body.id), { tag_id: 99_999 })).body.errors).toHaveProperty('tag_id')
  expect((await manager.api.send('PATCH', path(made.body.id), { tax_number: 'PT 503504564', tag_id: null })).body).toMatchObject({
    ...{ tax_number: '503504564', tag_id: null, currency: 'BRL' },
  })
  await manager.api.send('DELETE', path(made.body.id))
})

test('a saved expense teaches the register, and a correction corrects it', async () => {
  const { member, analyst, manager } = instance
  const supplier = { supplier_name: 'KALUNGA SA', supplier_tax_id: '11.222.333/0001-81' }
  const { id } = (await member.api.send('POST', '/expenses', newExpense(instance, { ...supplier, tags: 'Office, Paper' }))).body
  const tags = (await manager.api.get(`/organizations/${instance.organization_id}/tags?per_page=100`)).body.tags
  const office = tags.find(({ name }: Json) => name === 'Office').id
  expect(await known(member, '11222333000181')).toMatchObject({ name: 'KALUNGA SA', currency: 'BRL', tag_id: office })
  // What was only described again says nothing of the supplier.
  const { version } = await known(member, '11222333000181')
  await member.api.send('PATCH', `/expenses/${id}`, { description: 'Two boxes' })
  await analyst.api.send('PATCH', `/expenses/${id}`, { supplier_name: 'Kalunga' })
  expect(await known(member, '11222333000181')).toMatchObject({ name: 'Kalunga', tag_id: office, version: version + 1 })
  await manager.api.send('DELETE', path((await known(member, '11222333000181')).id))
  expect(await known(member, '11222333000181')).toBeUndefined()
})

test('the register keeps no numbers of persons, none with wrong check digits, and none without a name', async () => {
  const { member } = instance
  for (const supplier_tax_id of ['529.982.247-25', '123456789', '11.222.333/0001-82', 'none'])
    await member.api.send('POST', '/expenses', newExpense(instance, { supplier_name: 'Ana', supplier_tax_id }))
  await member.api.send('POST', '/expenses', newExpense(instance, { supplier_tax_id: '503504564' }))
  expect(await listOf(member)).toEqual([])
})

test('two people without a connection teach the same supplier: the organization has it once', async () => {
  const { member, analyst } = instance
  const replicas = await Promise.all([member, analyst].map((person) => startReplica(instance.url, person)))
  try {
    for (const [at, replica] of replicas.entries()) {
      await replica.sync()
      await replica.api.send('POST', '/expenses', newExpense(instance, { supplier_name: `Tasca ${at}`, supplier_tax_id: 'PT503504564' }))
      expect(await known(replica, '503504564')).toMatchObject({ name: `Tasca ${at}` })
    }
    for (const replica of [...replicas, ...replicas]) await replica.sync()
    const [only, ...others] = await listOf(member)
    expect([only?.name, others]).toEqual(['Tasca 1', []])
    for (const replica of replicas) expect(await listOf(replica)).toEqual([expect.objectContaining({ uid: only.uid, name: 'Tasca 1' })])
    await instance.manager.api.send('DELETE', path(only.id))
  } finally {
    for (const replica of replicas) await replica.remove()
  }
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

test('an import registers whom its rows were bought from, as most rows write it, and changes none that is known', async () => {
  const { analyst, manager, organization_id } = instance
  const kept = await manager.api.send('POST', path(), { name: 'Posto Sul', tax_number: '19131243000197' })
  expect(kept.status).toBe(201)
  const rows = [
    ['Cantina', '45.723.174/0001-10', 'Snacks'],
    ['CANTINA LTDA', '45723174000110', 'Meals'],
    ['CANTINA LTDA', '45723174000110', 'Meals'],
    ['POSTO SUL LTDA ME', '19131243000197', 'Fuel'],
    ['Ana Lima', '52998224725', 'Rent'],
    ['Somebody', '', 'Rent'],
  ].map(([name, number, category], index) => `Ana Lima,2024-05-0${index + 1},10.00,BRL,${category},${name},${number},S-${index}`)
  const bytes = ['Employee,Date,Amount,Currency,Category,Supplier,CNPJ,Reference', ...rows].join('\n')
  const { body } = await uploadImport(instance, { token: analyst.token, organization_id, bytes })
  const ready = await settled(analyst.api, body)
  expect((await analyst.api.send('POST', `${pathOf(ready)}/run`)).status).toBe(200)
  expect(await settled(analyst.api, ready)).toMatchObject({ state: 'finished', report: { imported: 6 } })
  const names = async (number: string) => (await listOf(analyst, `&q[tax_number_eq]=${number}`)).map(({ name }) => name)
  expect(await names('45723174000110')).toEqual(['CANTINA LTDA'])
  expect(await names('19131243000197')).toEqual(['Posto Sul'])
  expect(await names('52998224725')).toEqual([])
})
