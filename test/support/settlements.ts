import { moveExpense, recordExpense } from './expenses'
import type { Instance, Json, Person } from './instance'

/** What a reimbursement, an advancement or a devolution to the member needs, and what a test wants of it. */
export function newMoney(instance: Instance, attributes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    payer: { id: instance.organization_id, type: 'Organization' },
    receiver: { id: instance.member.user_id, type: 'User' },
    amount: 100,
    date: '2026-03-04',
    ...attributes,
  }
}

/** Hands out, or takes back, money as the manager: `path` says what. */
export async function recordMoney(instance: Instance, path: string, attributes: Record<string, unknown> = {}): Promise<Json> {
  const { status, body } = await instance.manager.api.send('POST', path, newMoney(instance, attributes))
  if (status !== 201) throw new Error(`The money was refused: ${JSON.stringify(body)}`)
  return body
}

/** An expense of a user that a manager has approved. */
export async function approvedExpense(
  instance: Instance,
  attributes: Record<string, unknown> = {},
  person: Person = instance.member,
): Promise<Json> {
  const { id, amount, currency } = await recordExpense(instance, person, attributes)
  const approval = { status: 'approved', approved_amount: amount, approved_amount_currency: currency }
  return moveExpense(instance.manager, id, approval)
}
