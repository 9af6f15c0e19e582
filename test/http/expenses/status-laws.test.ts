import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AccountabilityStatus, accountabilityStatuses } from '#shared/domain/accountability-status'
import { type ExpenseStatus, expenseStatuses } from '#shared/domain/expense-status'
import { addParticipant } from '#main/store/records/conversations/participants'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { recordExpense } from '#test/support/expenses'
import { inForm } from '#test/support/form'

const instance = await instanceOfFile()
const follower = await instance.addUser('Fay Follower', 'member')

/** The roles of those who move; `receiver` is the member whose record it is, `participant` one who only follows it. */
const movers = ['receiver', 'analyst', 'manager', 'admin', 'participant'] as const
type Mover = (typeof movers)[number]

function personOf(mover: Mover): Person {
  if (mover === 'receiver') return instance.member
  return mover === 'participant' ? follower : instance[mover]
}

/** Supplement 2, "Expense status moves", as it stands there: what an analyst may, a manager may also, and the receiver may. */
const expenseTable: Record<ExpenseStatus, [analyst: ExpenseStatus[], manager: ExpenseStatus[], receiver: ExpenseStatus[]]> = {
  awaiting_analysis: [['analyzing', 'analyzed', 'pending', 'noncompliant'], ['approved', 'rejected', 'liquidated'], []],
  analyzing: [['awaiting_analysis', 'analyzed', 'pending', 'noncompliant'], ['approved', 'rejected'], []],
  analyzed: [['analyzing', 'pending', 'noncompliant'], ['approved', 'rejected'], []],
  pending: [['analyzing', 'noncompliant'], ['rejected'], ['awaiting_analysis']],
  noncompliant: [['analyzing', 'pending'], ['approved', 'rejected'], []],
  approved: [[], ['analyzing', 'rejected', 'liquidated'], []],
  rejected: [['analyzing'], [], ['awaiting_analysis']],
  liquidated: [[], [], []],
}

/** What the table offers; a noncompliant expense goes on to approved only while that is tolerated. */
function offeredTo(mover: Mover, status: ExpenseStatus, isTolerated: boolean): ExpenseStatus[] {
  const [analyst, manager, receiver] = expenseTable[status]
  if (mover === 'participant') return []
  if (mover === 'receiver') return receiver
  const all = mover === 'analyst' ? analyst : [...analyst, ...manager]
  return all.filter((to) => to !== 'approved' || status !== 'noncompliant' || isTolerated)
}

const anyMove = fc.record({ mover: fc.constantFrom(...movers), to: fc.constantFrom(...expenseStatuses), ignore_noncompliant: fc.boolean() })

describe('an expense', () => {
  test('is offered the moves of the table, and accepts only those, for every user', async () => {
    const visited = new Set<string>()
    const walk = async (moves: ReadonlyArray<{ mover: Mover; to: ExpenseStatus; ignore_noncompliant: boolean }>) => {
      const { id } = await recordExpense(instance, instance.member)
      await follow(id)
      let status: ExpenseStatus = 'awaiting_analysis'
      let isTolerated = false
      for (const { mover, to, ignore_noncompliant } of moves) {
        const { api } = personOf(mover)
        const offered: Json = (await api.get(`/expenses/${id}/status`)).body.status
        const expected = offeredTo(mover, status, isTolerated)
        expect(new Set(offered.map(({ slug }: Json) => slug)), `${mover} at ${status}`).toEqual(new Set(expected))
        const move = { status: to, approved_amount: 5, approved_amount_currency: 'BRL', ignore_noncompliant }
        const response = await api.send('PUT', `/expenses/${id}/status`, move)
        const isRepeat = status === 'noncompliant' && to === 'noncompliant' && !['receiver', 'participant'].includes(mover)
        const isAccepted = expected.includes(to) || isRepeat
        expect(response.status === 200, `${mover} from ${status} to ${to}: ${response.status}`).toBe(isAccepted)
        if (!isAccepted) expect([403, 422]).toContain(response.status)
        visited.add(`${status} ${isAccepted ? to : status}`)
        if (isAccepted) status = to
        if (isAccepted && to === 'noncompliant') isTolerated = ignore_noncompliant
        expect((await instance.admin.api.get(`/expenses/${id}`)).body.status).toBe(status)
      }
    }
    await fc.assert(fc.asyncProperty(fc.array(anyMove, { minLength: 1, maxLength: 12 }), walk), { numRuns: inForm(12, 40) })
    expect(visited.size).toBeGreaterThan(10)
  })
})

