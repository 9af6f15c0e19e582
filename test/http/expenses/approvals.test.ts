import { afterEach, describe, expect, test } from 'vitest'
import { checked } from '#test/support/contract'
import { moveExpense, recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const acme = await instanceOfFile()
const mara = await acme.addUser('Mara Second', 'manager')
afterEach(async () => {
  for (const kind of ['approval_rules', 'stand_ins'])
    for (const { id } of (await acme.admin.api.get(at(kind))).body[kind]) await acme.admin.api.send('DELETE', at(`${kind}/${id}`))
})

const at = (path: string) => `/organizations/${acme.organization_id}/${path}`
const as = (person: Person) => ({ id: person.user_id, type: 'User' })
const addRule = (fields: Json) => checked(acme.admin.api).send('POST', at('approval_rules'), { name: 'A rule', ...fields })
const authority = (people: readonly Person[], fields: Json) =>
  addRule({ rule: 'authority', user_ids: people.map(({ user_id }) => user_id), ...fields })
const twoPeople = (fields: Json) => addRule({ rule: 'second_look', ...fields })
const claim = (fields: Json = {}) => recordExpense(acme, acme.member, { amount: 100, ...fields })
const slugsOf = async ({ api }: Person, id: number): Promise<string[]> =>
  (await checked(api).get(`/expenses/${id}/status`)).body.status.map(({ slug }: Json) => slug)
const approve = ({ api }: Person, id: number, fields: Json = {}) =>
  api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 100, ...fields })
const approversOf = async (id: number): Promise<Json> => (await checked(acme.member.api).get(`/expenses/${id}/approvers`)).body
const namesOf = async (id: number) => (await approversOf(id)).approvers.map(({ user }: Json) => user.id)

/** Expects that a person may approve, as is offered and as is done, or who is named instead. */
async function expectApproval(person: Person, id: number, named: readonly string[] | 'allowed') {
  expect((await slugsOf(person, id)).includes('approved')).toBe(named === 'allowed')
  const { status, body } = await approve(person, id)
  expect(status).toBe(named === 'allowed' ? 200 : 403)
  if (named === 'allowed') return
  for (const name of named) expect(body.errors.message).toContain(name)
  expect((await acme.admin.api.get(`/expenses/${id}`)).body.approved_amount).toBe(null)
}

describe('an authority', () => {
  test('lets people approve up to its amount; others may approve everything', async () => {
    expect((await authority([acme.manager], { amount: 80, currency: 'BRL' })).status).toBe(201)
    const [large, small] = [await claim(), await claim({ amount: 80 })]
    await expectApproval(acme.manager, large.id, ['Mara Second', 'Ada Admin'])
    await expectApproval(mara, large.id, 'allowed')
    expect((await approve(acme.manager, small.id, { approved_amount: 80 })).status).toBe(200)
    expect(await namesOf((await claim()).id)).toEqual(expect.arrayContaining([mara.user_id, acme.admin.user_id]))
  })

  test('is worth nothing in another currency, until a rule names that one too', async () => {
    await authority([acme.manager], { amount: 500, currency: 'BRL' })
    const { id } = await claim({ currency: 'EUR' })
    await expectApproval(acme.manager, id, ['Mara Second'])
    await authority([acme.manager], { amount: 100, currency: 'EUR' })
    expect((await approve(acme.manager, id, { approved_amount_currency: 'EUR' })).status).toBe(200)
  })

  test('reaches what is approved in another currency only where it covers that one too', async () => {
    await authority([acme.manager], { amount: 500, currency: 'BRL' })
    const other = { approved_amount: 9_000, approved_amount_currency: 'EUR' }
    const { id } = await claim()
    expect((await approve(acme.manager, id, other)).status).toBe(403)
    expect((await acme.admin.api.get(`/expenses/${id}`)).body).toMatchObject({ status: 'awaiting_analysis', approved_amount: null })
    expect((await approve(mara, id, other)).status).toBe(200)
  })

  test('for some tags reaches expenses with one of them', async () => {
    const { body: travel } = await acme.admin.api.send('POST', at('tags'), { name: 'Travel' })
    await authority([acme.manager], { tag_ids: [travel.id] })
    await expectApproval(acme.manager, (await claim()).id, ['Mara Second'])
    await expectApproval(acme.manager, (await claim({ tags: 'Travel' })).id, 'allowed')
  })

  test('yields when nobody’s reaches: an admin decides, whose own does not reach either', async () => {
    await authority([acme.manager, mara, acme.admin], { amount: 10, currency: 'BRL' })
    const { id } = await claim()
    await expectApproval(acme.manager, id, ['Ada Admin'])
    await expectApproval(acme.admin, id, 'allowed')
  })

  test('counts for settling at once too, and the session tells it before anyone asks', async () => {
    await authority([acme.manager], { amount: 80, currency: 'BRL' })
    const { id } = await claim()
    expect(await slugsOf(acme.manager, id)).not.toContain('liquidated')
    const settled = { status: 'liquidated', approved_amount: 100 }
    expect((await acme.manager.api.send('PUT', `/expenses/${id}/status`, settled)).status).toBe(403)
    expect((await acme.manager.api.get('/session')).body.memberships[0]).toMatchObject({
      authority: [{ amount_minor: 8000, currency: 'BRL', tag_ids: [] }],
      stands_in: false,
    })
    expect((await mara.api.get('/session')).body.memberships[0].authority).toBe(null)
  })
})

