import { isAtLeast, type Role } from '#shared/domain/roles'

/**
 * Who may approve and who may pay. An organization can require that someone else approves what a person claims or recorded (`separate_approval`),
 * that someone else pays what a person approved or receives (`separate_payment`), limits for approvers, two people for large amounts, and stand-ins.
 * Nothing ever waits for nobody: a person is stopped only while someone else could act.
 */

/** The people concerned by an act, as user ids. */
export interface Duty {
  /** Everyone whose role allows the act. */
  readonly able: readonly number[]
  /** The person who benefits: the claimant, or the receiver of a payment. */
  readonly beneficiary: number
  /** The people who did an earlier part: recorded or approved it. Each steps back only if someone remains. */
  readonly involved: readonly number[]
}

/** The able people who may act: those not concerned; otherwise everyone but the beneficiary; otherwise everyone. */
export function listFree({ able, beneficiary, involved }: Duty): readonly number[] {
  const others = able.filter((id) => id !== beneficiary)
  const unconcerned = others.filter((id) => !involved.includes(id))
  return [unconcerned, others, able].find((ids) => ids.length > 0) ?? []
}

/** What an approval rule covers: amounts of its currency up to a limit (null: any amount), and expenses with one of its tags (empty: all). */
export interface ApprovalTerm {
  readonly amount_minor: number | null
  readonly currency: string | null
  readonly tag_ids: readonly number[]
}

/** `authority`: what these people may approve; people without such a rule may approve everything. `second_look`: what needs two people. */
export const approvalRules = ['authority', 'second_look'] as const

/** A rule about approvals. */
export interface ApprovalRule extends ApprovalTerm {
  readonly rule: (typeof approvalRules)[number]
  /** The people with this authority; empty for a second look. */
  readonly user_ids: readonly number[]
}

/** The values of an expense that rules check. */
export interface ApprovedExpense {
  readonly amount_minor: number
  readonly currency: string
  readonly tag_ids: readonly number[]
}

const hasTag = ({ tag_ids }: ApprovalTerm, expense: ApprovedExpense) =>
  tag_ids.length === 0 || tag_ids.some((id) => expense.tag_ids.includes(id))

/** Whether an authority covers an expense. Amounts are never converted: a limit does not cover other currencies. */
export function isWithin(terms: readonly ApprovalTerm[] | null, expense: ApprovedExpense): boolean {
  return (
    terms === null ||
    terms.some((term) => {
      const { amount_minor, currency } = term
      return hasTag(term, expense) && (amount_minor === null || (currency === expense.currency && expense.amount_minor <= amount_minor))
    })
  )
}

/** Whether an expense needs two people. Amounts in currencies without a rule are not checked. */
export function needsSecondLook(terms: readonly ApprovalTerm[], expense: ApprovedExpense): boolean {
  return terms.some((term) => {
    const { amount_minor, currency } = term
    return amount_minor !== null && currency === expense.currency && expense.amount_minor > amount_minor && hasTag(term, expense)
  })
}

/** What a person may approve, by the rules that name them; null: everything. */
export function authorityOf(rules: readonly ApprovalRule[], user_id: number): readonly ApprovalTerm[] | null {
  const own = rules.filter(({ rule, user_ids }) => rule === 'authority' && user_ids.includes(user_id))
  return own.length === 0 ? null : own
}

/** The people and rules of an organization. `stand_ins`: the current ones. */
export interface Deciders {
  readonly members: ReadonlyArray<{ readonly user_id: number; readonly role: Role }>
  readonly rules: readonly ApprovalRule[]
  readonly stand_ins: ReadonlyArray<{ readonly user_id: number; readonly delegate_id: number }>
  /** Whether nobody may approve what they claim or recorded. */
  readonly separate: boolean
}

/** An expense to approve. `looked_by`: who moved it to `analyzed`; absent if that was undone or concerned another amount. */
export interface ApprovalCase extends ApprovedExpense {
  readonly receiver_id: number
  readonly author_id: number
  readonly looked_by?: number
}

/** A person's authority to approve, from their own role or as a stand-in. */
interface Power {
  readonly user_id: number
  /** The person whose authority it is. */
  readonly of: number
  readonly role: Role
}

/**
 * The authorities to approve in an organization: of managers and above, and of analysts and above who stand in for one of them. A delegate must see
 * what they decide, so members cannot stand in.
 */
function listPowers({ members, stand_ins }: Deciders): Power[] {
  const roles = new Map(members.map(({ user_id, role }) => [user_id, role]))
  const own = members.filter(({ role }) => isAtLeast(role, 'manager')).map(({ user_id, role }) => ({ user_id, of: user_id, role }))
  const lent = stand_ins.flatMap(({ user_id: of, delegate_id: user_id }): Power[] => {
    const role = roles.get(of)
    return isAtLeast(role, 'manager') && isAtLeast(roles.get(user_id), 'analyst') && role ? [{ user_id, of, role }] : []
  })
  return [...own, ...lent]
}

