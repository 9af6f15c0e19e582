import type { Expense } from '#shared/contract/expenses'
import { onReset } from '../../api/page/page-state'

type Finding = Expense['flags'][number]

/** What differs when an expense was only judged again by the policies: its findings, and what every write changes. */
const judged = new Set<string>(['version', 'updated_at', 'flags', 'flag_level', '_links', 'activities_count'])

/** What this window moved into or out of rejected: by amount, and by claimant. Such a move changes what is found in others. */
const ownRejections = new Set<string>()
onReset(() => ownRejections.clear())
const ofAmount = ({ payer, amount, currency }: Expense) => `amount ${payer.id} ${amount} ${currency}`
const ofClaimant = ({ payer, receiver }: Expense) => `claimant ${payer.id} ${receiver.id}`

/** Notes a write of this window: a rejection, or the end of one, has expenses judged again that repeat this one or add up with it. */
export function noteRejection(before: Expense, after: Expense): void {
  if ((before.status === 'rejected') === (after.status === 'rejected')) return
  ownRejections.add(ofAmount(after)).add(ofClaimant(after))
}

/**
 * Whether nothing but findings changed in an expense since a decision about it, and none that the user should see first: findings went away,
 * or came with the user's own rejections and undos. Then the decision stands.
 */
export function isJudgedAgain(seen: Expense, now: Expense): boolean {
  const names = new Set([...Object.keys(seen), ...Object.keys(now)])
  const sameText = (name: string) => JSON.stringify(Reflect.get(seen, name)) === JSON.stringify(Reflect.get(now, name))
  if (![...names].every((name) => judged.has(name) || sameText(name))) return false
  return now.flags.every((finding) => seen.flags.some(isAtLeast(finding)) || isOwn(finding, now))
}

const isAtLeast = (finding: Finding) => (known: Finding) =>
  known.condition === finding.condition && known.policy_id === finding.policy_id && (known.value ?? 0) >= (finding.value ?? 0)

function isOwn({ condition }: Finding, expense: Expense): boolean {
  return ownRejections.has(condition === 'repeat' ? ofAmount(expense) : ofClaimant(expense))
}
