import type { Due, DueKey } from '../../api/reimbursements'

/** A text that names whom an organization owes and in which currency. */
export function dueName({ receiver_id, currency }: DueKey): string {
  return `${receiver_id} ${currency}`
}

/** The address of what is owed to somebody in a currency. */
export function dueAddress({ receiver_id, currency }: DueKey): string {
  return `/reimbursements?to=${receiver_id}&currency=${currency}`
}

/** What the address names of what is owed; undefined when it names nothing that still is. */
export function findDue(dues: readonly Due[], address: URLSearchParams): Due | undefined {
  const name = `${address.get('to')} ${address.get('currency')}`
  return dues.find((due) => dueName(due) === name)
}

/** Who is next after somebody was paid: the following one, at the end the one before; nobody when it was the last. */
export function nextDue(dues: readonly Due[], paid: DueKey): Due | undefined {
  const index = dues.findIndex((due) => dueName(due) === dueName(paid))
  return index < 0 ? dues[0] : (dues[index + 1] ?? dues[index - 1])
}
