import { afterAll, describe, expect, test } from 'vitest'
import { newCardNumber } from '#test/support/cards'
import { send } from '#test/support/permissions/call'
import { fixtures } from '#test/support/permissions/fixtures'
import { placeOf } from '#test/support/permissions/places'
import { type Caller, type CallerName, makeWorld } from '#test/support/permissions/world'

const world = await makeWorld()
const make = async (name: string, situation: 'of another organization' | 'deleted') => {
  const made = await fixtures[name]?.on.make(world, placeOf(world, { situation, caller: world.people.stranger }))
  return Number(made?.id)
}
/** Records that nobody at home may see, of every kind that bodies name by id. */
const hidden = {
  expense: await make('expenses.show', 'of another organization'),
  deleted: await make('expenses.show', 'deleted'),
  card: await make('corporative_cards.show', 'of another organization'),
  user: world.people['admin of another organization'].user_id,
  organization: world.organizations.elsewhere.id,
}
afterAll(() => world.instance.remove())

const absent = 987_654
const home = () => ({ id: world.organizations.home.id, type: 'Organization' })
const self = (caller: Caller) => ({ id: caller.user_id, type: 'User' })
const dated = { date: '2026-03-04', occurred_at: '2026-03-04', amount: 5, currency: 'BRL' }
const card = { name: 'Travel', expiration_date: '08/29' }

interface Reference {
  readonly path: string
  readonly kind: keyof typeof hidden
  readonly by: CallerName
  readonly body: (id: number, caller: Caller) => unknown
}

/** Requests that name a record by its id in their body. */
const references: Reference[] = [
  { path: '/expenses', kind: 'organization', by: 'member', body: (id) => ({ ...dated, payer_id: id }) },
  { path: '/expenses', kind: 'user', by: 'analyst', body: (id) => ({ ...dated, payer: home(), receiver_id: id }) },
  { path: '/expenses', kind: 'card', by: 'manager', body: (id) => ({ ...dated, payer: home(), corporative_card_id: id }) },
  ...(['expense', 'deleted'] as const).flatMap((kind): Reference[] => [
    {
      path: '/reimbursements',
      kind,
      by: 'manager',
      body: (id, caller) => ({ ...dated, payer: home(), receiver: self(caller), expense_ids: [id] }),
    },
    {
      path: '/accountabilities',
      kind,
      by: 'member',
      body: (id, caller) => ({ title: 'Trip', payer: home(), receiver: self(caller), expense_ids: [id] }),
    },
  ]),
  ...['/reimbursements', '/advancements', '/advancement_devolutions'].flatMap((path): Reference[] => [
    { path, kind: 'user', by: 'manager', body: (id) => ({ ...dated, payer: home(), receiver_id: id }) },
    { path, kind: 'organization', by: 'manager', body: (id, caller) => ({ ...dated, payer_id: id, receiver: self(caller) }) },
  ]),
  { path: '/accountabilities', kind: 'user', by: 'analyst', body: (id) => ({ title: 'Trip', payer: home(), receiver_id: id }) },
  { path: '/pre_expenses', kind: 'user', by: 'analyst', body: (id) => ({ description: 'Ride', receiver_id: id }) },
  {
    path: '/corporative_cards',
    kind: 'user',
    by: 'manager',
    body: (id) => ({ ...card, number: newCardNumber(), organization_id: home().id, user_id: id }),
  },
  {
    path: '/corporative_cards',
    kind: 'organization',
    by: 'manager',
    body: (id) => ({ ...card, number: newCardNumber(), organization_id: id }),
  },
]

describe('a hidden record in a body gets the same error as a missing one', () => {
  test.each(references)('$kind, at $path by the $by', async ({ path, kind, by, body }) => {
    const caller = world.people[by]
    const refusal = async (id: number) => {
      const { status, text } = await send(world, caller, { method: 'POST', path, body: body(id, caller) })
      return [status, text.replaceAll(String(id), '(id)')]
    }
    const refused = await refusal(hidden[kind])
    expect(refused[0]).toBe(422)
    expect(refused).toEqual(await refusal(absent))
  })
})
