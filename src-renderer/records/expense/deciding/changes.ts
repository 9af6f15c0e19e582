import type { Expense } from '#shared/contract/expenses'
import { foreseen, type Decision } from './decision'

/** What of an expense a reviewer decides by. */
const parts = [
  'status',
  'amount',
  'currency',
  'description',
  'receiver',
  'tags',
  'occurred_at',
  'attachments',
  'comments',
  'flags',
] as const

/** A part of an expense that someone else changed. */
export type ChangedPart = (typeof parts)[number] | 'other'

function valueOf(expense: Expense, part: (typeof parts)[number]): unknown {
  switch (part) {
    case 'receiver':
      return expense.receiver.id
    case 'attachments':
      return expense.attachments.map(({ id }) => id).join()
    case 'comments':
      return expense.comments_count
    case 'flags':
      return JSON.stringify(expense.flags)
    case 'status':
    case 'amount':
    case 'currency':
    case 'description':
    case 'tags':
    case 'occurred_at':
      return expense[part]
  }
}

/** What has changed between how an expense was seen and how it is; `other` when it is nothing that the list shows. */
export function changesOf(seen: Expense, now: Expense): ChangedPart[] {
  const changed = parts.filter((part) => valueOf(seen, part) !== valueOf(now, part))
  return changed.length > 0 ? changed : ['other']
}

/** Whether someone else did exactly this first: nothing but the decision has changed, and it is the same one, whatever was found meanwhile. An act with words never is. */
export function isMet(act: Decision, seen: Expense, now: Expense): boolean {
  if ('reason' in act) return false
  const wanted = foreseen(act, seen)
  return (
    changesOf(wanted, now).every((part) => part === 'other' || part === 'flags') &&
    wanted.approved_amount === now.approved_amount &&
    wanted.approved_amount_currency === now.approved_amount_currency &&
    wanted.ignore_noncompliant === now.ignore_noncompliant
  )
}
