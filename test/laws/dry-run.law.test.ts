import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { BatchGroup } from '#shared/contract/batch'
import { messageOf } from '#main/http/refusals'
import { checked } from '#test/support/contract'
import { inForm } from '#test/support/form'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

/**
 * For random people, limits of authority, second looks, duties, closed months, policies and selections: the groups of a dry run are what the
 * batch then answers, and a dry run leaves nothing behind.
 */
const acme = await instanceOfFile()
const people: Record<Name, Person> = { ada: acme.admin, max: acme.manager, ann: acme.analyst, mel: acme.member }

const names = ['ada', 'max', 'ann', 'mel'] as const
type Name = (typeof names)[number]
const who = fc.constantFrom(...names)
const months = ['2026-01', '2026-02', '2026-03'] as const
const targets = ['approved', 'analyzed', 'liquidated', 'rejected', 'noncompliant', 'pending', 'analyzing'] as const

const world = fc.record({
  separate_approval: fc.boolean(),
  separate_payment: fc.boolean(),
  limit: fc.option(fc.constantFrom(50, 500)),
  second_look: fc.option(fc.constantFrom(100, 800)),
  policy: fc.option(
    fc.record({
      condition: fc.constantFrom('amount_over', 'sum_over'),
      amount: fc.constantFrom(60, 600),
      weight: fc.constantFrom('block', 'note'),
    }),
  ),
  closed: fc.subarray([...months]),
  expenses: fc.array(
    fc.record({
      by: who,
      amount: fc.constantFrom(20, 90, 900),
      currency: fc.constantFrom('BRL', 'BRL', 'USD'),
      month: fc.constantFrom(...months),
      status: fc.constantFrom(undefined, undefined, 'analyzed', 'approved', 'rejected', 'noncompliant'),
    }),
    { minLength: 3, maxLength: 8 },
  ),
  // The same expense twice, unknown ones, stale versions and partial amounts among them.
  batches: fc.array(
    fc.record({
      by: fc.constantFrom<Name>('ada', 'max', 'max', 'max', 'ann', 'mel'),
      target: fc.constantFrom(...targets, 'approved'),
      moves: fc.array(
        fc.record({
          which: fc.nat({ max: 9 }),
          part: fc.constantFrom(1, 1, 1, 0.5, 2),
          isStale: fc.constantFrom(false, false, false, true),
        }),
        { minLength: 1, maxLength: 12 },
      ),
    }),
    { minLength: 1, maxLength: 2 },
  ),
})
type World = typeof world extends fc.Arbitrary<infer T> ? T : never

/** One in which every reason occurs. */
const everyReason: World = {
  ...{ separate_approval: true, separate_payment: true, limit: 50, second_look: null, closed: ['2026-01'] },
  policy: { condition: 'amount_over', amount: 600, weight: 'block' },
  expenses: [
    { by: 'mel', amount: 20, currency: 'BRL', month: '2026-01', status: undefined },
    { by: 'mel', amount: 90, currency: 'BRL', month: '2026-02', status: undefined },
    { by: 'mel', amount: 900, currency: 'BRL', month: '2026-03', status: undefined },
    { by: 'max', amount: 20, currency: 'BRL', month: '2026-03', status: undefined },
    { by: 'mel', amount: 20, currency: 'BRL', month: '2026-03', status: 'approved' },
    { by: 'ann', amount: 20, currency: 'BRL', month: '2026-03', status: undefined },
  ],
  batches: (['max', 'ada', 'ann'] as const).map((by) => ({
    by,
    target: 'approved',
    moves: [0, 1, 2, 3, 4, 5, 5, 9].map((which, index) => ({ which, part: 1 as const, isStale: index === 6 })),
  })),
}

async function send(by: Name, method: string, path: string, body?: Json): Promise<Json> {
  const response = await checked(people[by].api).send<Json>(method, path, body)
  expect(response.status, JSON.stringify([by, method, path, body, response.body])).toBeLessThan(500)
  return response
}

