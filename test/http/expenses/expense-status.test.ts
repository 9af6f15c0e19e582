import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type ExpenseStatus,
  decideMove,
  expenseStatuses,
  needsApprovedAmount,
  offeredStatuses,
  statusColors,
} from '#shared/domain/expense-status'
import type { Role } from '#shared/domain/roles'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { checked } from '#test/support/contract'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { inForm } from '#test/support/form'

const instance = await instanceOfFile()

interface Given {
  readonly status: ExpenseStatus
  readonly ignore_noncompliant: boolean | null
}

/** Puts an expense into a state without going there move by move. */
async function place(id: number, { status, ignore_noncompliant }: Given): Promise<void> {
  const actor = { user_id: instance.admin.user_id, origin: 'test', request_id: null, if_match: null }
  const isApproved = status === 'approved' || status === 'liquidated'
  const approval = {
    approved_amount_minor: isApproved ? 500 : null,
    approved_amount_scaled: isApproved ? 50_000 : null,
    approved_amount_currency: isApproved ? 'BRL' : null,
  }
  const ignored = ignore_noncompliant === null ? null : ignore_noncompliant ? (1 as const) : (0 as const)
  await instance.app.store.transact(actor, async (tx) => {
    await tx.db
      .updateTable('expenses')
      .set({ status, ignore_noncompliant: ignored, ...approval })
      .where('id', '=', id)
      .execute()
  })
}

/** All that a move to a status could need. */
function moveTo(status: ExpenseStatus): Json {
  return { status, approved_amount: 5, approved_amount_currency: 'BRL', ignore_noncompliant: true }
}

const roles: Array<[name: string, role: Role | undefined, is_receiver: boolean]> = [
  ['the receiver, a member', 'member', true],
  ['another member', 'member', false],
  ['an analyst', 'analyst', false],
  ['an analyst who receives it', 'analyst', true],
  ['a manager', 'manager', false],
  ['an admin', 'admin', false],
]
const states: Given[] = expenseStatuses.flatMap((status) =>
  (status === 'noncompliant' ? [true, false, null] : [null]).map((ignore_noncompliant) => ({ status, ignore_noncompliant })),
)

describe.each(roles)('%s', (_name, role, is_receiver) => {
  let person: Person
  let id: number
  const isBlind = role === 'member' && !is_receiver
  beforeAll(async () => {
    person = await instance.addUser(`Person ${role} ${is_receiver}`, role)
    id = (await recordExpense(instance, is_receiver ? person : instance.member)).id
  })

  test.each(states)('from $status ($ignore_noncompliant) is offered and may do what the table says', async (given) => {
    const api = checked(person.api)
    await place(id, given)
    const offered = await api.get(`/expenses/${id}/status`)
    const slugs = offeredStatuses(given, { role, is_receiver })
    if (isBlind) expect(offered.status).toBe(404)
    else {
      expect(offered.body.status.map(({ slug }: Json) => slug)).toEqual(slugs)
      for (const entry of offered.body.status as Array<Json>) expect(entry).toMatchObject(statusColors[entry.slug as ExpenseStatus])
    }
    for (const to of expenseStatuses) {
      await place(id, given)
      const { status, body } = await api.send('PUT', `/expenses/${id}/status`, moveTo(to))
      const outcome = decideMove(given, { role, is_receiver }, to).kind
      expect([to, status]).toEqual([to, isBlind ? 404 : { allowed: 200, forbidden: 403, not_offered: 422 }[outcome]])
      if (outcome === 'not_offered' && !isBlind) expect(body).toEqual({ errors: { status: ['is not included in the list'] } })
      if (outcome === 'allowed') expect(body.status).toBe(to)
    }
  })
})

describe('what a move needs', () => {
  const put = async (move: Json, from: ExpenseStatus = 'awaiting_analysis', attributes: Json = {}) => {
    const { id } = await recordExpense(instance, instance.member, { amount: 10, ...attributes })
    if (from !== 'awaiting_analysis') await place(id, { status: from, ignore_noncompliant: null })
    return instance.manager.api.send('PUT', `/expenses/${id}/status`, move)
  }

  test.each([
    [{}, { status: ["can't be blank"] }],
    [{ status: 'paid' }, { status: ['is not included in the list'] }],
    [{ status: 'approved' }, { approved_amount: ["can't be blank"] }],
    [{ status: 'liquidated' }, { approved_amount: ["can't be blank"] }],
    [{ status: 'noncompliant' }, { ignore_noncompliant: ["can't be blank"] }],
    [{ status: 'approved', approved_amount: 0 }, { approved_amount: ['must be greater than 0'] }],
    [{ status: 'approved', approved_amount: -5 }, { approved_amount: ['must be greater than 0'] }],
    [{ status: 'approved', approved_amount: 10.01 }, { approved_amount: ['must be less than or equal to 10'] }],
    [{ status: 'approved', approved_amount: 1.001 }, { approved_amount: ['has more decimals than BRL allows'] }],
    [{ status: 'approved', approved_amount: 'ten' }, { approved_amount: ['is not a number'] }],
    [
      { status: 'approved', approved_amount: 5, approved_amount_currency: 'XYZ' },
      { approved_amount_currency: ['is not included in the list'] },
    ],
  ])('%j is 422', async (move, errors) => {
    const response = await put(move)
    expect([response.status, response.body]).toEqual([422, { errors }])
  })

  test('the currency of the approved amount is BRL for an expense in BRL, and must be named for any other', async () => {
    expect((await put({ status: 'approved', approved_amount: 10 })).body).toMatchObject({
      approved_amount: 10,
      approved_amount_currency: 'BRL',
    })
    const dollars = await put({ status: 'approved', approved_amount: 10 }, 'awaiting_analysis', { currency: 'USD' })
    expect([dollars.status, dollars.body]).toEqual([422, { errors: { approved_amount_currency: ["can't be blank"] } }])
  })

  test('an approved amount in another currency may be larger', async () => {
    const { body } = await put({ status: 'approved', approved_amount: 55.5, approved_amount_currency: 'BRL' }, 'awaiting_analysis', {
      currency: 'USD',
    })
    expect(body).toMatchObject({ amount: 10, currency: 'USD', approved_amount: 55.5, approved_amount_currency: 'BRL' })
  })

  test('approved → liquidated keeps the recorded amount when none is sent', async () => {
    expect((await put({ status: 'liquidated' }, 'approved')).body).toMatchObject({
      status: 'liquidated',
      approved_amount: 5,
      approved_amount_currency: 'BRL',
    })
    expect((await put({ status: 'liquidated', approved_amount: 4 }, 'approved')).body).toMatchObject({ approved_amount: 4 })
  })

  test('leaving approved clears the approved amount', async () => {
    expect((await put({ status: 'analyzing' }, 'approved')).body).toMatchObject({ approved_amount: null, approved_amount_currency: null })
  })
})