describe('where two people decide', () => {
  test('someone else moves the expense to analyzed before it is approved', async () => {
    await twoPeople({ amount: 99.99, currency: 'BRL' })
    const { id } = await claim()
    await expectApproval(acme.manager, id, [])
    expect((await approversOf(id)).second_look_by.map((one: Json) => one.id)).toContain(acme.analyst.user_id)
    await moveExpense(acme.manager, id, { status: 'analyzed' })
    await expectApproval(acme.manager, id, ['Mara Second', 'Ada Admin'])
    expect(await namesOf(id)).not.toContain(acme.manager.user_id)
    await expectApproval(mara, id, 'allowed')
  })

  test('the look of the claimant does not count, nor one at another amount', async () => {
    await twoPeople({ amount: 50, currency: 'BRL' })
    const own = await recordExpense(acme, mara, { amount: 100 })
    await moveExpense(mara, own.id, { status: 'analyzed' })
    await expectApproval(acme.manager, own.id, [])
    const changed = await claim()
    await moveExpense(acme.analyst, changed.id, { status: 'analyzed' })
    expect((await acme.analyst.api.send('PATCH', `/expenses/${changed.id}`, { amount: 120 })).status).toBe(200)
    await expectApproval(acme.manager, changed.id, [])
  })

  test('who takes back a move is not the one who looked', async () => {
    await twoPeople({ amount: 50, currency: 'BRL' })
    const { id } = await claim()
    await moveExpense(acme.analyst, id, { status: 'analyzed' })
    const { version } = await moveExpense(acme.manager, id, { status: 'analyzing' })
    await moveExpense(acme.manager, id, { status: 'analyzed', undo_of: version })
    await expectApproval(acme.manager, id, 'allowed')
  })

  test('up to the amount, and in another currency, one person is enough', async () => {
    await twoPeople({ amount: 100, currency: 'BRL' })
    await expectApproval(acme.manager, (await claim()).id, 'allowed')
    const { id } = await claim({ amount: 900, currency: 'EUR' })
    expect((await approve(acme.manager, id, { approved_amount_currency: 'EUR' })).status).toBe(200)
  })
})

