import { describe, expect, test } from 'vitest'
import { moveExpense, newExpense, recordExpense } from '#test/support/expenses'
import type { ApiResponse, Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { newMoney } from '#test/support/settlements'

const acme = await instanceOfFile()
/** An organization of the member's own, where the manager and the analyst may decide too. */
const own: number = (await acme.member.api.send('POST', '/organizations', { name: 'Own' })).body.id
for (const person of [acme.manager, acme.analyst])
  await acme.member.api.send('POST', `/organizations/${own}/members`, {
    user: { email: person === acme.manager ? 'max.manager@example.org' : 'ann.analyst@example.org' },
    role: 'admin',
  })

const organization = (id: number) => ({ id, type: 'Organization' })
const user = ({ user_id }: Person) => ({ id: user_id, type: 'User' })
const rule = (rules: Json) => acme.admin.api.send('PATCH', `/organizations/${acme.organization_id}`, rules)
const approve = (person: Person, id: number, amount = 12.5, currency = 'BRL') =>
  moveExpense(person, id, { status: 'approved', approved_amount: amount, approved_amount_currency: currency })
const pay = (person: Person, attributes: Json): Promise<ApiResponse<Json>> =>
  person.api.send('POST', '/reimbursements', newMoney(acme, attributes))

/** An expense of the member that the manager approved at BRL 10. */
async function approved(): Promise<number> {
  const { id } = await recordExpense(acme, acme.member)
  await approve(acme.manager, id, 10)
  return id
}

let operations = 0
const uid = () => `01a1fd47-d104-7042-8aa0-${(operations += 1).toString(16).padStart(12, '0')}`

describe('an organization', () => {
  const moves: ReadonlyArray<readonly [status: string, ...moves: Json[]]> = [
    ['awaiting_analysis'],
    ['pending', { status: 'pending' }],
    ['analyzing', { status: 'analyzing' }],
    ['analyzed', { status: 'analyzed' }],
    ['approved', { status: 'approved', approved_amount: 9 }],
    ['noncompliant', { status: 'noncompliant', ignore_noncompliant: true }],
    ['rejected', { status: 'rejected' }],
  ]
  test.each(moves)('takes over an expense that is %s in another only before anyone decides', async (status, ...taken) => {
    const isFree = status === 'awaiting_analysis' || status === 'pending'
    for (const mover of [acme.manager, acme.analyst, ...(isFree ? [acme.member] : [])]) {
      const { body } = await acme.member.api.send('POST', '/expenses', { ...newExpense(acme), payer: organization(own) })
      for (const move of taken) await moveExpense(acme.member, body.id, move)
      const moved = await mover.api.send('PATCH', `/expenses/${body.id}`, { payer: organization(acme.organization_id) })
      expect([moved.status, Object.keys(moved.body.errors ?? {})]).toEqual(isFree ? [200, []] : [422, ['payer']])
    }
  })

  test('judges what comes from another as new, recorded by who brings it', async () => {
    const at = (kind: string) => `/organizations/${acme.organization_id}/${kind}`
    const policy = { name: 'Much', condition: 'amount_over', amount: 500, currency: 'BRL', weight: 'block' }
    const { body: blocking } = await acme.admin.api.send('POST', at('policies'), policy)
    const claim = { ...newExpense(acme), payer: organization(own), amount: 777, external_id: 'x' }
    const { body } = await acme.member.api.send('POST', '/expenses', claim)
    const moved = await acme.manager.api.send('PATCH', `/expenses/${body.id}`, { payer: organization(acme.organization_id) })
    expect(moved.body).toMatchObject({ status: 'awaiting_analysis', flag_level: 3 })
    await acme.admin.api.send('DELETE', at(`policies/${blocking.id}`))
    await rule({ separate_approval: true })
    const refused = await acme.manager.api.send('PUT', `/expenses/${body.id}/status`, { status: 'approved', approved_amount: 777 })
    await rule({ separate_approval: false })
    expect(refused.status).toBe(403)
  })

  test.each(['reimbursements', 'advancements'])('keeps its %s: their payer never changes', async (kind) => {
    const money = { ...newMoney(acme), payer: organization(own), receiver: user(acme.manager) }
    const { body } = await acme.manager.api.send('POST', `/${kind}`, money)
    await rule({ separate_payment: true })
    for (const [method, change] of [
      ['PATCH', { payer: organization(acme.organization_id) }],
      ['PUT', { ...body, payer: organization(acme.organization_id) }],
    ] as const) {
      const moved = await acme.manager.api.send(method, `/${kind}/${body.id}`, change)
      expect([moved.status, Object.keys(moved.body.errors)]).toEqual([422, ['payer']])
    }
    expect((await acme.manager.api.send('PUT', `/${kind}/${body.id}`, body)).status).toBe(200)
    await rule({ separate_payment: false })
  })
})

describe('what is paid', () => {
  const bounds: ReadonlyArray<readonly [string, () => Promise<() => Promise<unknown>>]> = [
    ['separate payment', async () => (await rule({ separate_payment: true }), () => rule({ separate_payment: false }))],
    ['an approval rule', () => ruled({ rule: 'authority', user_ids: [acme.manager.user_id], amount: 1000, currency: 'BRL' })],
    ['a second look', () => ruled({ rule: 'second_look', amount: 1000, currency: 'BRL' })],
  ]
  async function ruled(fields: Json) {
    const at = `/organizations/${acme.organization_id}/approval_rules`
    const { body } = await acme.admin.api.send('POST', at, { name: 'Limit', ...fields })
    return () => acme.admin.api.send('DELETE', `${at}/${body.id}`)
  }

  test.each(bounds)('is at most what was approved, with %s', async (_name, start) => {
    const id = await approved()
    const end = await start()
    expect((await pay(acme.admin, { amount: 90 })).body.errors).toHaveProperty('amount')
    expect((await pay(acme.admin, { amount: 10.01, expense_ids: [id] })).body.errors).toHaveProperty('amount')
    const { status, body } = await pay(acme.admin, { amount: 10, expense_ids: [id] })
    expect(status).toBe(201)
    for (const change of [{ amount: 11 }, { expense_ids: [] }])
      expect((await acme.admin.api.send('PATCH', `/reimbursements/${body.id}`, change)).body.errors).toHaveProperty('amount')
    expect((await acme.admin.api.send('PATCH', `/reimbursements/${body.id}`, { amount: 9, description: 'Less' })).status).toBe(200)
    await end()
    expect((await acme.admin.api.send('PATCH', `/reimbursements/${body.id}`, { amount: 90 })).status).toBe(200)
  })

  test('was approved as it is: not what changed before changes took approvals back', async () => {
    const ids = [await approved(), await approved()]
    const { store } = acme.app
    const actor = { user_id: acme.manager.user_id, origin: 'api', request_id: null, if_match: null }
    // As an older version stored it.
    await store.transact(actor, async (tx) => {
      for (const id of ids) {
        await tx.write(
          'UPDATE expenses SET amount_minor = 900000, amount_scaled = 9000000000, approved_amount_minor = 900000 WHERE id = ?',
          [id],
        )
        const details = JSON.stringify([{ attribute: 'amount', from: 12.5, to: 9000, currency: 'BRL' }])
        await tx.write(
          `INSERT INTO activities (uid, organization_id, user_id, subject_type, subject_id, event, details, origin, occurred_at, created_at)
            VALUES (?, ?, ?, 'Expense', ?, 'expense_updated', ?, 'api', ?, ?)`,
          [uid(), acme.organization_id, acme.manager.user_id, id, details, tx.now, tx.now],
        )
      }
    })
    const [first = 0, second = 0] = ids
    const refused = [
      await pay(acme.admin, { amount: 9000, expense_ids: [first] }),
      await acme.admin.api.send('PUT', `/expenses/${second}/status`, { status: 'liquidated' }),
    ]
    for (const { status, body } of refused) expect([status, body.errors.message]).toEqual([422, expect.stringContaining('changed after')])
    await moveExpense(acme.manager, first, { status: 'analyzing' })
    await approve(acme.manager, first, 9000)
    expect((await pay(acme.admin, { amount: 9000, expense_ids: [first] })).status).toBe(201)
  })

  test('keeps its approver after a payment was deleted by someone else', async () => {
    const id = await approved()
    const { body } = await pay(acme.admin, { amount: 10, expense_ids: [id] })
    await acme.admin.api.send('DELETE', `/reimbursements/${body.id}`)
    await rule({ separate_payment: true })
    expect((await pay(acme.manager, { amount: 10, expense_ids: [id] })).status).toBe(403)
    expect((await pay(acme.admin, { amount: 10, expense_ids: [id] })).status).toBe(201)
    await rule({ separate_payment: false })
  })
})
