import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ApprovalCase,
  type ApprovalRule,
  type Deciders,
  approvalRules,
  findApproval,
  isWithin,
  needsSecondLook,
  standsInFor,
  wholeAuthorityOf,
} from '#shared/domain/duties'
import { type Role, isAtLeast, roles } from '#shared/domain/roles'
import { inForm } from '#test/support/form'

const person = fc.integer({ min: 1, max: 6 })
const amount = fc.integer({ min: 1, max: 9 })
const currency = fc.constantFrom('BRL', 'EUR')
const tag_ids = fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 2 })
const rule: fc.Arbitrary<ApprovalRule> = fc.record({
  rule: fc.constantFrom(...approvalRules),
  user_ids: fc.uniqueArray(person, { minLength: 1, maxLength: 3 }),
  amount_minor: fc.option(amount),
  currency,
  tag_ids,
})
const deciders: fc.Arbitrary<Deciders> = fc
  .record({
    members: fc.uniqueArray(fc.record({ user_id: person, role: fc.constantFrom(...roles) }), { selector: (one) => one.user_id }),
    rules: fc.array(rule, { maxLength: 4 }),
    stand_ins: fc.array(fc.record({ user_id: person, delegate_id: person }), { maxLength: 3 }),
    separate: fc.boolean(),
  })
  .map((drawn) => ({ ...drawn, stand_ins: drawn.stand_ins.filter(({ user_id, delegate_id }) => user_id !== delegate_id) }))
const asked: fc.Arbitrary<ApprovalCase> = fc
  .record({ receiver_id: person, author_id: person, amount_minor: amount, currency, tag_ids, looked_by: fc.option(person) })
  .map(({ looked_by, ...rest }) => ({ ...rest, ...(looked_by === null ? {} : { looked_by }) }))

const roleOf = ({ members }: Deciders, id: number): Role | undefined => members.find(({ user_id }) => user_id === id)?.role
const mayDecide = (all: Deciders, id: number) => isAtLeast(roleOf(all, id), 'manager') || standsInFor(all, id).length > 0
/** Whether someone’s standing in lets a person be away: nobody waits for a manager whose right an analyst or above has meanwhile. */
const mayLendTo = (all: Deciders, id: number, delegate_id: number) =>
  isAtLeast(roleOf(all, id), 'manager') && isAtLeast(roleOf(all, delegate_id), 'analyst')
/** Whether a right, given by whose it is where that is not one's own, is not of one person alone. */
const isOwn = (rightOf: readonly number[], person: number) => rightOf.length === 0 || rightOf.some((of) => of !== person)

const runs = { numRuns: 2000 }

describe('who may approve', () => {
  test('there is always someone, by name, as long as anyone’s role allows it: an approver, or someone who looks first', () => {
    fc.assert(
      fc.property(deciders, asked, (all, expense) => {
        const { approvers, lookers } = findApproval(all, expense)
        const able = all.members.filter(({ user_id }) => mayDecide(all, user_id))
        expect(approvers.length + lookers.length > 0).toBe(able.length > 0)
        expect(approvers.every((id) => mayDecide(all, id))).toBe(true)
        expect(lookers.every((id) => isAtLeast(roleOf(all, id), 'analyst'))).toBe(true)
      }),
      runs,
    )
  })

  test('a person who may not has a reason for it, and nothing keeps one who may', () => {
    fc.assert(
      fc.property(deciders, asked, (all, expense) => {
        const { approvers, keptBy } = findApproval(all, expense)
        for (const { user_id } of all.members)
          if (mayDecide(all, user_id)) expect(keptBy(user_id) === undefined).toBe(approvers.includes(user_id))
      }),
      runs,
    )
  })

  test('with separate approval nobody approves their own, or for the claimant, while someone unconcerned who is there could', () => {
    fc.assert(
      fc.property(deciders, asked, (all, expense) => {
        const { approvers } = findApproval({ ...all, separate: true }, expense)
        const concerned = [expense.receiver_id, expense.author_id]
        const away = all.stand_ins.map(({ user_id }) => user_id)
        const unconcerned = all.members.filter(
          ({ user_id, role }) => isAtLeast(role, 'manager') && ![...concerned, ...away].includes(user_id),
        )
        if (unconcerned.length > 0) expect(approvers.filter((id) => concerned.includes(id))).toEqual([])
      }),
      runs,
    )
  })

  test('nobody approves beyond their authority while someone could within theirs', () => {
    fc.assert(
      fc.property(deciders, asked, (drawn, expense) => {
        const all = { ...drawn, separate: false, stand_ins: [] }
        const { approvers } = findApproval(all, expense)
        const isWithinOwn = (id: number) => isWithin(wholeAuthorityOf(all, id), expense)
        if (all.members.some(({ user_id, role }) => isAtLeast(role, 'manager') && isWithinOwn(user_id)))
          expect(approvers.every(isWithinOwn)).toBe(true)
      }),
      runs,
    )
  })

  test('where two people decide, the one who looked never approves, unless nobody else who could is there', () => {
    fc.assert(
      fc.property(deciders, asked, (all, expense) => {
        const { approvers, rightOf } = findApproval(all, expense)
        const { looked_by, receiver_id } = expense
        const terms = all.rules.filter((one) => one.rule === 'second_look')
        if (!needsSecondLook(terms, expense) || looked_by === undefined || looked_by === receiver_id) return
        const isThere = (id: number) => !all.stand_ins.some(({ user_id, delegate_id }) => user_id === id && mayLendTo(all, id, delegate_id))
        // Who approves for the one who looked is no second person.
        const isOther = (id: number) => id !== looked_by && isThere(id) && isOwn(rightOf(id), looked_by)
        if (approvers.some(isOther)) expect(approvers).not.toContain(looked_by)
      }),
      runs,
    )
  })

  test('where two people decide, nobody approves for the one who looked, unless nobody else who could is there', () => {
    const [admin, looker, delegate] = [1, 2, 3]
    const all: Deciders = {
      members: [
        { user_id: admin, role: 'admin' },
        { user_id: looker, role: 'manager' },
        { user_id: delegate, role: 'analyst' },
      ],
      rules: [{ rule: 'second_look', user_ids: [], amount_minor: 5, currency: 'BRL', tag_ids: [] }],
      stand_ins: [{ user_id: looker, delegate_id: delegate }],
      separate: false,
    }
    const expense = { receiver_id: 4, author_id: 4, amount_minor: 6, currency: 'BRL', tag_ids: [], looked_by: looker }
    expect(findApproval(all, expense)).toMatchObject({ approvers: [admin], lookers: [] })
    expect(findApproval(all, expense).keptBy(delegate)).toBe('second_look')
    expect(findApproval(all, { ...expense, looked_by: delegate }).approvers.toSorted()).toEqual([admin, looker])
    const alone = { ...all, members: all.members.filter(({ user_id }) => user_id !== admin) }
    expect(findApproval(alone, expense).approvers).toContain(delegate)
    fc.assert(
      fc.property(deciders, asked, (drawn, { looked_by = 1, ...drawnExpense }) => {
        const case_ = { ...drawnExpense, looked_by }
        const { approvers, rightOf } = findApproval(drawn, case_)
        const terms = drawn.rules.filter((one) => one.rule === 'second_look')
        if (!needsSecondLook(terms, case_) || looked_by === case_.receiver_id) return
        const isThere = (id: number) =>
          !drawn.stand_ins.some(({ user_id, delegate_id }) => user_id === id && mayLendTo(drawn, id, delegate_id))
        const ownRight = (id: number) => id !== looked_by && isOwn(rightOf(id), looked_by)
        if (approvers.some((id) => ownRight(id) && isThere(id))) for (const id of approvers) expect([id, ownRight(id)]).toEqual([id, true])
      }),
      runs,
    )
  })

  test('without rules every manager and admin may, no matter who claims', () => {
    fc.assert(
      fc.property(deciders, asked, (all, expense) => {
        const { approvers, lookers } = findApproval({ ...all, rules: [], stand_ins: [], separate: false }, expense)
        const managers = all.members.filter(({ role }) => isAtLeast(role, 'manager'))
        expect([...approvers].sort()).toEqual(managers.map(({ user_id }) => user_id).sort())
        expect(lookers).toEqual([])
      }),
      runs,
    )
  })
})

