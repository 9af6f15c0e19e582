import type { Instance, Json, Person } from './instance'

/** What a new expense needs, and what a test wants of it. */
export function newExpense(instance: Pick<Instance, 'organization_id'>, attributes: Record<string, unknown> = {}): Record<string, unknown> {
  return { payer: { id: instance.organization_id, type: 'Organization' }, amount: 12.5, occurred_at: '2026-03-04', ...attributes }
}

/** Records an expense as someone. */
export async function recordExpense(instance: Instance, person: Person, attributes: Record<string, unknown> = {}): Promise<Json> {
  const { status, body } = await person.api.send('POST', '/expenses', newExpense(instance, attributes))
  if (status !== 201) throw new Error(`The expense was refused: ${JSON.stringify(body)}`)
  return body
}

/** Moves an expense to a status as someone who may. */
export async function moveExpense(person: Person, id: number, move: Record<string, unknown>): Promise<Json> {
  const { status, body } = await person.api.send('PUT', `/expenses/${id}/status`, move)
  if (status !== 200) throw new Error(`The move was refused: ${JSON.stringify(body)}`)
  return body
}
