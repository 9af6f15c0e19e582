import { describe, expect, test } from 'vitest'
import { checked } from '#test/support/contract'
import type { Api, Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { pngFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'

const instance = await instanceOfFile()

const api = (person: Person): Api => checked(person.api)
const patch = (person: Person, body: unknown) => person.api.send<Json>('PATCH', '/preferences', body)

test('the languages are those of the contract', async () => {
  expect((await api(instance.stranger).get('/locales')).body).toEqual({ locales: [{ en: 'English (US)' }, { pt: 'Portuguese (Brazil)' }] })
})

test('the timezones are ordered from west to east, each with its offset', async () => {
  const { body } = await api(instance.stranger).get('/timezones')
  expect(body).toContainEqual({ name: 'America/Sao_Paulo', description: '(GMT-03:00) America/Sao_Paulo' })
  expect(body).toContainEqual({ name: 'Etc/UTC', description: '(GMT+00:00) Etc/UTC' })
  expect(body).toContainEqual({ name: 'Asia/Tokyo', description: '(GMT+09:00) Asia/Tokyo' })
  const names = body.map(({ name }: Json) => name)
  expect(names.indexOf('America/Sao_Paulo')).toBeLessThan(names.indexOf('Etc/UTC'))
  expect(names.indexOf('Etc/UTC')).toBeLessThan(names.indexOf('Asia/Tokyo'))
})

describe('GET /preferences', () => {
  test('shows the caller their own', async () => {
    const { body, headers } = await api(instance.member).get('/preferences')
    expect(body).toEqual({
      id: instance.member.user_id,
      uid: body.uid,
      version: 1,
      locale: 'en',
      language: 'en',
      timezone: 'Etc/UTC',
      mention_name: 'melmember',
      default_currency: 'BRL',
      avatar: [],
      _links: [
        { rel: 'self', method: 'GET', href: `${instance.url}/api/v1/preferences` },
        { rel: 'update', method: 'PUT', href: `${instance.url}/api/v1/preferences` },
        { rel: 'partial_update', method: 'PATCH', href: `${instance.url}/api/v1/preferences` },
      ],
    })
    expect(headers.get('etag')).toBe(`"${body.uid}.1"`)
  })
})

describe('PUT and PATCH /preferences', () => {
  test('change what is sent', async () => {
    const { body } = await api(instance.analyst).send('PATCH', '/preferences', { default_currency: 'EUR' })
    expect(body).toMatchObject({ default_currency: 'EUR', timezone: 'Etc/UTC' })
    const replaced = await api(instance.analyst).send('PUT', '/preferences', {
      ...body,
      timezone: 'America/Sao_Paulo',
      mention_name: 'Ann.A-1',
    })
    expect(replaced.body).toMatchObject({ default_currency: 'EUR', timezone: 'America/Sao_Paulo', mention_name: 'Ann.A-1' })
  })

  test('PUT demands all but the avatar', async () => {
    const { status, body } = await instance.analyst.api.send<Json>('PUT', '/preferences', {})
    expect(status).toBe(422)
    expect(Object.keys(body.errors).toSorted()).toEqual(['default_currency', 'locale', 'mention_name', 'timezone'])
  })

  test.each([
    [{ locale: 'de' }, { locale: ['is not included in the list'] }],
    [{ timezone: 'Mars/Olympus' }, { timezone: ['is not included in the list'] }],
    [{ timezone: '' }, { timezone: ["can't be blank"] }],
    [{ default_currency: 'ABC' }, { default_currency: ['is not included in the list'] }],
    [{ mention_name: '' }, { mention_name: ["can't be blank"] }],
    [{ mention_name: 'two words' }, { mention_name: ['is invalid'] }],
    [{ mention_name: 'MAXmanager' }, { mention_name: ['has already been taken'] }],
  ])('refuse %j', async (change, errors) => {
    const { status, body } = await patch(instance.member, change)
    expect({ status, body }).toEqual({ status: 422, body: { errors } })
  })

  test('refuse a stale change', async () => {
    const { headers } = await instance.manager.api.get('/preferences')
    await patch(instance.manager, { default_currency: 'USD' })
    const seen = { 'if-match': headers.get('etag') ?? '' }
    expect((await instance.manager.api.send('PATCH', '/preferences', { default_currency: 'JPY' }, seen)).status).toBe(412)
  })

  test("set the avatar from the caller's own upload, and remove it", async () => {
    const file = await uploadFile(instance.member, await pngFile('receipt.png', { width: 400, height: 900 }))
    const { body } = await api(instance.member).send('PATCH', '/preferences', { avatar: { file } })
    expect(body.avatar[0]).toMatchObject({ style: 'original', width: 400, height: 900 })
    const shown = await instance.admin.api.get(`/organizations/${instance.organization_id}/members/${instance.member.user_id}`)
    expect(shown.body.user.avatar).toHaveLength(body.avatar.length)
    expect((await patch(instance.member, { avatar: { file: 'https://elsewhere.test/x.png' } })).body).toEqual({
      errors: { file: ['is invalid'] },
    })
    expect((await patch(instance.member, { avatar: { _destroy: true } })).body.avatar).toEqual([])
  })

  test('decide the language of responses unless the request does', async () => {
    const person = await instance.addUser('Petra Portuguese')
    await patch(person, { locale: 'pt' })
    expect((await person.api.get('/organizations/1')).body).toEqual({ errors: { message: 'Recurso não encontrado.' } })
    expect((await person.api.get('/organizations/1', { 'accept-language': 'en' })).body).toEqual({
      errors: { message: 'Record Not Found' },
    })
  })
})

describe('a language that the contract does not have', () => {
  const spoken = async (person: Person) => (await person.api.get('/organizations/1')).body.errors.message
  const spanish = 'No se encontró el recurso.'

  test('is spoken, and its locale is one of the contract', async () => {
    const person = await instance.addUser('Sara Spanish')
    const { body } = await api(person).send('PATCH', '/preferences', { language: 'es' })
    expect(body).toMatchObject({ language: 'es', locale: 'en' })
    expect(await spoken(person)).toBe(spanish)
    expect((await patch(person, { locale: 'es' })).body).toEqual({ errors: { locale: ['no está incluido en la lista'] } })
    expect((await patch(person, { language: 'de' })).status).toBe(422)
  })

  test('stays when a client sends back what it read, and goes when that client changes the locale', async () => {
    const person = await instance.addUser('Sofia Spanish')
    const { body: read } = await patch(person, { language: 'es' })
    expect((await person.api.send<Json>('PUT', '/preferences', { ...read, timezone: 'Asia/Tokyo' })).body.language).toBe('es')
    expect((await person.api.send<Json>('PUT', '/preferences', { ...read, locale: 'pt' })).body).toMatchObject({
      locale: 'pt',
      language: 'pt',
    })
    await patch(person, { language: 'es' })
    expect((await patch(person, { locale: 'en' })).body).toMatchObject({ locale: 'en', language: 'en' })
  })

  test('is asked for by Accept-Language, whatever is stored', async () => {
    const person = await instance.addUser('Eve English')
    const { body } = await person.api.get('/organizations/1', { 'accept-language': 'es-MX,en;q=0.5' })
    expect(body).toEqual({ errors: { message: spanish } })
  })
})

describe('PATCH /user/preferences', () => {
  const send = (body: unknown) => api(instance.stranger).send<Json>('PATCH', '/user/preferences', body)

  test('changes the language or the timezone', async () => {
    expect((await send({ user: { locale: 'pt' } })).body.user).toMatchObject({
      id: instance.stranger.user_id,
      locale: 'pt',
      timezone: 'Etc/UTC',
    })
    expect((await send({ user: { timezone: 'Asia/Tokyo' } })).body.user).toMatchObject({ locale: 'pt', timezone: 'Asia/Tokyo' })
    expect((await send({ user: { locale: 'en' } })).body.user.locale).toBe('en')
  })

  test.each([
    [{}, { user: ["can't be blank"] }],
    [{ user: 'en' }, { user: ['is invalid'] }],
    [{ user: { locale: 'de' } }, { locale: ['is not included in the list'] }],
    [{ user: { timezone: 'Nowhere' } }, { timezone: ['is not included in the list'] }],
  ])('refuses %j', async (body, errors) => {
    expect(await send(body)).toMatchObject({ status: 422, body: { errors } })
  })
})