test('an authority is worth nothing in another currency, and a second look is not asked for in one', () => {
  const term = { amount_minor: 500, currency: 'BRL', tag_ids: [] }
  const at = (amount_minor: number, code: string) => ({ amount_minor, currency: code, tag_ids: [] })
  expect([at(500, 'BRL'), at(501, 'BRL'), at(1, 'EUR')].map((one) => isWithin([term], one))).toEqual([true, false, false])
  expect([at(500, 'BRL'), at(501, 'BRL'), at(9999, 'EUR')].map((one) => needsSecondLook([term], one))).toEqual([false, true, false])
})

/** A person who is on leave has someone stand in whenever anyone can: as `assertPresent` lets them choose. */
interface Leave {
  readonly user_id: number
  readonly delegate_id: number
  readonly from: number
  readonly until: number
}

test('in a year with leave no expense is ever without an approver, or someone to look first, who is there and has a name', () => {
  const leaves = fc.array(
    fc.record({ user_id: person, delegate_id: person, from: fc.integer({ min: 0, max: 360 }), days: fc.integer({ min: 1, max: 40 }) }),
    { maxLength: 30 },
  )
  fc.assert(
    fc.property(deciders, leaves, fc.array(asked, { minLength: 3, maxLength: 3 }), (drawn, wishes, expenses) => {
      const members = [...drawn.members.filter(({ user_id }) => user_id !== 1), { user_id: 1, role: 'admin' as const }]
      const granted: Leave[] = []
      for (const { user_id, delegate_id, from, days } of wishes) {
        const together = granted.filter((one) => one.from < from + days && from < one.until)
        const role = roleOf({ ...drawn, members }, user_id)
        const delegated = roleOf({ ...drawn, members }, delegate_id)
        const isRefused =
          user_id === delegate_id ||
          !isAtLeast(role, 'manager') ||
          !isAtLeast(delegated, 'analyst') ||
          together.some((one) => one.user_id === delegate_id || one.delegate_id === user_id)
        if (!isRefused) granted.push({ user_id, delegate_id, from, until: from + days })
      }
      for (let day = 0; day < 365; day += 1) {
        const stand_ins = granted.filter(({ from, until }) => from <= day && day < until)
        const isThere = (id: number) => !stand_ins.some(({ user_id }) => user_id === id)
        for (const expense of expenses) {
          const { approvers, lookers } = findApproval({ ...drawn, members, stand_ins }, expense)
          expect([...approvers, ...lookers].some(isThere)).toBe(true)
        }
      }
    }),
    { numRuns: Number(process.env['LEAVE_YEARS'] ?? inForm(15, 60)) },
  )
})