/** Supplement 2, "Accountabilities": from where to where, the least role, and whether its parties may too. */
const accountabilityTable: Array<
  [from: AccountabilityStatus, to: AccountabilityStatus, least: 'analyst' | 'manager', isForParties?: true]
> = [
  ['opened', 'ready_to_review', 'analyst', true],
  ['ready_to_review', 'opened', 'analyst'],
  ['ready_to_review', 'analyzed', 'analyst'],
  ['analyzed', 'ready_to_review', 'analyst'],
  ['analyzed', 'approved', 'manager'],
  ['approved', 'analyzed', 'manager'],
  ['approved', 'finished', 'manager'],
]
const moversOf = { analyst: ['analyst', 'manager', 'admin'], manager: ['manager', 'admin'] }

describe('an accountability', () => {
  const anyStep = fc.record({
    mover: fc.constantFrom('receiver', 'analyst', 'manager', 'admin'),
    to: fc.constantFrom(...accountabilityStatuses),
  })

  test.each([true, false])('is offered what the table says and goes nowhere else; its expense is approved: %s', async (isApproved) => {
    const walk = async (steps: ReadonlyArray<{ mover: Exclude<Mover, 'participant'>; to: AccountabilityStatus }>) => {
      const expense = await recordExpense(instance, instance.member)
      if (isApproved) await instance.manager.api.send('PUT', `/expenses/${expense.id}/status`, { status: 'approved', approved_amount: 5 })
      const { body } = await instance.member.api.send('POST', '/accountabilities', {
        title: 'Trip',
        payer: { id: instance.organization_id, type: 'Organization' },
        receiver: { id: instance.member.user_id, type: 'User' },
        expense_ids: [expense.id],
      })
      const path = `/accountability/${body.id}`
      let status: AccountabilityStatus = 'opened'
      for (const { mover, to } of steps) {
        const { api } = personOf(mover)
        const expected = accountabilityTable
          .filter(
            ([from, , least, isForParties]) =>
              from === status && (moversOf[least].includes(mover) || (isForParties && mover === 'receiver')),
          )
          .map(([, next]) => next)
        const offered: Json = (await api.get(`${path}/status`)).body.status
        expect(new Set(offered.map(({ slug }: Json) => slug)), `${mover} at ${status}`).toEqual(new Set(expected))
        const response = await api.send('PUT', `${path}/status`, { status: to })
        const isAccepted = expected.includes(to) && (isApproved || (to !== 'approved' && to !== 'finished'))
        expect(response.status === 200, `${mover} from ${status} to ${to}: ${response.status}`).toBe(isAccepted)
        if (!isAccepted) expect([403, 422]).toContain(response.status)
        if (isAccepted) status = to
        expect((await instance.admin.api.get(path)).body.status).toBe(status)
      }
      const isPaid = (await instance.admin.api.get(`/expenses/${expense.id}`)).body.status === 'liquidated'
      expect(isPaid).toBe(status === 'finished')
    }
    await fc.assert(fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 12 }), walk), { numRuns: inForm(8, 25) })
  })

  test('can go all the way, and then no further', async () => {
    const { body } = await instance.member.api.send('POST', '/accountabilities', {
      title: 'Trip',
      payer: { id: instance.organization_id, type: 'Organization' },
      receiver: { id: instance.member.user_id, type: 'User' },
    })
    for (const status of accountabilityStatuses.slice(1))
      expect((await instance.admin.api.send('PUT', `/accountability/${body.id}/status`, { status })).status).toBe(200)
    for (const status of accountabilityStatuses)
      expect((await instance.admin.api.send('PUT', `/accountability/${body.id}/status`, { status })).status).toBe(422)
  })
})

/** Makes the participant one, as a mention does. */
async function follow(expense_id: number): Promise<void> {
  const { user_id } = personOf('participant')
  await instance.app.store.transact({ user_id, origin: 'test', request_id: null, if_match: null }, (tx) =>
    addParticipant(tx, { kind: 'expense', id: expense_id, organization_id: instance.organization_id, receiver_id: user_id }, user_id),
  )
}
