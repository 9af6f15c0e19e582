import { describe, expect, test } from 'vitest'
import { checked } from '#test/support/contract'
import { whileExpired } from '#test/support/expiry'
import { recordExpense } from '#test/support/expenses'
import type { Api, Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const rent = 'Aluguel de imóveis para escritório, compreendendo despesas concernentes a eles.'
const instance = await instanceOfFile()
const tags = `/organizations/${instance.organization_id}/tags`

const api = (person: Person): Api => checked(person.api)
const pt = { 'accept-language': 'pt' }
const create = (body: unknown, person = instance.manager) => person.api.send<Json>('POST', tags, body)
const tagged = (names: unknown) => recordExpense(instance, instance.member, { tags: names })

describe('POST tags', () => {
  test('responds on the singular path of the contract and on the plural one', async () => {
    const singular = `/organization/${instance.organization_id}/tags`
    const { status, body, headers } = await api(instance.manager).send('POST', singular, {
      name: ' Singular ',
      restricted_user_ids: [instance.member.user_id],
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'Singular', restricted_user_ids: [instance.member.user_id], group: null, usable: false })
    expect(headers.get('etag')).toBe(`"${body.uid}.1"`)
    expect(body._links).toEqual([
      { rel: 'self', method: 'GET', href: `${instance.url}/api/v1${tags}/${body.id}` },
      { rel: 'update', method: 'PUT', href: `${instance.url}/api/v1${tags}/${body.id}` },
      { rel: 'destroy', method: 'DELETE', href: `${instance.url}/api/v1${tags}/${body.id}` },
    ])
    expect((await api(instance.admin).send('POST', tags, { name: 'Plural', group: 'Travel' })).body).toMatchObject({
      name: 'Plural',
      group: 'Travel',
    })
  })

  test('refuses a blank name, and one that is taken whatever its case', async () => {
    await create({ name: 'Alimentação' })
    expect(await create({})).toMatchObject({ status: 422, body: { errors: { name: ["can't be blank"] } } })
    expect(await create({ name: 'ALIMENTAÇÃO' })).toMatchObject({ status: 422, body: { errors: { name: ['has already been taken'] } } })
    expect((await instance.manager.api.send('POST', tags, { name: 'alimentação' }, pt)).body).toEqual({
      errors: { name: ['já está em uso'] },
    })
  })

  test('limits a tag to members only', async () => {
    const { status, body } = await create({ name: 'Limited', restricted_user_ids: [instance.stranger.user_id] })
    expect({ status, body }).toEqual({ status: 422, body: { errors: { restricted_user_ids: ['is not a member of this organization'] } } })
    expect((await create({ name: 'Limited', restricted_user_ids: ['x'] })).body).toEqual({
      errors: { restricted_user_ids: ['is invalid'] },
    })
  })

  test('is for managers and admins', async () => {
    for (const person of [instance.analyst, instance.member]) expect((await create({ name: 'No' }, person)).status).toBe(403)
    expect((await create({ name: 'No' }, instance.stranger)).status).toBe(404)
  })
})

describe('GET tags', () => {
  test('lists them in pages to every member, and shows who they are limited to only to those who manage them', async () => {
    const { body } = await api(instance.member).get(`${tags}?per_page=2&sort=name&q[name_in][]=Singular&q[name_in][]=Plural`)
    expect(body).toMatchObject({
      count: 2,
      current_page: 1,
      total_pages: 1,
      tags: [
        { name: 'Plural', usable: true },
        { name: 'Singular', usable: true },
      ],
    })
    expect(body.tags[0]).not.toHaveProperty('restricted_user_ids')
    const managed = await api(instance.manager).get(`${tags}?q[name_eq]=Singular`)
    expect(managed.body.tags[0]).toMatchObject({ restricted_user_ids: [instance.member.user_id], usable: false })
    expect((await instance.stranger.api.get(tags)).status).toBe(404)
  })

  test('shows one to managers and admins', async () => {
    const { body } = await create({ name: 'Shown' })
    expect((await api(instance.admin).get(`${tags}/${body.id}`)).body).toEqual(body)
    for (const person of [instance.analyst, instance.member]) expect((await person.api.get(`${tags}/${body.id}`)).status).toBe(403)
    expect((await instance.stranger.api.get(`${tags}/${body.id}`)).status).toBe(404)
    expect((await instance.manager.api.get(`${tags}/999999`)).body).toEqual({ errors: { message: 'Record Not Found' } })
  })

  test('finds none of another organization', async () => {
    const { body: other } = await instance.manager.api.send<Json>('POST', '/organizations', { name: 'Elsewhere' })
    const { body } = await create({ name: 'Here' })
    expect((await instance.manager.api.get(`/organizations/${other.id}/tags/${body.id}`)).status).toBe(404)
    expect((await instance.manager.api.send('DELETE', `/organizations/${other.id}/tags/${body.id}`)).status).toBe(404)
  })
})

describe('PUT and PATCH tags/:id', () => {
  test('change what is sent', async () => {
    const { body: tag } = await create({ name: 'Old', group: 'A', restricted_user_ids: [instance.member.user_id] })
    const path = `${tags}/${tag.id}`
    const patched = await api(instance.manager).send('PATCH', path, { group: 'B' })
    expect(patched.body).toMatchObject({ name: 'Old', group: 'B', restricted_user_ids: [instance.member.user_id] })
    const replaced = await api(instance.manager).send('PUT', path, { name: 'OLD' })
    expect(replaced.body).toMatchObject({ name: 'OLD', group: 'B', restricted_user_ids: [instance.member.user_id] })
    const limited = await api(instance.manager).send('PUT', path, { ...replaced.body, restricted_user_ids: [] })
    expect(limited.body).toMatchObject({ restricted_user_ids: [], usable: true, version: replaced.body.version + 1 })
    const stale = { 'if-match': patched.headers.get('etag') ?? '' }
    expect((await instance.manager.api.send('PATCH', path, { name: 'X' }, stale)).status).toBe(412)
  })

  test('reject what create rejects', async () => {
    const { body } = await create({ name: 'Kept' })
    const send = (person: Person, change: unknown, method = 'PATCH') => person.api.send<Json>(method, `${tags}/${body.id}`, change)
    expect((await send(instance.manager, { name: 'plural' })).body).toEqual({ errors: { name: ['has already been taken'] } })
    expect((await send(instance.manager, { name: '' })).body).toEqual({ errors: { name: ["can't be blank"] } })
    expect((await send(instance.manager, {}, 'PUT')).body).toEqual({ errors: { name: ["can't be blank"] } })
    expect((await send(instance.analyst, { name: 'X' })).status).toBe(403)
    expect((await send(instance.stranger, { name: 'X' })).status).toBe(404)
  })

  test('rename the tag on every expense, where search finds it, and leave their versions', async () => {
    const expense = await tagged(['Taxi'])
    const { body } = await api(instance.manager).get(`${tags}?q[name_eq]=Taxi`)
    await api(instance.manager).send('PATCH', `${tags}/${body.tags[0].id}`, { name: 'Cabriolet' })
    expect((await instance.member.api.get(`/expenses/${expense.id}`)).body).toMatchObject({ tags: 'Cabriolet', version: expense.version })
    expect((await instance.member.api.get('/expenses?q[search]=cabriolet')).body.expenses).toMatchObject([{ id: expense.id }])
    expect((await instance.member.api.get('/expenses?q[search]=taxi')).body.count).toBe(0)
    expect((await instance.member.api.get('/expenses?q[search_tags]=CABRIOLET')).body.count).toBe(1)
  })
})

describe('DELETE tags/:id', () => {
  test('takes the tag off every expense and frees its name', async () => {
    const expense = await tagged(['Ferry', 'Kept too'])
    const { body } = await instance.manager.api.get(`${tags}?q[name_eq]=Ferry`)
    const path = `${tags}/${body.tags[0].id}`
    expect((await instance.analyst.api.send('DELETE', path)).status).toBe(403)
    expect((await api(instance.manager).send('DELETE', path)).status).toBe(204)
    expect((await instance.manager.api.send('DELETE', path)).status).toBe(404)
    expect((await instance.member.api.get(`/expenses/${expense.id}`)).body).toMatchObject({ tags: 'Kept too', version: expense.version })
    expect((await instance.member.api.get('/expenses?q[search]=ferry')).body.count).toBe(0)
    expect((await create({ name: 'ferry' })).status).toBe(201)
  })
})

describe('tag names with commas', () => {
  test('are taken verbatim from an array', async () => {
    expect((await tagged([rent, 'Office'])).tags).toBe(`${rent}, Office`)
  })

  test('stay in one piece when a representation is sent back as one text', async () => {
    const expense = await tagged([rent, 'Office'])
    const same = await instance.member.api.send('PATCH', `/expenses/${expense.id}`, { tags: expense.tags })
    expect(same.body).toMatchObject({ tags: expense.tags, version: expense.version })
    const more = await instance.member.api.send('PATCH', `/expenses/${expense.id}`, { tags: `Desk, ${expense.tags}` })
    expect(more.body.tags).toBe(`Desk, ${rent}, Office`)
    expect((await tagged(`Office,${rent.toUpperCase()}`)).tags).toBe(`Office, ${rent}`)
  })

  test('are found by search_tags, together with others', async () => {
    const expense = await tagged([rent, 'Unique'])
    const find = async (person: Person, names: string) =>
      (await person.api.get(`/expenses?q[search_tags]=${encodeURIComponent(names)}`)).body.expenses.map(({ id }: Json) => id)
    expect(await find(instance.member, `Unique, ${rent}`)).toEqual([expense.id])
    expect(await find(instance.analyst, `${rent},unique`)).toEqual([expense.id])
    expect(await find(instance.member, `Unique, ${rent}, Desk`)).toEqual([])
  })

  test('are split where no such tag exists', async () => {
    expect((await tagged('Never, seen before')).tags).toBe('Never, seen before')
    const { body } = await instance.member.api.get(`${tags}?q[name_start]=Never`)
    expect(body.tags.map(({ name }: Json) => name)).toEqual(['Never'])
  })
})

describe('use of tags', () => {
  test('a limited tag is rejected for others', async () => {
    await create({ name: 'Board', restricted_user_ids: [instance.analyst.user_id] })
    const expense = { payer_id: instance.organization_id, amount: 5, occurred_at: '2026-01-02', tags: ['board'] }
    const { status, body } = await instance.member.api.send('POST', '/expenses', expense)
    expect({ status, body }).toEqual({ status: 422, body: { errors: { tags: ['board may not be used by this user'] } } })
    expect((await instance.analyst.api.send('POST', '/expenses', expense)).body.tags).toBe('Board')
  })

  test('a limited tag that someone else put on a record may stay there', async () => {
    const expense = await tagged(['Plural'])
    await instance.analyst.api.send('PATCH', `/expenses/${expense.id}`, { tags: ['Plural', 'Board'] })
    const { body } = await instance.member.api.send('PATCH', `/expenses/${expense.id}`, { tags: ['Board', 'Own'] })
    expect(body.tags).toBe('Board, Own')
    expect((await instance.member.api.send('PATCH', `/expenses/${expense.id}`, { tags: 'Own' })).body.tags).toBe('Own')
    expect((await instance.member.api.send('PATCH', `/expenses/${expense.id}`, { tags: 'Own, Board' })).status).toBe(422)
  })

  test('only existing tags may be used where the organization says so', async () => {
    const organization = `/organizations/${instance.organization_id}`
    await instance.admin.api.send('PATCH', organization, { restricted_tags: true })
    const expense = { payer_id: instance.organization_id, amount: 5, occurred_at: '2026-01-02' }
    const refused = await instance.member.api.send('POST', '/expenses', { ...expense, tags: ['plural', 'Unheard of'] })
    expect(refused).toMatchObject({ status: 422, body: { errors: { tags: ['Unheard of does not exist in this organization'] } } })
    expect((await instance.member.api.send('POST', '/expenses', { ...expense, tags: 'plural' })).body.tags).toBe('Plural')
    await instance.admin.api.send('PATCH', organization, { restricted_tags: false })
  })
})

test('an expired organization keeps its tags as they are', async () => {
  const { body } = await create({ name: 'Frozen' })
  await whileExpired(instance, async () => {
    expect((await create({ name: 'New' })).status).toBe(402)
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await instance.manager.api.send(method, `${tags}/${body.id}`, { name: 'Y' })).status).toBe(402)
    expect((await instance.member.api.send('PATCH', `${tags}/${body.id}`, { name: 'Y' })).status).toBe(402)
    expect((await instance.member.api.get(tags)).status).toBe(200)
  })
})
