import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { attach } from '#test/support/attach'
import { checked } from '#test/support/contract'
import { moveExpense, newExpense, recordExpense } from '#test/support/expenses'
import { type Instance, type Json, startInstance } from '#test/support/instance'
import { approvedExpense, newMoney, recordMoney } from '#test/support/settlements'

let acme: Instance
beforeEach(async () => {
  await acme?.remove()
  acme = await startInstance()
})
afterAll(() => acme.remove())

const closings = () => `/organizations/${acme.organization_id}/closings`
const close = (name = '2026-03') => checked(acme.admin.api).send('POST', closings(), { name })
const reopen = (id: number, reopening = 'A receipt was missing') =>
  checked(acme.admin.api).send('PATCH', `${closings()}/${id}`, { reopening })
const ask = async (method: string, path: string, body?: unknown) => {
  const response = await acme.manager.api.send(method, path, body)
  return { status: response.status, text: JSON.stringify(response.body) }
}
const isRefused = { status: 422, text: expect.stringContaining('March 2026') }

describe('a month', () => {
  test('is closed by admins once it is over, and once', async () => {
    const { status, body } = await close()
    expect([status, body]).toMatchObject([201, { name: '2026-03', reopening: null, user: { name: 'Ada Admin' } }])
    expect((await close()).body.errors.name).toEqual(['has already been taken'])
    expect((await acme.manager.api.send('POST', closings(), { name: '2026-02' })).status).toBe(403)
    for (const name of ['9999-12', new Date().toISOString().slice(0, 7)])
      expect((await close(name)).body.errors.name).toEqual(['is not over yet: only past months can be closed'])
    for (const name of ['2026-13', '2026', 'March', '']) expect((await close(name)).status).toBe(422)
    expect((await acme.member.api.get(closings())).body).toMatchObject({ count: 1 })
    expect((await acme.member.api.get('/session')).body.memberships[0].closed_months).toEqual(['2026-03'])
  })

  test('is reopened by admins with a reason that the trail keeps, and can be closed again', async () => {
    const { id } = (await close()).body
    const member = `${closings()}/${id}`
    expect((await acme.manager.api.send('PATCH', member, { reopening: 'x' })).status).toBe(403)
    expect((await acme.admin.api.send('DELETE', member)).body.errors.message).toMatch(/March 2026 is closed. Reopen it first/)
    expect((await acme.admin.api.send('PATCH', member, { name: '2026-02' })).status).toBe(422)
    await reopen(id, '  ')
    expect((await close()).body.errors.name).toEqual(['has already been taken'])
    expect((await reopen(id)).body).toMatchObject({ reopening: 'A receipt was missing' })
    expect((await reopen(id, 'Another one')).status).toBe(422)
    expect((await close()).status).toBe(201)
    const { activities } = (await acme.admin.api.get('/activities')).body
    const told = activities.filter(({ subject }: Json) => subject.type === 'Closing').map(({ changes }: Json) => changes)
    expect(told.toReversed()).toEqual([
      'Ada Admin closed the month “2026-03”.',
      'Ada Admin reopened the month “2026-03”: “A receipt was missing”.',
      'Ada Admin closed the month “2026-03”.',
    ])
  })
})