describe('someone who stands in', () => {
  const days = (from: number, until: number) => {
    const on = (day: number) => new Date(Date.now() + day * 86_400_000).toISOString().replace(/\.\d+/, '')
    return { starts_at: on(from), ends_at: on(until) }
  }
  const standIn = (by: Person, user: Person, delegate: Person, times = days(-1, 5)) =>
    checked(by.api).send('POST', at('stand_ins'), { name: 'Away', user: as(user), delegate: as(delegate), ...times })

  test('approves in that time, with what waits already, by the authority of the one who is away, and settles nothing', async () => {
    await authority([acme.manager], { amount: 100, currency: 'BRL' })
    const [before, large] = [await claim(), await claim({ amount: 101 })]
    expect((await approve(acme.analyst, before.id)).status).toBe(403)
    expect((await standIn(acme.manager, acme.manager, acme.analyst)).status).toBe(201)
    expect((await acme.analyst.api.get('/session')).body.memberships[0]).toMatchObject({ role: 'analyst', stands_in: true })
    expect((await approversOf(before.id)).approvers).toContainEqual(
      expect.objectContaining({
        user: expect.objectContaining({ id: acme.analyst.user_id }),
        stands_in_for: [expect.objectContaining({ id: acme.manager.user_id })],
      }),
    )
    await expectApproval(acme.analyst, before.id, 'allowed')
    await expectApproval(acme.analyst, large.id, ['Mara Second'])
    expect(await slugsOf(acme.analyst, before.id)).not.toContain('liquidated')
    expect((await acme.analyst.api.send('PUT', `/expenses/${before.id}/status`, { status: 'liquidated' })).status).toBe(403)
    const { activities } = (await acme.admin.api.get(`/expenses/${before.id}/activities`)).body
    expect(activities[0].user.id).toBe(acme.analyst.user_id)
    const forWhom = String(acme.manager.user_id)
    expect(activities[0].details).toContainEqual({ attribute: 'stands_in_for', from: forWhom, to: forWhom })
    expect(activities[0].changes).toMatch(/^Ann Analyst \(for Max Manager\) moved the expense from To review to Approved/)
    const own = await claim()
    expect((await acme.analyst.api.send('PUT', `/expenses/${own.id}/status`, { status: 'pending' })).status).toBe(200)
    expect((await acme.admin.api.get(`/expenses/${own.id}/activities`)).body.activities[0].changes).toMatch(/^Ann Analyst moved/)
  })

  test('finds what waits for the one who is away next to their own, only in that time', async () => {
    const [theirs, own, nobodys] = [await claim(), await claim(), await claim()]
    for (const [by, { id }] of [
      [acme.manager, theirs],
      [acme.analyst, own],
    ] as const)
      expect((await by.api.send('PUT', `/expenses/${id}/status`, { status: 'analyzing' })).status).toBe(200)
    const found = async ({ api }: Person) => {
      const { expenses } = (await checked(api).get('/expenses?q[responsible_is_me]=1&q[status_eq]=analyzing')).body
      return expenses.map(({ id }: Json) => id)
    }
    const { body } = await standIn(acme.manager, acme.manager, acme.analyst, days(1, 2))
    expect(await found(acme.analyst)).toEqual([own.id])
    expect((await acme.manager.api.send('PATCH', at(`stand_ins/${body.id}`), days(-1, 2))).status).toBe(200)
    expect(await found(acme.analyst)).toEqual([own.id, theirs.id])
    expect(await found(acme.manager)).toEqual([theirs.id])
    expect(await found(acme.analyst)).not.toContain(nobodys.id)
    await acme.manager.api.send('DELETE', at(`stand_ins/${body.id}`))
    expect(await found(acme.analyst)).toEqual([own.id])
  })

  test('may do nothing before that time or after it', async () => {
    const { id } = await claim()
    const { body } = await standIn(acme.manager, acme.manager, acme.analyst, days(1, 2))
    expect((await approve(acme.analyst, id)).status).toBe(403)
    const path = at(`stand_ins/${body.id}`)
    expect((await acme.manager.api.send('PATCH', path, days(-2, 0.5))).status).toBe(200)
    await expectApproval(acme.analyst, id, 'allowed')
    expect((await acme.manager.api.send('DELETE', path)).status).toBe(204)
    expect((await approve(acme.analyst, (await claim()).id)).status).toBe(403)
  })

  test('does not approve what the one who is away claims, where someone else has to', async () => {
    const settings = `/organizations/${acme.organization_id}`
    await acme.admin.api.send('PATCH', settings, { separate_approval: true })
    await standIn(acme.manager, acme.manager, acme.analyst)
    const { id } = await recordExpense(acme, acme.manager, { amount: 100 })
    await expectApproval(acme.analyst, id, ['Mara Second'])
    await acme.admin.api.send('PATCH', settings, { separate_approval: false })
  })

  test.each([
    ['themselves', () => ({ user: acme.manager, delegate: acme.manager }), 'delegate'],
    ['someone who does not review', () => ({ user: acme.manager, delegate: acme.member }), 'delegate'],
    ['someone who approves nothing', () => ({ user: acme.analyst, delegate: acme.manager }), 'user'],
  ] as const)('cannot be for, or be, %s', async (_who, people, field) => {
    const { user, delegate } = people()
    const { status, body } = await standIn(acme.admin, user, delegate)
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([field])
  })

  test('is there: nobody who is away then, and none who stands in goes away', async () => {
    await standIn(acme.admin, acme.manager, mara)
    expect((await standIn(acme.admin, acme.admin, acme.manager)).body.errors).toHaveProperty('delegate')
    expect((await standIn(mara, mara, acme.admin)).body.errors.user[0]).toMatch(/Max Manager|stands in/)
    expect((await standIn(acme.admin, acme.admin, acme.manager, days(6, 7))).status).toBe(201)
  })

  test('keeps the role that they need, until someone else is chosen', async () => {
    const { body } = await standIn(acme.admin, acme.manager, acme.analyst)
    const member = at(`members/${acme.analyst.user_id}`)
    expect((await acme.admin.api.send('PUT', member, { role: 'member' })).status).toBe(422)
    expect((await acme.admin.api.send('DELETE', member)).status).toBe(422)
    await acme.admin.api.send('PATCH', at(`stand_ins/${body.id}`), { delegate: as(mara) })
    expect((await acme.admin.api.send('PUT', member, { role: 'member' })).status).toBe(200)
    await acme.admin.api.send('PUT', member, { role: 'analyst' })
    await standIn(acme.admin, acme.manager, acme.analyst, days(6, 7))
    expect((await acme.admin.api.send('PUT', member, { role: 'member' })).status).toBe(422)
  })

  test('is chosen by managers for themselves, by admins for anyone, and ends after it begins', async () => {
    expect((await standIn(acme.manager, mara, acme.analyst)).status).toBe(403)
    expect((await standIn(acme.analyst, acme.analyst, mara)).status).toBe(403)
    expect((await standIn(acme.admin, mara, acme.analyst, days(3, 2))).body.errors).toHaveProperty('ends_at')
    expect((await standIn(acme.admin, mara, acme.analyst, days(-3, -2))).body.errors).toHaveProperty('ends_at')
  })
})

