import { stringify } from 'qs'
import { describe, expect, test } from 'vitest'
import { newCard, newCardNumber, registerCard } from '#test/support/cards'
import { checked } from '#test/support/contract'
import { recordExpense } from '#test/support/expenses'
import { whileExpired } from '#test/support/expiry'
import type { Api, Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()
const { body } = await instance.manager.api.send('POST', '/organizations', { name: 'Second' })
const second: number = body.id

const path = '/corporative_cards'
const pt = { 'accept-language': 'pt' }
const api = (person: Person): Api => checked(person.api)
const create = (attributes: Json = {}, person = instance.member) => api(person).send('POST', path, newCard(instance, attributes))
const register = (person: Person, attributes: Json = {}) => registerCard(instance, person, attributes)
const idsOf = ({ body }: { body: Json }): number[] => body.corporative_cards.map(({ id }: Json) => id)

describe('POST corporative_cards', () => {
  test('registers a card of the caller, and shows its number masked only', async () => {
    const { status, body, headers } = await create({ name: ' Ana’s card ', number: '4000 0566-5566 5556', expiration_date: '03/31' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'Ana’s card',
      number: '************5556',
      flag: { name: 'Visa', image_url: `${instance.url}/assets/card-flags/visa.svg` },
      expiration_date: '03/31',
      expiration_month: 3,
      expiration_year: 2031,
      active: true,
      user: { id: instance.member.user_id, type: 'User' },
      organization: { id: instance.organization_id, type: 'Organization' },
    })
    expect(headers.get('etag')).toBe(`"${body.uid}.1"`)
    expect(body._links).toEqual([
      { rel: 'self', method: 'GET', href: `${instance.url}/api/v1${path}/${body.id}` },
      { rel: 'update', method: 'PUT', href: `${instance.url}/api/v1${path}/${body.id}` },
      { rel: 'partial_update', method: 'PATCH', href: `${instance.url}/api/v1${path}/${body.id}` },
      { rel: 'destroy', method: 'DELETE', href: `${instance.url}/api/v1${path}/${body.id}` },
    ])
    expect((await api(instance.member).get(`${path}/${body.id}`)).body).toEqual(body)
  })

  test('needs a name, a number, an expiration date and an organization', async () => {
    const { status, body } = await instance.member.api.send('POST', path, {})
    const blank = ["can't be blank"]
    expect({ status, body }).toEqual({
      status: 422,
      body: { errors: { name: blank, number: blank, expiration_date: blank, organization_id: blank } },
    })
    expect((await create({ name: ' ', number: '', expiration_date: '', organization_id: null })).body).toEqual(body)
  })

  test.each(['41111111111', '4'.repeat(20), 'card', '4111x111111111111', 4111111111111111])('refuses the number %s', async (number) => {
    const { status, body } = await create({ number })
    expect({ status, body }).toEqual({ status: 422, body: { errors: { number: ['is invalid'] } } })
  })

  test.each(['13/29', '00/29', '1/29', '08/2029', '2029-08', '08-29', 829])('refuses the expiration date %s', async (date) => {
    const { status, body } = await create({ expiration_date: date })
    expect({ status, body }).toEqual({ status: 422, body: { errors: { expiration_date: ['is invalid'] } } })
  })

  test('masks a number in a name: names are shown', async () => {
    for (const [name, shown] of [
      ['Card 4111 1111 1111 1111', 'Card **** **** **** 1111'],
      ['4111111111111112', '************1112'],
    ]) {
      const { status, body } = await create({ name })
      expect([status, body.name]).toEqual([201, shown])
      const changed = await api(instance.member).send('PATCH', `${path}/${body.id}`, { name: `Again ${name}` })
      expect([changed.status, changed.body.name]).toEqual([200, `Again ${shown}`])
    }
  })

  test('takes any number of 12 to 19 digits: one without a fitting check digit, and one that another card has', async () => {
    for (const number of ['4111111111111112', '411111111112', '4'.repeat(19)]) {
      const { status, body } = await create({ number })
      expect([status, body.number]).toEqual([201, `${'*'.repeat(number.length - 4)}${number.slice(-4)}`])
    }
    const number = newCardNumber()
    const first = await register(instance.member, { number })
    const second = await create({ number: number.replace(/(....)/g, '$1 ').trim() }, instance.analyst)
    expect([second.status, second.body.number]).toEqual([201, first.number])
    expect(second.body.id).not.toBe(first.id)
  })

  test('refuses an organization that the caller does not belong to, as one that is not there', async () => {
    for (const organization_id of [second, 999_999])
      expect((await create({ organization_id })).body).toEqual({ errors: { organization_id: ['is invalid'] } })
    expect((await create({}, instance.stranger)).body).toEqual({ errors: { organization_id: ['is invalid'] } })
  })

  test('names another member for managers and above only', async () => {
    const user_id = instance.member.user_id
    for (const person of [instance.manager, instance.admin]) expect((await create({ user_id }, person)).body.user.id).toBe(user_id)
    expect((await create({ user_id }, instance.analyst)).status).toBe(403)
    expect((await create({ user_id: instance.analyst.user_id })).status).toBe(403)
    expect((await create({ user_id })).status).toBe(201)
    const { status, body } = await create({ user_id: instance.stranger.user_id }, instance.manager)
    expect({ status, body }).toEqual({ status: 422, body: { errors: { user_id: ['is not a member of this organization'] } } })
  })

  test('can be inactive from the start', async () => {
    expect((await create({ active: '0' })).body.active).toBe(false)
  })
})

describe('GET corporative_cards', () => {
  test("lists the caller's own, newest first, whatever their role", async () => {
    await register(instance.manager, { name: 'Older' })
    const mine = await register(instance.manager, { name: 'Mine' })
    const theirs = await register(instance.member, { name: 'Theirs' })
    const { body, headers } = await api(instance.manager).get(`${path}?per_page=1`)
    expect(body.corporative_cards).toHaveLength(1)
    expect(headers.get('link')).toContain('rel=next')
    const all = await api(instance.manager).get(`${path}?per_page=100`)
    expect(idsOf(all)[0]).toBe(mine.id)
    expect(idsOf(all)).not.toContain(theirs.id)
    expect(all.body.corporative_cards.every(({ user }: Json) => user.id === instance.manager.user_id)).toBe(true)
  })

  test('lists all of an organization that a filter names to those who manage it, and to others their own', async () => {
    const theirs = await register(instance.member)
    const asked = `${path}?per_page=100&q[organization_id_in][]=${instance.organization_id}`
    for (const person of [instance.manager, instance.admin]) expect(idsOf(await api(person).get(asked))).toContain(theirs.id)
    const own = await api(instance.member).get(asked)
    expect(own.body.corporative_cards.every(({ user }: Json) => user.id === instance.member.user_id)).toBe(true)
    expect(idsOf(own)).toContain(theirs.id)
    expect((await api(instance.analyst).get(`${asked}&q[id_in][]=${theirs.id}`)).body.count).toBe(0)
    expect((await api(instance.stranger).get(asked)).body.count).toBe(0)
    const elsewhere = `${path}?q[organization_id_in][]=${second}&q[id_in][]=${theirs.id}`
    expect((await api(instance.manager).get(elsewhere)).body.count).toBe(0)
  })

  test("filters by the contract's names and by the other predicates of the grammar", async () => {
    const person = await instance.addUser('Fil Ter', 'member')
    const visa = await register(person, { name: 'Blue Travel', number: newCardNumber('4') })
    const master = await register(person, { name: 'Green', number: newCardNumber('55'), active: false })
    const find = async (q: Json) => idsOf(await api(person).get(`${path}?${stringify({ q }, { arrayFormat: 'brackets' })}`))
    expect(await find({ name_cont: 'TRAV' })).toEqual([visa.id])
    expect(await find({ flag_cont: 'master' })).toEqual([master.id])
    expect(await find({ active_eq: true })).toEqual([visa.id])
    expect(await find({ active_eq: '0' })).toEqual([master.id])
    expect(await find({ id_in: [visa.id, 1] })).toEqual([visa.id])
    expect(await find({ organization_id_in: [instance.organization_id] })).toHaveLength(2)
    expect(await find({ organization_id_in: [second] })).toEqual([])
    expect(await find({ created_at_lteq: '2020-01-01' })).toEqual([])
    expect(await find({ updated_at_gteq: '2020-01-01' })).toHaveLength(2)
    expect(await find({ name_start: 'gr', id_not_in: [visa.id] })).toEqual([master.id])
    expect((await person.api.get(`${path}?sort=name`)).body.corporative_cards.map(({ name }: Json) => name)).toEqual([
      'Blue Travel',
      'Green',
    ])
  })

  test('refuses filters of what is not to be asked about', async () => {
    for (const name of ['number_eq', 'number_last4_eq', 'number_hmac_eq', 'user_id_eq'])
      expect((await instance.member.api.get(`${path}?q[${name}]=1`)).status).toBe(422)
    expect((await instance.member.api.get(`${path}?q[active_eq]=maybe`)).status).toBe(422)
  })

  test('shows one to its user and to managers and above; to others it does not exist', async () => {
    const { id } = await register(instance.member)
    for (const person of [instance.member, instance.manager, instance.admin])
      expect((await api(person).get(`${path}/${id}`)).status).toBe(200)
    for (const person of [instance.analyst, instance.stranger]) {
      const { status, body } = await person.api.get(`${path}/${id}`)
      expect({ status, body }).toEqual({ status: 404, body: { errors: { message: 'Record Not Found' } } })
    }
    expect((await instance.admin.api.get(`${path}/999999`)).status).toBe(404)
  })
})

describe('PUT and PATCH corporative_cards/:id', () => {
  test('change what is sent; the number, its flag and the user never change', async () => {
    const card = await register(instance.member)
    const changes = { name: 'Renamed', active: false, number: '5555555555554444', user_id: instance.admin.user_id, flag: 'x' }
    const { body, headers } = await api(instance.member).send('PATCH', `${path}/${card.id}`, changes)
    const { updated_at: _, ...kept } = card
    expect(body).toMatchObject({ ...kept, name: 'Renamed', active: false, version: 2 })
    expect(headers.get('etag')).toBe(`"${card.uid}.2"`)
    const put = { name: 'Again', expiration_date: '12/40', active: true, organization_id: instance.organization_id }
    expect((await api(instance.manager).send('PUT', `${path}/${card.id}`, put)).body).toMatchObject({
      name: 'Again',
      expiration_year: 2040,
      active: true,
    })
    const echoed = await api(instance.member).send('PATCH', `${path}/${card.id}`, body)
    expect(echoed.body).toMatchObject({ name: 'Renamed', number: card.number, flag: card.flag })
  })

  test('PUT demands all, PATCH nothing; nothing to change is written nowhere', async () => {
    const { id, version } = await register(instance.member)
    const { status, body } = await instance.member.api.send('PUT', `${path}/${id}`, { name: 'x' })
    expect({ status, errors: Object.keys(body.errors).sort() }).toEqual({
      status: 422,
      errors: ['active', 'expiration_date', 'organization_id'],
    })
    expect((await api(instance.member).send('PATCH', `${path}/${id}`, {})).body.version).toBe(version)
    const refused = await instance.member.api.send('PATCH', `${path}/${id}`, { name: '', expiration_date: '13/30' })
    expect(refused.body).toEqual({ errors: { name: ["can't be blank"], expiration_date: ['is invalid'] } })
  })

  test('move a card between organizations that both its user and the caller belong to', async () => {
    const card = await register(instance.manager)
    const move = (id: number, organization_id: number, person = instance.manager) =>
      api(person).send('PATCH', `${path}/${id}`, { organization_id })
    expect((await move(card.id, second)).body.organization.id).toBe(second)
    const theirs = await register(instance.member)
    expect((await move(theirs.id, second)).body).toEqual({ errors: { user_id: ['is not a member of this organization'] } })
    expect((await move(theirs.id, second, instance.member)).body).toEqual({ errors: { organization_id: ['is invalid'] } })
    const number = newCardNumber()
    await register(instance.manager, { number, organization_id: second })
    const twin = await register(instance.manager, { number })
    expect((await move(twin.id, second)).body.organization.id).toBe(second)
    const used = await register(instance.manager)
    await recordExpense(instance, instance.manager, { corporative_card_id: used.id })
    expect((await move(used.id, second)).body).toEqual({ errors: { organization_id: ['is already in use'] } })
  })

  test('honour If-Match', async () => {
    const { id, uid } = await register(instance.member)
    const write = (tag: string) => instance.member.api.send('PATCH', `${path}/${id}`, { name: 'Fresh' }, { 'if-match': `"${tag}"` })
    expect((await write(`${uid}.1`)).status).toBe(200)
    expect((await write(`${uid}.1`)).status).toBe(412)
    const stale = await instance.member.api.send('DELETE', `${path}/${id}`, undefined, { 'if-match': `"${uid}.1"` })
    expect(stale.status).toBe(412)
  })
})

describe('DELETE corporative_cards/:id', () => {
  test('is final; one with expenses stays, in both languages, until they are gone', async () => {
    const card = await register(instance.member)
    const expense = await recordExpense(instance, instance.member, { corporative_card_id: card.id })
    const remove = (headers = {}) => instance.member.api.send('DELETE', `${path}/${card.id}`, undefined, headers)
    const { status, body } = await remove()
    expect({ status, body }).toEqual({ status: 422, body: { errors: { message: 'There are expenses attached to the corporative card.' } } })
    expect((await remove(pt)).body.errors.message).toBe('Há despesas vinculadas ao cartão corporativo.')
    await instance.member.api.send('DELETE', `/expenses/${expense.id}`)
    const done = await remove()
    expect([done.status, done.body]).toEqual([204, null])
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect((await instance.member.api.send(method, `${path}/${card.id}`, method === 'PATCH' ? {} : undefined)).status).toBe(404)
    const used = await instance.member.api.send('PATCH', `/expenses/${(await recordExpense(instance, instance.member)).id}`, {
      corporative_card_id: card.id,
    })
    expect(used.body).toEqual({ errors: { corporative_card_id: ['is invalid'] } })
  })

  test('managers delete cards of others', async () => {
    const { id } = await register(instance.member)
    expect((await instance.analyst.api.send('DELETE', `${path}/${id}`)).status).toBe(404)
    expect((await instance.manager.api.send('DELETE', `${path}/${id}`)).status).toBe(204)
  })
})

test('an expired organization is read-only', async () => {
  const { id } = await register(instance.member)
  await whileExpired(instance, async () => {
    expect((await create()).status).toBe(402)
    for (const method of ['PATCH', 'DELETE'])
      expect((await instance.member.api.send(method, `${path}/${id}`, method === 'PATCH' ? {} : undefined)).status).toBe(402)
    expect((await instance.member.api.get(`${path}/${id}`)).status).toBe(200)
  })
})

test('every change is in the audit trail, for the user and managers', async () => {
  const { id } = await register(instance.member, { name: 'Told' })
  await instance.member.api.send('PATCH', `${path}/${id}`, { name: 'Told twice', expiration_date: '09/30', active: false })
  await instance.member.api.send('DELETE', `${path}/${id}`)
  const { body } = await instance.manager.api.get('/activities?per_page=3')
  expect(body.activities.map(({ changes }: Json) => changes)).toEqual([
    'Mel Member deleted the company card “Told twice” (the user Mel Member and the expiration date “09/30”).',
    'Mel Member changed the company card: the name from “Told” to “Told twice”, the expiration date from “08/29” to “09/30” and the active status from yes to no.',
    'Mel Member created the company card “Told” (the user Mel Member, the expiration date “08/29” and the active status yes).',
  ])
  expect(body.activities.every(({ subject }: Json) => subject.type === 'CorporativeCard' && subject.id === id)).toBe(true)
})