describe('in a closed month', () => {
  test('expenses keep their tags: those are neither renamed nor deleted until it is reopened', async () => {
    const tags = `/organizations/${acme.organization_id}/tags`
    const make = async (name: string) => (await checked(acme.manager.api).send('POST', tags, { name })).body.id
    const [used, unused] = [await make('Fair'), await make('Stand')]
    await recordExpense(acme, acme.member, { tags: 'Fair' })
    const { id } = (await close()).body
    const rename = { name: 'Trade fair' }
    for (const [method, body] of [
      ['PATCH', rename],
      ['DELETE', undefined],
    ] as const) {
      const answer = await acme.manager.api.send(method, `${tags}/${used}`, body)
      expect([answer.status, answer.body.errors.message]).toEqual([422, expect.stringMatching(/^Expenses of March 2026 have this tag/)])
    }
    expect((await acme.manager.api.send('PATCH', `${tags}/${unused}`, { name: 'Booth' })).status).toBe(200)
    await reopen(id)
    expect((await acme.manager.api.send('PATCH', `${tags}/${used}`, rename)).status).toBe(200)
    expect((await acme.manager.api.send('DELETE', `${tags}/${used}`)).status).toBe(204)
  })

  test('an expense and its receipts stay as they are, whatever the way in', async () => {
    const { id } = await recordExpense(acme, acme.member, { tags: 'Taxi' })
    const { id: receipt } = await attach(acme.member.api, id, 'a')
    const loose = await attach(acme.member.api, (await recordExpense(acme, acme.member, { occurred_at: '2026-04-01' })).id, 'b')
    await close()
    const path = `/expenses/${id}`
    const before = (await acme.manager.api.get(path)).body
    for (const change of [{ amount: 1 }, { tags: '' }, { occurred_at: '2026-04-02' }, { location: 'Recife' }])
      expect(await ask('PATCH', path, change)).toEqual(isRefused)
    expect(await ask('DELETE', path)).toEqual(isRefused)
    for (const status of ['analyzing', 'approved', 'rejected', 'pending'])
      expect(await ask('PUT', `${path}/status`, { status, approved_amount: 1 })).toEqual(isRefused)
    expect((await checked(acme.manager.api).get(`${path}/status`)).body.status).toEqual([])
    expect(await ask('DELETE', `${path}/attachments/${receipt}`)).toEqual(isRefused)
    expect(await ask('PATCH', `${path}/attachments/${receipt}`, { description: 'x' })).toEqual(isRefused)
    await expect(attach(acme.member.api, id, 'c')).rejects.toThrow(/March 2026/)
    const operations = [{ method: 'PATCH', path, body: { amount: 1 } }]
    expect((await acme.manager.api.send('POST', '/batch', { operations })).body.results[0].status).toBe(422)
    expect((await acme.manager.api.get(path)).body).toMatchObject({ ...before, attachments: expect.anything() })
    // What changes nothing, and comments, are no change of the month.
    expect((await acme.manager.api.send('PATCH', path, { amount: before.amount })).status).toBe(200)
    expect((await acme.member.api.send('POST', `${path}/comments`, { content: 'Why closed?' })).status).toBe(201)
    expect(loose.id).toBeGreaterThan(0)
  })

  test('nothing is moved in, and what arrives late counts in the first open month, where it can change', async () => {
    const other = await recordExpense(acme, acme.member, { occurred_at: '2026-05-04' })
    for (const month of ['2026-03', '2026-04']) await close(month)
    expect((await acme.member.api.send('PATCH', `/expenses/${other.id}`, { occurred_at: '2026-03-31' })).body.errors).toEqual({
      occurred_at: ['is in March 2026, which is closed: choose a date in an open month, or ask an admin to reopen it'],
    })
    const late = (await checked(acme.member.api).send('POST', '/expenses', newExpense(acme))).body
    expect(late).toMatchObject({ occurred_at: '2026-03-04T00:00:00Z', booked_on: '2026-05-01T00:00:00Z' })
    const path = `/expenses/${late.id}`
    const dated = async (occurred_at: string) => (await acme.member.api.send('PATCH', path, { occurred_at })).body
    expect(await dated('2026-04-09')).toMatchObject({ booked_on: '2026-05-01T00:00:00Z' })
    await moveExpense(acme.manager, late.id, { status: 'pending' })
    expect((await acme.member.api.send('PATCH', path, { amount: 3 })).status).toBe(200)
    await close('2026-05')
    expect((await acme.member.api.send('PATCH', path, { amount: 4 })).body.errors.message).toMatch(/^May 2026 is closed/)
    const found = (await acme.manager.api.get('/expenses?q[booked_on_null]=0')).body.expenses.map(({ id }: Json) => id)
    expect(found).toEqual([late.id])
    const trail = (await acme.manager.api.get(`${path}/activities`)).body.activities.at(-1)
    expect(trail.details).toContainEqual({ attribute: 'booked_on', from: null, to: '2026-05-01T00:00:00Z' })
  })

  test('a late arrival that gets a date of an open month belongs to that month', async () => {
    await close()
    const { id } = await recordExpense(acme, acme.member)
    expect((await acme.member.api.send('PATCH', `/expenses/${id}`, { occurred_at: '2026-06-01' })).body.booked_on).toBeNull()
  })

  test('settlements are not made, changed or deleted', async () => {
    const advance = await recordMoney(acme, '/advancements')
    const paid = await recordMoney(acme, '/reimbursements')
    const later = await recordMoney(acme, '/reimbursements', { date: '2026-06-01' })
    await close()
    for (const path of ['/advancements', '/reimbursements', '/advancement_devolutions'])
      expect(await ask('POST', path, newMoney(acme))).toEqual(isRefused)
    for (const path of [`/advancements/${advance.id}`, `/reimbursements/${paid.id}`]) {
      expect(await ask('PATCH', path, { amount: 1 })).toEqual(isRefused)
      expect(await ask('PATCH', path, { date: '2026-06-01' })).toEqual(isRefused)
      expect(await ask('PATCH', path, { tags: ['Trip'] })).toEqual(isRefused)
      expect(await ask('DELETE', path)).toEqual(isRefused)
    }
    expect(await ask('PATCH', `/reimbursements/${later.id}`, { date: '2026-03-01' })).toEqual(isRefused)
  })

  test('an approved expense is paid by a reimbursement of an open month, which can be taken back, and by nothing else', async () => {
    const { id } = await approvedExpense(acme)
    const undecided = await recordExpense(acme, acme.member)
    await close()
    const pay = (date: string, expense_ids = [id]) => ask('POST', '/reimbursements', newMoney(acme, { date, expense_ids }))
    const preview = `/reimbursements/new?payer_id=${acme.organization_id}&receiver_id=${acme.member.user_id}&currency=BRL`
    expect((await acme.manager.api.get(preview)).body.expenses).toMatchObject([{ id }])
    expect(await pay('2026-03-31')).toEqual(isRefused)
    expect((await pay('2026-06-01', [undecided.id])).status).toBe(422)
    expect(await ask('PUT', `/expenses/${id}/status`, { status: 'liquidated' })).toEqual(isRefused)
    const before = (await acme.manager.api.get(`/expenses/${id}`)).body
    const paid = await pay('2026-06-01')
    expect(paid.status).toBe(201)
    const { id: reimbursement } = JSON.parse(paid.text)
    expect((await acme.manager.api.get(`/expenses/${id}`)).body).toMatchObject({ status: 'liquidated', reimbursement_id: reimbursement })
    expect(await ask('PATCH', `/expenses/${id}`, { amount: 1 })).toMatchObject({ status: 422 })
    expect((await ask('PATCH', `/reimbursements/${reimbursement}`, { expense_ids: [] })).status).toBe(200)
    expect((await ask('PATCH', `/reimbursements/${reimbursement}`, { expense_ids: [id] })).status).toBe(200)
    expect((await ask('DELETE', `/reimbursements/${reimbursement}`)).status).toBe(204)
    const { amount, approved_amount, flags, booked_on } = before
    expect((await acme.manager.api.get(`/expenses/${id}`)).body).toMatchObject({
      status: 'approved',
      amount,
      approved_amount,
      flags,
      booked_on,
    })
  })

  test('an expense report that settles one of it can be finished', async () => {
    const { id } = await approvedExpense(acme)
    const report = {
      title: 'Trip',
      payer: { id: acme.organization_id, type: 'Organization' },
      receiver: { id: acme.member.user_id, type: 'User' },
    }
    const made = (await acme.manager.api.send('POST', '/accountabilities', { ...report, expense_ids: [id] })).body
    const move = (status: string) => ask('PUT', `/accountability/${made.id}/status`, { status })
    for (const status of ['ready_to_review', 'analyzed', 'approved']) expect((await move(status)).status).toBe(200)
    await close()
    expect((await move('finished')).status).toBe(200)
    expect((await acme.manager.api.get(`/expenses/${id}`)).body.status).toBe('liquidated')
  })

  test('all is as before once it is reopened', async () => {
    const { id } = await recordExpense(acme, acme.member)
    const closed = (await close()).body
    await reopen(closed.id)
    expect((await ask('PATCH', `/expenses/${id}`, { amount: 1 })).status).toBe(200)
    expect((await acme.member.api.send('POST', '/expenses', newExpense(acme))).body.booked_on).toBeNull()
  })
})
