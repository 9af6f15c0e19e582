import type { Instance, Json, Person } from './instance'

/** A number that begins with these digits, its check digit added. */
export function cardNumberOf(digits: string): string {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + Math.floor(value / 10) + (value % 10)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

let made = 0

/** A number that no other card of the test run has. */
export function newCardNumber(prefix = '4'): string {
  made += 1
  return cardNumberOf(`${prefix.padEnd(9, '0')}${String(made).padStart(6, '0')}`)
}

/** What a new card needs, and what a test wants of it. */
export function newCard(instance: Pick<Instance, 'organization_id'>, attributes: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'Travel', number: newCardNumber(), expiration_date: '08/29', organization_id: instance.organization_id, ...attributes }
}

/** Registers a card as someone. */
export async function registerCard(instance: Instance, person: Person, attributes: Record<string, unknown> = {}): Promise<Json> {
  const { status, body } = await person.api.send('POST', '/corporative_cards', newCard(instance, attributes))
  if (status !== 201) throw new Error(`The card was refused: ${JSON.stringify(body)}`)
  return body
}