test.each([
  ['an authority without people', { rule: 'authority', amount: 5, currency: 'BRL' }, 'user_ids'],
  ['an authority that limits nothing', { rule: 'authority', user_ids: [1] }, 'amount'],
  ['a second look without an amount', { rule: 'second_look', tag_ids: [] }, 'amount'],
  ['an amount without a currency', { rule: 'second_look', amount: 5 }, 'currency'],
  ['people who are no members', { rule: 'authority', user_ids: [987_654], amount: 5, currency: 'BRL' }, 'user_ids'],
  ['a tag that is not there', { rule: 'second_look', tag_ids: [987_654], amount: 5, currency: 'BRL' }, 'tag_ids'],
])('%s is refused', async (_what, fields, attribute) => {
  const { status, body } = await addRule(fields)
  expect(status).toBe(422)
  expect(Object.keys(body.errors)).toEqual([attribute])
})

test('only admins write rules; every member reads them, and the trail says who wrote what', async () => {
  expect((await acme.manager.api.send('POST', at('approval_rules'), { name: 'x', rule: 'second_look' })).status).toBe(403)
  const { body } = await twoPeople({ amount: 100, currency: 'BRL' })
  await acme.admin.api.send('PATCH', at(`approval_rules/${body.id}`), { amount: 250 })
  expect((await acme.member.api.get(at('approval_rules'))).body.approval_rules).toEqual([
    expect.objectContaining({ id: body.id, rule: 'second_look', amount: 250, currency: 'BRL' }),
  ])
  const { activities } = (await acme.admin.api.get('/activities')).body
  expect(activities[0].sentence ?? activities[0].description ?? JSON.stringify(activities[0])).toMatch(/250/)
})
