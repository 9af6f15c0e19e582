import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expenseStatuses } from '#shared/domain/expense-status'
import { checkedInstance } from '#test/support/contract'
import { recordExpense } from '#test/support/expenses'
import { inForm } from '#test/support/form'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = checkedInstance(await instanceOfFile())

type Actor = 'member' | 'analyst' | 'manager' | 'admin'
type Write =
  | { kind: 'edit'; body: Json }
  | { kind: 'move'; body: Json }
  | { kind: 'comment'; content: string }
  | { kind: 'rewrite'; content: string }
  | { kind: 'uncomment' }
  | { kind: 'leave' }

const words = fc.constantFrom('taxi', 'bus :+1:', 'ônibus 😄', 'hotel')
const plainEdit = {
  amount: fc.integer({ min: 1, max: 100_000 }).map((minor) => minor / 100),
  description: fc.option(words),
  tags: fc.subarray(['food', 'travel', 'night']),
  occurred_at: fc.constantFrom('2026-01-02', '2026-03-04T05:06:07Z'),
  location: fc.option(words),
  latitude: fc.option(fc.integer({ min: -90, max: 90 })),
  liquidate_through_advancement: fc.boolean(),
}
/** Attributes that only distance expenses show. */
const distanceEdit = {
  ...plainEdit,
  distance: fc.integer({ min: 1, max: 500 }),
  distance_kind: fc.constantFrom('km', 'mi'),
  origin: fc.option(words),
  origin_longitude: fc.option(fc.integer({ min: -90, max: 90 })),
  destination_latitude: fc.option(fc.integer({ min: -90, max: 90 })),
  travel_time: fc.option(fc.nat(600)),
}
const move = fc.record(
  {
    status: fc.constantFrom(...expenseStatuses),
    approved_amount: fc.constantFrom(0.01, 0.02),
    ignore_noncompliant: fc.boolean(),
    comment: words,
  },
  { requiredKeys: ['status'] },
)
const writes = (edit: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<Write> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.record(edit, { requiredKeys: [] }).map((body) => ({ kind: 'edit' as const, body })) },
    { weight: 4, arbitrary: move.map((body) => ({ kind: 'move' as const, body })) },
    { weight: 2, arbitrary: words.map((content) => ({ kind: 'comment' as const, content })) },
    { weight: 2, arbitrary: words.map((content) => ({ kind: 'rewrite' as const, content })) },
    { weight: 1, arbitrary: fc.constant({ kind: 'uncomment' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'leave' as const }) },
  )
const actor = fc.constantFrom<Actor>('member', 'analyst', 'manager', 'admin')

/** The state that the audit trail describes: what the contract shows of an expense, under the names that details use. */
function stateOf({ payer, receiver, responsible_user, ...expense }: Json): Record<string, unknown> {
  return { ...expense, payer_id: payer.id, receiver_id: receiver.id, responsible_user_id: responsible_user?.id ?? null }
}

interface World {
  readonly path: string
  readonly expense: Record<string, unknown>
  readonly activities: Json[]
  readonly comments: Json[]
  readonly participants: number[]
}

async function look(path: string): Promise<World> {
  const { api } = instance.admin
  const [expense, activities, comments, participants] = await Promise.all([
    api.get(path),
    api.get(`${path}/activities?per_page=100&emoji_in_unicode=1`),
    api.get(`${path}/comments?per_page=100&emoji_in_unicode=1`),
    api.get(`${path}/participants`),
  ])
  return {
    path,
    expense: stateOf(expense.body),
    activities: activities.body.activities,
    comments: comments.body.comments.filter(({ deleted_at }: Json) => deleted_at === null),
    participants: participants.body.participants.map(({ id }: Json) => id),
  }
}

function send({ api }: Person, { path, comments }: World, step: Write) {
  const newest = comments[0] ? `${path}/comments/${comments[0].id}` : undefined
  switch (step.kind) {
    case 'edit':
      return api.send('PATCH', path, step.body)
    case 'move':
      return api.send('PUT', `${path}/status`, step.body)
    case 'comment':
      return api.send('POST', `${path}/comments`, { content: step.content })
    case 'rewrite':
      return newest && api.send('PUT', newest, { content: step.content })
    case 'uncomment':
      return newest && api.send('DELETE', newest)
    case 'leave':
      return api.send('DELETE', `${path}/participants`)
  }
}

/** What the expense shows that no detail tells: it follows from the trail, or from the expense with others. */
const derived = new Set(['version', 'updated_at', 'activities_count', 'comments_count', 'flags', 'flag_level'])

function changesOf(before: World, after: World): Json[] {
  return Object.keys(after.expense)
    .filter((name) => !derived.has(name) && JSON.stringify(before.expense[name]) !== JSON.stringify(after.expense[name]))
    .map((attribute) => ({ attribute, from: before.expense[attribute], to: after.expense[attribute] }))
}

function commentChangeOf(before: World, after: World): Json[] {
  const contents = (world: World) => new Map<number, string>(world.comments.map(({ id, content }) => [id, content]))
  const [old, now] = [contents(before), contents(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((id) => old.get(id) !== now.get(id))
    .map((id) => ({
      source: { id, type: 'Comment' },
      details: [{ attribute: 'content', from: old.get(id) ?? null, to: now.get(id) ?? null }],
    }))
}

/** The activities that the change from one state to the next must have added, in their order. */
function expectedOf(before: World, after: World, person: Person): Json[] {
  const changes = changesOf(before, after)
  const left = before.participants.filter((id) => !after.participants.includes(id))
  return [
    ...(changes.length > 0 ? [{ source: undefined, details: changes }] : []),
    ...commentChangeOf(before, after),
    ...left.map((from) => ({ source: undefined, details: [{ attribute: 'participant_id', from, to: null }] })),
  ].map((one) => ({ ...one, user_id: person.user_id }))
}

const byAttribute = (a: Json, b: Json) => (a.attribute < b.attribute ? -1 : 1)
const told = ({ source, details, user, user_id }: Json) => ({
  source,
  details: details.toSorted(byAttribute),
  user_id: user?.id ?? user_id,
})

const kinds = { monetary: { amount: 10 }, distance: { kind: 'distance', distance: 12, distance_kind: 'km' } }

test.each(['monetary', 'distance'] as const)(
  'every write of a %s expense adds exactly the activities of its change, and a rejected one adds nothing',
  async (kind) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(actor, writes(kind === 'distance' ? distanceEdit : plainEdit)), { minLength: 4, maxLength: 14 }),
        async (steps) => {
          const body = await recordExpense(instance, instance.member, { ...kinds[kind], currency: 'BRL' })
          let before = await look(`/expenses/${body.id}`)
          for (const [who, step] of steps) {
            const person = instance[who]
            const response = await send(person, before, step)
            const after = await look(before.path)
            const added = after.activities.slice(0, after.activities.length - before.activities.length).toReversed()
            const expected = response && response.status < 300 ? expectedOf(before, after, person) : []
            expect(added.map(told)).toEqual(expected.map(told))
            expect(after.activities.slice(added.length)).toEqual(before.activities)
            expect(after.expense.activities_count).toBe(after.activities.length)
            if (response && response.status >= 300) expect(after).toEqual(before)
            before = after
          }
        },
      ),
      { numRuns: inForm(5, 15) },
    )
  },
  60_000,
)