/** The ids of deciding people for whom someone stands in. */
export function standsInFor(deciders: Deciders, user_id: number): number[] {
  return listPowers(deciders).flatMap((power) => (power.user_id === user_id && power.of !== user_id ? [power.of] : []))
}

/** What a person may approve, with their own authority and as a stand-in; null: everything. */
export function wholeAuthorityOf(deciders: Deciders, user_id: number): readonly ApprovalTerm[] | null {
  const powers = listPowers(deciders).filter((power) => power.user_id === user_id)
  const terms = powers.map(({ of }) => authorityOf(deciders.rules, of))
  return terms.every((each) => each !== null) ? terms.flat() : null
}

/** Who may approve an expense now. */
export interface Approval {
  /** Those who may approve, present people first. */
  readonly approvers: readonly number[]
  /** Those who may give the missing second look, which needs someone other than the approver. */
  readonly lookers: readonly number[]
  /** By whose authority a person approves, if not their own. */
  readonly rightOf: (user_id: number) => readonly number[]
  /** Why a person who has the role, or stands in for one, may not approve; undefined: they may. */
  readonly keptBy: (user_id: number) => 'separate_approval' | 'authority' | 'second_look' | undefined
}

/** How unsuitable someone is, as digits: concerned by it, then beyond their authority. */
function rankOf(deciders: Deciders, { user_id, of, role }: Power, expense: ApprovalCase): number {
  const people = [user_id, of]
  const concern = people.includes(expense.receiver_id) ? 2 : people.includes(expense.author_id) ? 1 : 0
  const beyond = isWithin(authorityOf(deciders.rules, of), expense) ? 0 : role === 'admin' ? 1 : 2
  return (deciders.separate ? concern : 0) * 10 + beyond
}

/**
 * Who may approve an expense: people who are not concerned and whose authority covers it; if there are none, the next suitable ones, so that nobody
 * waits for a person who does not exist. Someone with a stand-in may still act, but nobody has to wait for them.
 */
export function findApproval(deciders: Deciders, expense: ApprovalCase): Approval {
  const powers = listPowers(deciders).map((power) => ({ ...power, rank: rankOf(deciders, power, expense) }))
  const away = new Set(powers.filter(({ user_id, of }) => user_id !== of).map(({ of }) => of))
  const firstOf = (some: typeof powers) => some.filter(({ rank }) => rank === leastRank(some))
  const free = [...new Set([...firstOf(powers.filter(({ user_id }) => !away.has(user_id))), ...firstOf(powers)])]
  const { approving, lookers } = lookTwice(deciders, { expense, free, away })
  const approvers = peopleOf(approving)
  return {
    approvers,
    lookers,
    rightOf: (user_id) => {
      const holders = approving.filter((power) => power.user_id === user_id).map(({ of }) => of)
      return holders.includes(user_id) ? [] : holders
    },
    keptBy: (user_id) => {
      if (approvers.includes(user_id)) return undefined
      if (free.some((power) => power.user_id === user_id)) return 'second_look'
      const own = powers.filter((power) => power.user_id === user_id)
      return own.length > 0 && Math.floor(leastRank(own) / 10) > Math.floor(leastRank(free) / 10) ? 'separate_approval' : 'authority'
    },
  }
}

function leastRank(powers: ReadonlyArray<{ readonly rank: number }>): number {
  return Math.min(...powers.map(({ rank }) => rank))
}

const peopleOf = (powers: readonly Power[]) => [...new Set(powers.map(({ user_id }) => user_id))]

/** Whether an authority is another person's, used by another person: a person and their stand-in do not count as two. */
const isOthers =
  (person: number | undefined) =>
  ({ user_id, of }: Power) =>
    user_id !== person && of !== person

/** Excludes approvers until someone else has looked, if there is someone else. */
function lookTwice(
  { members, rules }: Deciders,
  { expense, free, away }: { expense: ApprovalCase; free: readonly Power[]; away: ReadonlySet<number> },
): { approving: readonly Power[]; lookers: readonly number[] } {
  const alone = { approving: free, lookers: [] }
  const terms = rules.filter(({ rule }) => rule === 'second_look')
  if (!needsSecondLook(terms, expense)) return alone
  const { looked_by, receiver_id } = expense
  const hasLooked = looked_by !== undefined && looked_by !== receiver_id
  const others = free.filter(isOthers(looked_by))
  const isPresent = ({ user_id }: Power) => !away.has(user_id)
  if (hasLooked && others.some(isPresent)) return { approving: others, lookers: [] }
  const lookers = members
    .filter(({ user_id, role }) => isAtLeast(role, 'analyst') && user_id !== receiver_id && !away.has(user_id))
    .map(({ user_id }) => user_id)
    .filter((looker) => free.filter(isPresent).some(isOthers(looker)))
  return lookers.length === 0 ? alone : { approving: hasLooked ? others : [], lookers }
}
