import { moveExpense, recordExpense } from './expenses'
import type { Instance, Json, Person } from './instance'

/** What a new accountability needs, and what a test wants of it. */
export function newAccountability(instance: Instance, attributes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    title: 'Trip to Brasília',
    payer: { id: instance.organization_id, type: 'Organization' },
    receiver: { id: instance.member.user_id, type: 'User' },
    ...attributes,
  }
}

/** Puts together an accountability as someone. */
export async function openAccountability(instance: Instance, person: Person, attributes: Record<string, unknown> = {}): Promise<Json> {
  const { status, body } = await person.api.send('POST', '/accountabilities', newAccountability(instance, attributes))
  if (status !== 201) throw new Error(`The accountability was refused: ${JSON.stringify(body)}`)
  return body
}

/** Moves an accountability through these states, one after the other. */
export async function moveAccountability(person: Person, id: number, ...statuses: string[]): Promise<Json> {
  let last: Json
  for (const status of statuses) {
    last = await person.api.send('PUT', `/accountability/${id}/status`, { status })
    if (last.status !== 200) throw new Error(`The move to ${status} was refused: ${JSON.stringify(last.body)}`)
  }
  return last?.body
}

/** Records an expense and approves it in full, or at `approved_amount`. */
export async function recordApproved(
  instance: Instance,
  person: Person,
  { approved_amount, approved_amount_currency, ...attributes }: Record<string, unknown> = {},
): Promise<Json> {
  const expense = await recordExpense(instance, person, attributes)
  return moveExpense(instance.manager, expense.id, {
    status: 'approved',
    approved_amount: approved_amount ?? expense.amount,
    approved_amount_currency: approved_amount_currency ?? expense.currency,
  })
}
