import type { Due, DueKey } from '../../api/reimbursements'

/** A text that names whom an organization owes and in which currency. */
export function dueName({ receiver_id, currency }: DueKey): string {
  return `${receiver_id} ${currency}`
}

/** The address of a person's dues in a currency. */
export function dueAddress({ receiver_id, currency }: DueKey): string {
  return `/reimbursements?to=${receiver_id}&currency=${currency}`
}

/** The dues that the address names; undefined if they are no longer due. */
export function findDue(dues: readonly Due[], address: URLSearchParams): Due | undefined {
  const name = `${address.get('to')} ${address.get('currency')}`
  return dues.find((due) => dueName(due) === name)
}

/** The next person after a payment: the following one, at the end the one before; undefined after the last. */
export function nextDue(dues: readonly Due[], paid: DueKey): Due | undefined {
  const index = dues.findIndex((due) => dueName(due) === dueName(paid))
  return index < 0 ? dues[0] : (dues[index + 1] ?? dues[index - 1])
}
