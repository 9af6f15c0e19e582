import { afterEach, describe, expect, test } from 'vitest'
import { checked } from '#test/support/contract'
import { moveExpense, recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const acme = await instanceOfFile()
afterEach(() => separate({ separate_approval: false, separate_payment: false }))

const people = ['member', 'analyst', 'manager', 'admin'] as const
type Who = (typeof people)[number]
const approvers: readonly Who[] = ['manager', 'admin']

const separate = (rules: Record<string, boolean>) => acme.admin.api.send('PATCH', `/organizations/${acme.organization_id}`, rules)
const as = (person: Person) => ({ id: person.user_id, type: 'User' })
const recordFor = (recorder: Who, claimant: Who) => recordExpense(acme, acme[recorder], { receiver: as(acme[claimant]) })
const slugsOf = async (person: Person, id: number) =>
  (await checked(person.api).get(`/expenses/${id}/status`)).body.status.map(({ slug }: Json) => slug)
const approve = (person: Person, id: number) =>
  person.api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 12.5 })
const settle = (person: Person, id: number) => person.api.send('PUT', `/expenses/${id}/status`, { status: 'liquidated' })
const pay = (person: Person, receiver: Person, expense_ids: number[] = []) =>
  person.api.send('POST', '/reimbursements', {
    payer: { id: acme.organization_id, type: 'Organization' },
    receiver: as(receiver),
    amount: 12.5,
    currency: 'BRL',
    date: '2026-03-04',
    ...(expense_ids.length > 0 && { expense_ids }),
  })

/** Who records for whom: members only for themselves. */
const claims = people.flatMap((recorder) =>
  people.filter((claimant) => recorder !== 'member' || claimant === 'member').map((claimant) => ({ recorder, claimant })),
)

describe('who approves', () => {
  for (const isOn of [false, true])
    test.each(claims)(`$recorder records for $claimant, separation ${isOn ? 'on' : 'off'}`, async ({ recorder, claimant }) => {
      if (isOn) expect((await separate({ separate_approval: true })).status).toBe(200)
      const others = approvers.filter((one) => one !== claimant)
      const free = others.filter((one) => one !== recorder)
      const allowed = !isOn ? approvers : free.length > 0 ? free : others
      for (const who of approvers) {
        const { id } = await recordFor(recorder, claimant)
        expect((await slugsOf(acme[who], id)).includes('approved')).toBe(allowed.includes(who))
        const { status, body } = await approve(acme[who], id)
        expect(status).toBe(allowed.includes(who) ? 200 : 403)
        if (status === 403) expect(body.errors.message).toMatch(/someone else approve.*It can be approved by: \S+/)
        if (status === 403) expect((await acme[who].api.get(`/expenses/${id}`)).body).toMatchObject({ status: 'awaiting_analysis' })
      }
    })
})

describe('who pays', () => {
  const cases = approvers.flatMap((approver) => people.map((claimant) => ({ approver, claimant })))
  for (const isOn of [false, true])
    test.each(cases)(`$approver approved what $claimant claims, separation ${isOn ? 'on' : 'off'}`, async ({ approver, claimant }) => {
      const others = approvers.filter((one) => one !== claimant)
      const free = others.filter((one) => one !== approver)
      const allowed = !isOn ? approvers : free.length > 0 ? free : others
      for (const who of approvers) {
        const [first, second] = [await recordFor('analyst', claimant), await recordFor('analyst', claimant)]
        for (const { id } of [first, second]) await moveExpense(acme[approver], id, { status: 'approved', approved_amount: 12.5 })
        if (isOn) await separate({ separate_payment: true })
        const expected = allowed.includes(who)
        expect((await slugsOf(acme[who], first.id)).includes('liquidated')).toBe(expected)
        expect((await settle(acme[who], first.id)).status).toBe(expected ? 200 : 403)
        expect((await pay(acme[who], acme[claimant], [second.id])).status).toBe(expected ? 201 : 403)
        await separate({ separate_payment: false })
      }
    })

  test('what one person recorded is not approved and settled in one step by the same person', async () => {
    await separate({ separate_payment: true })
    const { id } = await recordFor('member', 'member')
    expect(await slugsOf(acme.manager, id)).not.toContain('liquidated')
    expect((await acme.manager.api.send('PUT', `/expenses/${id}/status`, { status: 'liquidated', approved_amount: 1 })).status).toBe(403)
  })

  test('nobody pays or advances money to themselves, or turns a payment to themselves', async () => {
    const paid = await pay(acme.manager, acme.member)
    expect(paid.status).toBe(201)
    await separate({ separate_payment: true })
    expect((await pay(acme.manager, acme.manager)).status).toBe(403)
    const payer = { id: acme.organization_id, type: 'Organization' }
    const advance = { payer, receiver: as(acme.manager), amount: 5, currency: 'BRL', date: '2026-03-04' }
    expect((await acme.manager.api.send('POST', '/advancements', advance)).status).toBe(403)
    expect((await acme.admin.api.send('POST', '/advancements', advance)).status).toBe(201)
    const turned = await acme.manager.api.send('PATCH', `/reimbursements/${paid.body.id}`, { receiver: as(acme.manager) })
    expect(turned.status).toBe(403)
    expect((await acme.manager.api.send('PATCH', `/reimbursements/${paid.body.id}`, { description: 'x' })).status).toBe(200)
  })
})

test('with one manager left the rules keep nobody waiting, and are back with the second one', async () => {
  await separate({ separate_approval: true, separate_payment: true })
  const role = `/organizations/${acme.organization_id}/members/${acme.manager.user_id}`
  const { id } = await recordFor('admin', 'admin')
  expect((await approve(acme.admin, id)).status).toBe(403)
  expect((await acme.admin.api.send('PUT', role, { role: 'member' })).status).toBe(200)
  expect((await acme.admin.api.get('/session')).body.memberships[0].own_kept_from).toEqual([])
  expect((await approve(acme.admin, id)).status).toBe(200)
  await acme.admin.api.send('PUT', role, { role: 'manager' })
  expect((await acme.admin.api.get('/session')).body.memberships[0].own_kept_from).toEqual(['approved', 'liquidated'])
  expect((await settle(acme.admin, id)).status).toBe(403)
})

test('only admins switch the rules, and the trail says who did', async () => {
  const path = `/organizations/${acme.organization_id}`
  expect((await acme.manager.api.send('PATCH', path, { separate_approval: true })).status).toBe(403)
  expect((await separate({ separate_approval: true })).body).toMatchObject({ separate_approval: true, separate_payment: false })
})