/** An organization of its own, so that no world leaves its rules to the next. */
async function build({ expenses, closed, limit, second_look, policy, ...duties }: World): Promise<number[]> {
  const { id } = (await send('ada', 'POST', '/organizations', { name: 'World' })).body
  const at = `/organizations/${id}`
  for (const [role, name] of [
    ['manager', 'max.manager'],
    ['analyst', 'ann.analyst'],
    ['member', 'mel.member'],
  ] as const)
    expect((await send('ada', 'POST', `${at}/members`, { user: { email: `${name}@example.org` }, role })).status).toBe(201)
  const ids: number[] = []
  for (const { by, amount, currency, month, status } of expenses) {
    const claim = {
      payer: { id, type: 'Organization' },
      receiver: { id: people[by].user_id, type: 'User' },
      amount,
      currency,
      occurred_at: `${month}-05`,
    }
    const made = await send(by, 'POST', '/expenses', claim)
    expect(made.status).toBe(201)
    ids.push(made.body.id)
    if (status)
      await send('ada', 'PUT', `/expenses/${made.body.id}/status`, {
        status,
        approved_amount: amount,
        approved_amount_currency: currency,
        ignore_noncompliant: amount > 50,
      })
  }
  const currency = 'BRL'
  const rules = [
    ...(limit === null
      ? []
      : [['approval_rules', { name: 'Max', rule: 'authority', user_ids: [people.max.user_id], amount: limit, currency }] as const]),
    ...(second_look === null ? [] : [['approval_rules', { name: 'Two', rule: 'second_look', amount: second_look, currency }] as const]),
    ...(policy === null
      ? []
      : [['policies', { name: 'Meals', ...policy, currency, ...(policy.condition === 'sum_over' && { period: 'day' }) }] as const]),
    ...closed.map((name) => ['closings', { name }] as const),
  ]
  for (const [kind, body] of rules) expect((await send('ada', 'POST', `${at}/${kind}`, body)).status, kind).toBe(201)
  await send('ada', 'PATCH', at, duties)
  return ids
}

/** What policies find of what is there already is worked out a moment later. */
async function judged() {
  const { db } = acme.app.store.reader
  await vi.waitFor(async () => {
    for (const table of ['policy_runs', 'sum_runs'] as const) expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
  })
}

/** What a write leaves in the database; messages are made of activities. */
async function traces(ids: readonly number[]) {
  const { db } = acme.app.store.reader
  const count = (table: 'activities' | 'idempotency_keys' | 'comments') =>
    db
      .selectFrom(table)
      .select((of) => of.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
  // Others are notified meanwhile.
  const changes = await db.selectFrom('change_log').select('seq').where('table_name', '!=', 'user_notifications').execute()
  const rows = await db.selectFrom('expenses').selectAll().where('id', 'in', ids).orderBy('id').execute()
  return [rows, await count('activities'), changes.length, await count('idempotency_keys'), await count('comments')]
}

const blocked = 'The policy “Meals” does not allow this'
/** What a policy found differs between the expenses that it blocks. */
const reasonOf = (message: string) => (message.includes(blocked) ? blocked : message)
/** Operations that have the same response, by their places. */
const partsOf = (responses: ReadonlyArray<readonly [status: number, message: string | null]>) =>
  [...Map.groupBy(responses.keys(), (place) => JSON.stringify(responses[place])).values()].map((places) => [...places])

test('a dry run says what the batch then does, and leaves nothing', async () => {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(world, async (drawn) => {
      const ids = await build(drawn)
      for (const { by, target, moves } of drawn.batches) {
        const operations = moves.map(({ which, part, isStale }) => {
          const { amount = 1, currency = 'BRL' } = drawn.expenses[which] ?? {}
          const approved = { approved_amount: amount * part, approved_amount_currency: currency }
          const body = { status: target, ...approved, ignore_noncompliant: true, comment: 'Why?' }
          return {
            method: 'PUT',
            path: `/expenses/${ids[which] ?? 999_999}/status`,
            body,
            ...(isStale && { if_match: '"old"' }),
            idempotency_key: `${by} ${which}`,
          }
        })
        await judged()
        const before = await traces(ids)
        const { body: planned } = await send(by, 'POST', '/batch/dry_run', { operations })
        expect(await traces(ids)).toEqual(before)
        const { body: done } = await send(by, 'POST', '/batch', { operations: operations.map(({ idempotency_key: _, ...one }) => one) })
        const answered: Array<[number, string | null]> = done.results.map(({ status, body }: Json) => [
          status,
          status < 400 ? null : reasonOf(messageOf({ status, body, headers: {} })),
        ])
        const { groups }: { groups: BatchGroup[] } = planned
        expect(groups.map(({ operations: places }) => places)).toEqual(partsOf(answered))
        for (const {
          status,
          reason,
          body,
          operations: [first = -1, ...others],
        } of groups) {
          expect([status, body === null ? null : reasonOf(messageOf({ status, body, headers: {} }))]).toEqual(answered[first])
          const told = reason ?? String(status)
          seen.set(told, (seen.get(told) ?? 0) + 1 + others.length)
        }
      }
    }),
    {
      examples: [[everyReason]],
      endOnFailure: true,
      numRuns: Number(process.env['DRY_RUNS'] ?? inForm(15, 150)),
      ...(process.env['DRY_RUN_SEED'] && { seed: Number(process.env['DRY_RUN_SEED']) }),
    },
  )
  // A law that nothing was refused under would hold too.
  for (const reason of [
    '200',
    'closed_month',
    'authority',
    'separate_approval',
    'blocked_by_policy',
    'inclusion',
    'stale',
    'not_found',
    'forbidden',
  ])
    expect(seen.get(reason) ?? 0, reason).toBeGreaterThan(0)
})