test('a move to analyzing makes the caller responsible and a participant', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const body = await moveExpense(instance.analyst, id, { status: 'analyzing' })
  expect(body.responsible_user).toMatchObject({ id: instance.analyst.user_id, type: 'User' })
  const rows = await instance.app.store.reader.db.selectFrom('participants').select('user_id').where('expense_id', '=', id).execute()
  expect(rows).toEqual([{ user_id: instance.analyst.user_id }])
})

test('noncompliant becomes approved only once it is tolerated', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const approve = () => instance.manager.api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 5 })
  await moveExpense(instance.analyst, id, { status: 'noncompliant', ignore_noncompliant: '0' })
  expect((await approve()).status).toBe(422)
  expect(await moveExpense(instance.analyst, id, { status: 'noncompliant', ignore_noncompliant: true })).toMatchObject({
    ignore_noncompliant: true,
  })
  expect((await approve()).status).toBe(200)
})

test('a new review has no record of the one before it: what was decided about policy is cleared', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const tolerated = { status: 'noncompliant', ignore_noncompliant: true }
  for (const status of ['analyzing', 'pending']) {
    expect(await moveExpense(instance.analyst, id, tolerated)).toMatchObject(tolerated)
    expect(await moveExpense(instance.analyst, id, { status })).toMatchObject({ status, ignore_noncompliant: null })
  }
  const [last]: Json[] = (await instance.manager.api.get(`/expenses/${id}/activities`)).body.activities
  expect(last.details).toContainEqual({ attribute: 'ignore_noncompliant', from: true, to: null })
  await moveExpense(instance.analyst, id, tolerated)
  expect(await moveExpense(instance.manager, id, { status: 'approved', approved_amount: 5 })).toMatchObject({
    status: 'approved',
    ignore_noncompliant: true,
  })
})

test('status names are worded in the reader’s language', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const names = async (language: string) =>
    (await instance.manager.api.get(`/expenses/${id}/status`, { 'accept-language': language })).body.status.map(({ name }: Json) => name)
  expect(await names('en')).not.toEqual(await names('pt'))
})

test('no walk leaves the table: each step is what the table says, and only a step leaves a mark', async () => {
  const people: Array<[Person, Role]> = [
    [instance.member, 'member'],
    [instance.analyst, 'analyst'],
    [instance.manager, 'manager'],
  ]
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(2), fc.constantFrom(...expenseStatuses), fc.boolean()), { maxLength: 12 }), async (steps) => {
      let before = await recordExpense(instance, instance.member)
      let decider = instance.member
      for (const [who, to, tolerated] of steps) {
        const [person, role] = people[who] ?? [instance.manager, 'manager']
        const relation = { role, is_receiver: person === instance.member }
        const expected = decideMove(before, relation, to).kind
        const { status } = await person.api.send('PUT', `/expenses/${before.id}/status`, { ...moveTo(to), ignore_noncompliant: tolerated })
        const after: Json = (await instance.manager.api.get(`/expenses/${before.id}`)).body
        expect(status).toBe({ allowed: 200, forbidden: 403, not_offered: 422 }[expected])
        if (status !== 200) expect(after).toEqual(before)
        else {
          expect(after.status).toBe(to)
          // Who makes the same decision once more is responsible for it from then on.
          const isSame = to === before.status && tolerated === before.ignore_noncompliant && person === decider
          decider = person
          expect(after.version).toBe(before.version + (isSame ? 0 : 1))
          if (!isSame) expect(after.activities_count).toBe(before.activities_count + 1)
          if (needsApprovedAmount(before.status, to)) expect(after.approved_amount).toBe(5)
        }
        before = after
      }
    }),
    { numRuns: inForm(8, 25) },
  )
})
