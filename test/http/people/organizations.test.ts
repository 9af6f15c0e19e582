import { describe, expect, test } from 'vitest'
import { checked } from '#test/support/contract'
import { whileExpired } from '#test/support/expiry'
import { recordExpense } from '#test/support/expenses'
import type { Api, Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { pdfFile, pngFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'

const instance = await instanceOfFile()
const path = `/organizations/${instance.organization_id}`

const api = (person: Person): Api => checked(person.api)
const found = async (person: Person, attributes: Record<string, unknown>): Promise<Json> =>
  (await api(person).send('POST', '/organizations', attributes)).body
const pt = { 'accept-language': 'pt-BR' }

describe('GET /organizations', () => {
  test("lists the caller's organizations in pages, newest first", async () => {
    const owner = await instance.addUser('Oda Owner')
    expect((await api(owner).get('/organizations')).body).toEqual({ count: 0, current_page: 1, total_pages: 0, organizations: [] })
    const first = await found(owner, { name: 'First' })
    const second = await found(owner, { name: 'Second' })
    const { body, headers } = await api(owner).get('/organizations?per_page=1')
    expect(body).toEqual({ count: 2, current_page: 1, total_pages: 2, organizations: [second] })
    expect(headers.get('link')).toContain('rel=next')
    expect((await api(owner).get('/organizations?page=2&per_page=1')).body.organizations).toEqual([first])
    expect((await api(owner).get('/organizations?q[name_eq]=First&sort=name')).body.organizations).toEqual([first])
    expect((await owner.api.get('/organizations?q[secret_eq]=1')).status).toBe(422)
  })

  test('shows every member the whole representation', async () => {
    const { status, body, headers } = await api(instance.member).get(path)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: instance.organization_id,
      name: 'Acme',
      members_count: 4,
      restricted_tags: false,
      expired: false,
      logo: [],
    })
    expect(body._links).toEqual([
      { rel: 'self', method: 'GET', href: `${instance.url}/api/v1${path}` },
      { rel: 'update', method: 'PUT', href: `${instance.url}/api/v1${path}` },
      { rel: 'partial_update', method: 'PATCH', href: `${instance.url}/api/v1${path}` },
      { rel: 'destroy', method: 'DELETE', href: `${instance.url}/api/v1${path}` },
    ])
    expect((await instance.member.api.get(path, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304)
  })
})

describe('POST /organizations', () => {
  test('makes the creator the admin, for any user', async () => {
    const created = await found(instance.stranger, { name: ' Fresh ', restricted_tags: true })
    expect(created).toMatchObject({ name: 'Fresh', members_count: 1, restricted_tags: true })
    const { body } = await api(instance.stranger).get(`/organizations/${created.id}/members/${instance.stranger.user_id}`)
    expect(body.role).toBe('admin')
  })

  test.each([[{}], [{ name: '  ' }], [{ name: null }]])('refuses a blank name: %j', async (attributes) => {
    const { status, body } = await instance.stranger.api.send('POST', '/organizations', attributes)
    expect({ status, body }).toEqual({ status: 422, body: { errors: { name: ["can't be blank"] } } })
    const localized = await instance.stranger.api.send('POST', '/organizations', attributes, pt)
    expect(localized.body).toEqual({ errors: { name: ['não pode ficar em branco'] } })
  })
})

describe('PUT and PATCH /organizations/:id', () => {
  test('change what is sent, and refuse a stale change', async () => {
    const { id } = await found(instance.stranger, { name: 'Before' })
    const patched = await api(instance.stranger).send('PATCH', `/organizations/${id}`, { restricted_tags: true })
    expect(patched.body).toMatchObject({ name: 'Before', restricted_tags: true })
    const replaced = await api(instance.stranger).send('PUT', `/organizations/${id}`, { ...patched.body, name: 'After' })
    expect(replaced.body).toMatchObject({ name: 'After', restricted_tags: true })
    expect((await instance.stranger.api.send('PUT', `/organizations/${id}`, { restricted_tags: false })).body).toEqual({
      errors: { name: ["can't be blank"] },
    })
    const stale = await instance.stranger.api.send(
      'PATCH',
      `/organizations/${id}`,
      { name: 'X' },
      { 'if-match': patched.headers.get('etag') ?? '' },
    )
    expect(stale.status).toBe(412)
  })

  test('are for admins', async () => {
    for (const person of [instance.manager, instance.analyst, instance.member]) {
      const { status, body } = await person.api.send('PATCH', path, { name: 'X' })
      expect({ status, body }).toEqual({ status: 403, body: { errors: { message: 'You are not allowed to do this.' } } })
    }
    expect((await instance.stranger.api.send('PATCH', path, { name: 'X' })).status).toBe(404)
  })

  test("set the logo from the caller's own upload, and remove it", async () => {
    const file = await uploadFile(instance.admin, await pngFile())
    const { body } = await api(instance.admin).send('PATCH', path, { logo: { file } })
    expect(body.logo.map(({ style }: Json) => style)).toContain('thumb')
    expect((await fetch(body.logo[0].url)).status).toBe(200)
    expect((await api(instance.admin).send('PATCH', path, { logo: body.logo, name: 'Acme' })).body.logo).toHaveLength(body.logo.length)
    expect((await api(instance.admin).send('PATCH', path, { logo: { _destroy: true } })).body.logo).toEqual([])
  })

  test("reject a logo that is not an image, or not the caller's upload", async () => {
    const invalid = { status: 422, body: { errors: { file: ['is invalid'] } } }
    for (const file of [
      await uploadFile(instance.admin, pdfFile()),
      await uploadFile(instance.manager, await pngFile()),
      'https://x.test/y',
    ]) {
      const { status, body } = await instance.admin.api.send('PATCH', path, { logo: { file } })
      expect({ status, body }).toEqual(invalid)
    }
  })
})

describe('DELETE /organizations/:id', () => {
  test('is for admins and final', async () => {
    expect((await instance.manager.api.send('DELETE', path)).status).toBe(403)
    const { id } = await found(instance.stranger, { name: 'Doomed' })
    expect((await api(instance.stranger).send('DELETE', `/organizations/${id}`)).status).toBe(204)
    for (const doomed of [`/organizations/${id}`, `/organizations/${id}/members`, `/organizations/${id}/tags`])
      expect((await instance.stranger.api.get(doomed)).status).toBe(404)
    expect((await instance.stranger.api.send('DELETE', `/organizations/${id}`)).status).toBe(404)
    expect((await api(instance.stranger).get('/organizations')).body.organizations.some((one: Json) => one.id === id)).toBe(false)
  })

  test("takes away its expenses from those who reviewed them, and leaves each receiver's own", async () => {
    const boss = await instance.addUser('Bea Boss')
    const { id } = await found(boss, { name: 'Closing' })
    await boss.api.send('POST', `/organizations/${id}/members`, { user: { email: 'mel.member@example.org' } })
    const expense = await recordExpense(instance, instance.member, { payer: { id, type: 'Organization' } })
    expect((await boss.api.get(`/expenses/${expense.id}`)).status).toBe(200)
    await boss.api.send('DELETE', `/organizations/${id}`)
    expect((await boss.api.get(`/expenses/${expense.id}`)).status).toBe(404)
    expect((await instance.member.api.get(`/expenses/${expense.id}`)).status).toBe(200)
    expect((await instance.member.api.send('PATCH', `/expenses/${expense.id}`, { description: 'x' })).status).toBe(404)
  })
})

test('an organization that is not there and one of strangers look the same, in both languages', async () => {
  const responses = await Promise.all([path, '/organizations/999999', '/organizations/none'].map((one) => instance.stranger.api.get(one)))
  for (const { status, body } of responses)
    expect({ status, body }).toEqual({ status: 404, body: { errors: { message: 'Record Not Found' } } })
  expect((await instance.stranger.api.get(path, pt)).body).toEqual({ errors: { message: 'Recurso não encontrado.' } })
})

test('an expired organization can be read and not written, in both languages', () =>
  whileExpired(instance, async () => {
    expect((await api(instance.member).get(path)).body.expired).toBe(true)
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const { status, body } = await instance.admin.api.send(method, path, { name: 'X' })
      expect({ status, body }).toEqual({
        status: 402,
        body: { errors: { message: 'This organization is expired and in read-only mode until this situation have been solved.' } },
      })
    }
    expect((await instance.admin.api.send('PATCH', path, { name: 'X' }, pt)).body.errors.message).toMatch(/^Esta organização está expirada/)
    // Expiry comes before permission, and strangers learn of neither.
    expect((await instance.member.api.send('PATCH', path, { name: 'X' })).status).toBe(402)
    expect((await instance.stranger.api.send('PATCH', path, { name: 'X' })).status).toBe(404)
  }))
