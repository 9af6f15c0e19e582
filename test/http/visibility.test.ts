import { beforeAll, describe, expect, test } from 'vitest'
import { insertRecord } from '#main/store/core/record-writer'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { registerCard } from '#test/support/cards'
import { newExpense, recordExpense } from '#test/support/expenses'

let other: Person
let own: Json
let foreign: Json
let deleted: Json
const instance = await instanceOfFile()
beforeAll(async () => {
  other = await instance.addUser('Olga Other', 'member')
  own = await recordExpense(instance, instance.member)
  foreign = await recordExpense(instance, other, { description: 'Hotel Nacional' })
  deleted = await recordExpense(instance, instance.member)
  await instance.member.api.send('DELETE', `/expenses/${deleted.id}`)
})

const idsOf = async (person: Person, query = ''): Promise<number[]> =>
  (await person.api.get(`/expenses?sort=id${query}`)).body.expenses.map(({ id }: Json) => id)
const payer = () => `&q[payer_id_eq]=${instance.organization_id}`

test('a member sees only their own', async () => {
  expect(await idsOf(instance.member)).toEqual([own.id])
  expect(await idsOf(instance.member, payer())).toEqual([own.id])
  expect(await idsOf(instance.member, '&q[search]=hotel')).toEqual([])
  expect(await idsOf(other, '&q[search]=hotel')).toEqual([foreign.id])
  expect((await instance.member.api.get(`/expenses/${foreign.id}`)).status).toBe(404)
})

test.each(['analyst', 'manager', 'admin'] as const)('the %s of the payer sees them all', async (role) => {
  expect(await idsOf(instance[role])).toEqual([own.id, foreign.id])
  expect(await idsOf(instance[role], payer())).toEqual([own.id, foreign.id])
  expect((await instance[role].api.get(`/expenses/${own.id}`)).status).toBe(200)
})

test('a participant sees what they take part in', async () => {
  const follower = await instance.addUser('Fay Follower', 'member')
  expect(await idsOf(follower)).toEqual([])
  const actor = { user_id: instance.admin.user_id, origin: 'test', request_id: null, if_match: null }
  await instance.app.store.transact(actor, async (tx) => {
    const values = { user_id: follower.user_id, expense_id: own.id, advancement_id: null, reimbursement_id: null }
    await insertRecord(tx, 'participants', { values, scope: { organization_id: instance.organization_id } })
  })
  expect(await idsOf(follower)).toEqual([own.id])
  expect(await idsOf(follower, payer())).toEqual([own.id])
  expect((await follower.api.get(`/expenses/${own.id}`)).status).toBe(200)
  expect((await follower.api.send('PATCH', `/expenses/${own.id}`, { description: 'mine now' })).status).toBe(403)
  expect((await follower.api.get(`/expenses/${foreign.id}`)).status).toBe(404)
})

describe('a hidden record gets exactly the response of a missing one', () => {
  test.each([
    ['GET', '', undefined],
    ['PATCH', '', { description: 'x' }],
    ['DELETE', '', undefined],
    ['GET', '/status', undefined],
    ['PUT', '/status', { status: 'analyzing' }],
  ])('%s /expenses/:id%s', async (method, rest, body) => {
    const to = (person: Person, id: number) => person.api.send(method, `/expenses/${id}${rest}`, body)
    const absent = await to(instance.member, 999_999)
    expect(absent.status).toBe(404)
    for (const response of [
      await to(instance.member, foreign.id),
      await to(instance.stranger, own.id),
      await to(instance.member, deleted.id),
      await to(instance.admin, deleted.id),
    ])
      expect([response.status, response.body]).toEqual([404, absent.body])
  })
})

test('a stranger sees and counts nothing, however they ask', async () => {
  for (const query of ['', payer(), `&q[id_in][]=${own.id}`, '&q[has_tag]=0', '&q[search]=2026'])
    expect((await instance.stranger.api.get(`/expenses?sort=id${query}`)).body).toMatchObject({ count: 0, expenses: [] })
  expect((await instance.stranger.api.get('/expenses/summary?group_by=status')).body).toEqual({ groups: [] })
})

test('who stops being a member keeps their own and loses the others', async () => {
  const leaver = await instance.addUser('Lea Leaver', 'analyst')
  const { id } = await recordExpense(instance, leaver)
  const actor = { user_id: instance.admin.user_id, origin: 'test', request_id: null, if_match: null }
  await instance.app.store.transact(actor, async (tx) => {
    await tx.db.updateTable('memberships').set({ deleted_at: tx.now }).where('user_id', '=', leaver.user_id).execute()
  })
  expect(await idsOf(leaver)).toEqual([id])
  expect((await leaver.api.get(`/expenses/${own.id}`)).status).toBe(404)
})

test('a card that the caller cannot see is treated as missing, even in its own organization; the receiver’s own can be charged', async () => {
  const charged = async (person: Person, corporative_card_id: number, receiver: Person) => {
    const receiving = { receiver: { id: receiver.user_id, type: 'User' }, corporative_card_id }
    return person.api.send('POST', '/expenses', newExpense(instance, receiving))
  }
  const [theirs, own] = [await registerCard(instance, other), await registerCard(instance, instance.member)]
  const refused = { errors: { corporative_card_id: ['is invalid'] } }
  expect((await charged(instance.member, theirs.id, instance.member)).body).toEqual(refused)
  expect((await charged(instance.member, 999_999, instance.member)).body).toEqual(refused)
  expect((await charged(instance.analyst, own.id, other)).body).toEqual(refused)
  expect((await charged(instance.member, own.id, instance.member)).status).toBe(201)
  expect((await charged(instance.analyst, own.id, instance.member)).status).toBe(201)
  expect((await charged(instance.manager, theirs.id, instance.member)).status).toBe(201)
})
