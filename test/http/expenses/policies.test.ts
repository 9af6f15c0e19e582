import { afterEach, expect, test, vi } from 'vitest'
import { attach } from '#test/support/attach'
import { moveExpense, recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()
const path = `/organizations/${instance.organization_id}/policies`
afterEach(() => deleteAll())

const approval = { status: 'approved', approved_amount: 212, approved_amount_currency: 'BRL' }
const dinner = { name: 'Dinner', weight: 'block', condition: 'amount_over', amount: 80, currency: 'BRL' }

async function makePolicy(attributes: Record<string, unknown>): Promise<Json> {
  const { status, body } = await instance.manager.api.send('POST', path, attributes)
  if (status !== 201) throw new Error(`The policy was refused: ${JSON.stringify(body)}`)
  return body
}

async function deleteAll(): Promise<void> {
  const { policies } = (await instance.manager.api.get(path)).body
  for (const { id } of policies) await instance.manager.api.send('DELETE', `${path}/${id}`)
}

const read = async (id: number, person: Person = instance.member) => (await person.api.get(`/expenses/${id}`)).body

test('a blocking policy says what it found, refuses the approval, and lets it pass once the breach is accepted', async () => {
  const { manager, member } = instance
  const policy = await makePolicy(dinner)
  const { id } = await recordExpense(instance, member, { amount: 212 })
  const { flags, flag_level } = await read(id)
  expect(flag_level).toBe(3)
  expect(flags).toEqual([
    {
      ...{ policy_id: policy.id, policy: 'Dinner', number: 1, weight: 'block', condition: 'amount_over', is_checked: true },
      ...{ is_explained: false, value: 212, limit: 80, currency: 'BRL', unit: null, period: null },
    },
  ])
  const refused = await manager.api.send('PUT', `/expenses/${id}/status`, approval)
  expect(refused.status).toBe(422)
  const said = (body: Json) => body.errors.status[0].replaceAll('\u00a0', ' ')
  expect(said(refused.body)).toBe(
    'The policy “Dinner” does not allow this: BRL 212.00, limit BRL 80.00. Mark the expense as out of policy and accept that first.',
  )
  const inPortuguese = await manager.api.send('PUT', `/expenses/${id}/status`, approval, { 'accept-language': 'pt-BR' })
  expect(said(inPortuguese.body)).toContain('“Dinner” não permite isso: BRL 212,00, limite BRL 80,00.')
  const operations = [{ method: 'PUT', path: `/expenses/${id}/status`, body: approval }]
  const [together] = (await manager.api.send('POST', '/batch', { operations })).body.results
  expect([together.status, said(together.body)]).toEqual([422, said(refused.body)])
  const offered = async () => (await manager.api.get(`/expenses/${id}/status`)).body.status.map(({ slug }: Json) => slug)
  expect(await offered()).not.toContain('approved')
  expect(await offered()).not.toContain('liquidated')

  await moveExpense(manager, id, { status: 'noncompliant', ignore_noncompliant: true })
  expect((await moveExpense(manager, id, approval)).status).toBe('approved')
  expect((await read(id)).flags).toEqual(flags)
})

test('lists are filtered by what policies found', async () => {
  const { manager, member } = instance
  await makePolicy({ ...dinner, weight: 'note' })
  const dear = await recordExpense(instance, member, { amount: 90, description: 'filtered' })
  const cheap = await recordExpense(instance, member, { amount: 80, description: 'filtered' })
  const found = async (filter: string) =>
    (await manager.api.get(`/expenses?q[description_eq]=filtered&q[${filter}`)).body.expenses.map(({ id }: Json) => id)
  expect(await found('flag_level_gteq]=1')).toEqual([dear.id])
  expect(await found('flag_level_null]=1')).toEqual([cheap.id])
  expect(await found('flag_level_gteq]=2')).toEqual([])
  // A note is shown and blocks nothing.
  await moveExpense(manager, dear.id, { ...approval, approved_amount: 90 })
})

test('an amount in another currency is not checked, and says so', async () => {
  await makePolicy(dinner)
  const { id } = await recordExpense(instance, instance.member, { amount: 5000, currency: 'USD' })
  const { flags, flag_level } = await read(id)
  expect(flag_level).toBeNull()
  expect(flags).toMatchObject([{ is_checked: false, value: null, limit: 80, currency: 'BRL' }])
  await moveExpense(instance.manager, id, { ...approval, approved_amount: 5000, approved_amount_currency: 'USD' })
})

test('a receipt, a tag and an edit change the verdict', async () => {
  const { member, manager } = instance
  const tags = `/organizations/${instance.organization_id}/tags`
  const tag = (await manager.api.send('POST', tags, { name: 'Meals' })).body
  await makePolicy({ name: 'Receipts', weight: 'note', condition: 'receipt_missing', amount: 50, currency: 'BRL' })
  await makePolicy({ ...dinner, tag_ids: [tag.id] })
  const { id } = await recordExpense(instance, member, { amount: 60 })
  const conditions = async () => (await read(id)).flags.map(({ condition }: Json) => condition)
  expect(await conditions()).toEqual(['receipt_missing'])
  await attach(member.api, id, 'meal.png')
  expect(await conditions()).toEqual([])
  await member.api.send('PATCH', `/expenses/${id}`, { tags: 'Meals' })
  expect(await conditions()).toEqual([])
  await member.api.send('PATCH', `/expenses/${id}`, { amount: 81 })
  expect(await conditions()).toEqual(['amount_over'])
  await manager.api.send('DELETE', `${tags}/${tag.id}`)
  await vi.waitFor(async () => expect(await conditions()).toEqual([]))
})

test('a policy that asks for tags holds no more once all of them are deleted', async () => {
  const { member, manager } = instance
  const tags = `/organizations/${instance.organization_id}/tags`
  const [fair, trip] = await Promise.all(['Fair', 'Trip'].map(async (name) => (await manager.api.send('POST', tags, { name })).body))
  await makePolicy({ name: 'Tagged', weight: 'block', condition: 'tag_other', tag_ids: [fair.id, trip.id] })
  const { id } = await recordExpense(instance, member, { amount: 61 })
  const conditions = async () => (await read(id)).flags.map(({ condition }: Json) => condition)
  await manager.api.send('DELETE', `${tags}/${fair.id}`)
  await member.api.send('PATCH', `/expenses/${id}`, { description: 'With one tag left' })
  expect(await conditions()).toEqual(['tag_other'])
  await manager.api.send('DELETE', `${tags}/${trip.id}`)
  await vi.waitFor(async () => expect(await conditions()).toEqual([]))
  await moveExpense(manager, id, { ...approval, approved_amount: 61 })
})

test('open expenses are judged again when a policy changes, by what it said on their day; decided ones keep what was found', async () => {
  const { manager, member } = instance
  const march = await recordExpense(instance, member, { amount: 100, occurred_at: '2026-03-10' })
  const may = await recordExpense(instance, member, { amount: 100, occurred_at: '2026-05-10' })
  const decided = await recordExpense(instance, member, { amount: 100, occurred_at: '2026-05-20' })
  await moveExpense(manager, decided.id, { ...approval, approved_amount: 100 })
  const policy = await makePolicy({ ...dinner, weight: 'note' })
  const numbers = async () =>
    Promise.all([march, may, decided].map(async ({ id }) => (await read(id)).flags.map(({ number }: Json) => number)))
  await vi.waitFor(async () => expect(await numbers()).toEqual([[1], [1], []]))

  const changed = await manager.api.send('PATCH', `${path}/${policy.id}`, { amount: 90, holds_from: '2026-05-01' })
  expect(changed.body).toMatchObject({ number: 2, amount: 90, holds_from: '2026-05-01T00:00:00Z' })
  await vi.waitFor(async () => expect(await numbers()).toEqual([[1], [2], []]))
  // A new name is no new version.
  expect((await manager.api.send('PATCH', `${path}/${policy.id}`, { name: 'Supper' })).body.number).toBe(2)
  expect((await read(may.id)).flags[0].policy).toBe('Supper')
  await deleteAll()
  await vi.waitFor(async () => expect(await numbers()).toEqual([[], [], []]))
})

test.each([
  [{ condition: 'amount_over', currency: 'BRL' }, 'amount', "can't be blank"],
  [{ condition: 'amount_over', amount: 80 }, 'currency', "can't be blank"],
  [{ condition: 'receipt_missing', amount: 80 }, 'currency', "can't be blank"],
  [{ condition: 'receipt_missing', currency: 'BRL' }, 'amount', "can't be blank"],
  [{ condition: 'older_than' }, 'days', "can't be blank"],
  [{ condition: 'tag_missing', days: 3 }, 'days', 'does not go with this condition'],
  [{ condition: 'amount_over', amount: 80.001, currency: 'BRL' }, 'amount', 'has more decimals than BRL allows'],
  [{ condition: 'amount_over', amount: 80, currency: 'ANG' }, 'currency', 'withdrawn'],
  [{ condition: 'amount_over', amount: 80, currency: 'BRL', tag_ids: [999_999] }, 'tag_ids', 'is invalid'],
  [{ condition: 'tag_other' }, 'tag_ids', "can't be blank"],
  [{ condition: 'tag_not_allowed', tag_ids: [999_999] }, 'tag_ids', 'is invalid'],
  [{ condition: 'in_future', claimant_ids: [999_999] }, 'claimant_ids', 'member'],
  [{ condition: 'on_holiday', dates: ['2026-02-30'] }, 'dates', 'is invalid'],
  [{ condition: 'currency_other', currencies: ['XXY'] }, 'currencies', 'is not included in the list'],
  [{ condition: 'sum_over', amount: 80, currency: 'BRL' }, 'period', "can't be blank"],
  [{ condition: 'invoice_buyer' }, 'tax_ids', "can't be blank"],
  [{ condition: 'invoice_buyer', tax_ids: ['11.222.333/0001-82'] }, 'tax_ids', 'is invalid'],
  [{ condition: 'never' }, 'condition', 'is not included in the list'],
])('%o is refused', async (attributes, attribute, message) => {
  const { manager } = instance
  const { status, body } = await manager.api.send('POST', path, { name: 'Odd', weight: 'note', ...attributes })
  expect({ status, text: body.errors?.[attribute]?.[0] }).toEqual({ status: 422, text: expect.stringContaining(message) })
  expect((await manager.api.get(path)).body.count).toBe(0)
})

test('a policy that could never hold is refused, and another condition drops what it does not need', async () => {
  const { manager } = instance
  const { body: tag } = await manager.api.send('POST', `/organizations/${instance.organization_id}/tags`, { name: 'Travel' })
  const never = { name: 'Never', weight: 'note', condition: 'tag_missing', tag_ids: [tag.id] }
  const { status, body } = await manager.api.send('POST', path, never)
  expect({ status, errors: body.errors }).toEqual({ status: 422, errors: { tag_ids: ['can never apply with this condition'] } })
  const policy = await makePolicy(dinner)
  const { body: changed } = await manager.api.send('PATCH', `${path}/${policy.id}`, { condition: 'description_missing' })
  expect(changed).toMatchObject({ condition: 'description_missing', amount: null, currency: null, number: 2 })
})

test('every member reads the policies, managers write them, and each change is in the trail', async () => {
  const { member, analyst, stranger, admin } = instance
  const policy = await makePolicy(dinner)
  expect((await member.api.get(path)).body.policies).toMatchObject([{ name: 'Dinner', amount: 80 }])
  expect((await stranger.api.get(path)).status).toBe(404)
  for (const person of [member, analyst]) expect((await person.api.send('POST', path, dinner)).status).toBe(403)
  await instance.manager.api.send('PATCH', `${path}/${policy.id}`, { amount: 90, weight: 'note' })
  const { activities } = (await admin.api.get('/activities')).body
  const told = activities.flatMap(({ subject, changes }: Json) => (subject.type === 'Policy' ? [changes] : []))
  expect(told.slice(0, 2)).toEqual([
    'Max Manager changed the policy: the consequence from “Block approval” to “Show a note” and the amount from BRL\u00a080.00 to BRL\u00a090.00.',
    'Max Manager created the policy “Dinner” (the consequence “Block approval”, the condition “Amount over a limit” and the amount BRL\u00a080.00).',
  ])
})
