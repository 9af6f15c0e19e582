import { describe, expect, test } from 'vitest'
import { importRows } from '#main/use-cases/expenses/import-expenses'
import { attach } from '#test/support/attach'
import { moveExpense, recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { pngFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'

const acme = await instanceOfFile()

const organization = (id: number) => ({ id, type: 'Organization' })
const user = ({ user_id }: Person) => ({ id: user_id, type: 'User' })
const read = async (id: number) => (await acme.admin.api.get(`/expenses/${id}`)).body
const approve = (person: Person, id: number, amount = 12.5, currency = 'BRL') =>
  moveExpense(person, id, { status: 'approved', approved_amount: amount, approved_amount_currency: currency })

/** How each status that holds a decision is reached by the manager. */
const decisions: ReadonlyArray<readonly [status: string, ...moves: Json[]]> = [
  ['analyzed', { status: 'analyzed' }],
  ['approved', { status: 'approved', approved_amount: 10 }],
  ['noncompliant', { status: 'noncompliant', ignore_noncompliant: true }],
]

async function decided(moves: readonly Json[], attributes: Json = {}): Promise<number> {
  const { id } = await recordExpense(acme, acme.member, { tags: ['Trip'], ...attributes })
  for (const move of moves) await moveExpense(acme.manager, id, move)
  return id
}

let operations = 0
const uid = () => `01a1fd47-d104-7042-8aa0-${(operations += 1).toString(16).padStart(12, '0')}`

/** Every way in by which an expense is changed, as the manager. */
const ways: Readonly<Record<string, (id: number, changes: Json) => Promise<unknown>>> = {
  PATCH: (id, changes) => acme.manager.api.send('PATCH', `/expenses/${id}`, changes),
  PUT: async (id, changes) => acme.manager.api.send('PUT', `/expenses/${id}`, { ...(await read(id)), ...changes }),
  batch: (id, body) => acme.manager.api.send('POST', '/batch', { operations: [{ method: 'PATCH', path: `/expenses/${id}`, body }] }),
  sync: async (id, body) => {
    const { uid: record, version, ...before } = await read(id)
    const base = Object.fromEntries(Object.keys(body).map((name) => [name, before[name] ?? null]))
    const { body: pushed } = await acme.manager.api.send('POST', '/sync/push', {
      operations: [
        {
          ...{ op_id: uid(), api_version: 'v1', method: 'PATCH', path: `/expenses/${id}`, body, refs: [], blobs: [], minted: [] },
          ...{ seen: [{ table: 'expenses', uid: record, version }], after: [], base, mine: body },
          created_at: '2026-03-04T00:00:00Z',
        },
      ],
    })
    expect(pushed.results).toMatchObject([{ kind: 'applied' }])
  },
}

const changes: Readonly<Record<string, () => Json>> = {
  receiver: () => ({ receiver: user(acme.manager) }),
  amount: () => ({ amount: 90 }),
  currency: () => ({ currency: 'USD' }),
  day: () => ({ occurred_at: '2026-03-05' }),
  distance: () => ({ kind: 'distance', distance: 12 }),
}

describe('a decision holds for what was decided', () => {
  for (const [status, ...moves] of decisions)
    for (const [what, changed] of Object.entries(changes))
      test(`another ${what} takes an expense that is ${status} back, by every way in`, async () => {
        for (const [way, change] of Object.entries(ways)) {
          const id = await decided(moves)
          const before = (await acme.admin.api.get(`/expenses/${id}/activities`)).body
          await change(id, changed())
          const after = await read(id)
          expect([way, after.status, after.approved_amount, after.approved_amount_currency]).toEqual([
            ...[way, 'awaiting_analysis', null, null],
          ])
          const trail = (await acme.admin.api.get(`/expenses/${id}/activities`)).body
          expect(trail.count).toBe(before.count + 1)
          const written = trail.activities[0].details.map(({ attribute }: Json) => attribute)
          expect(written).toEqual(expect.arrayContaining(['status', ...(status === 'approved' ? ['approved_amount'] : [])]))
          expect(written.length).toBeGreaterThan(1)
          // The tolerance went too: nobody approves it without a look.
          expect((await acme.manager.api.get(`/expenses/${id}/status`)).body.status.map(({ slug }: Json) => slug)).toContain('noncompliant')
        }
      })

  test.each(decisions)(
    'texts, places, a new receipt and the same values change nothing of an expense that is %s',
    async (status, ...moves) => {
      const id = await decided(moves)
      const plain = {
        description: 'Other',
        location: 'Lisbon',
        supplier_name: 'Café',
        justification: 'Late',
        latitude: 1,
        tags: 'Trip, Other',
      }
      expect((await acme.manager.api.send('PATCH', `/expenses/${id}`, plain)).body.status).toBe(status)
      await attach(acme.manager.api, id, 'receipt.png')
      const now = await read(id)
      expect((await acme.manager.api.send('PUT', `/expenses/${id}`, now)).body).toMatchObject({ status, version: now.version })
    },
  )

  test.each(decisions)('a receipt that is removed or replaced takes an expense that is %s back', async (status, ...moves) => {
    const file = () => pngFile('other.png').then((picture) => uploadFile(acme.manager, picture))
    for (const change of [
      (path: string) => acme.manager.api.send('DELETE', path),
      async (path: string) => acme.manager.api.send('PATCH', path, { file: await file() }),
    ]) {
      const { id } = await recordExpense(acme, acme.member)
      const attachment = await attach(acme.member.api, id, 'receipt.png')
      for (const move of moves) await moveExpense(acme.manager, id, move)
      const { count } = (await acme.admin.api.get(`/expenses/${id}/activities`)).body
      const path = `/expenses/${id}/attachments/${attachment.id}`
      expect((await acme.manager.api.send('PATCH', path, { description: 'Front' })).status).toBeLessThan(300)
      expect((await read(id)).status).toBe(status)
      expect((await change(path)).status).toBeLessThan(300)
      expect(await read(id)).toMatchObject({ status: 'awaiting_analysis', approved_amount: null })
      const trail = (await acme.admin.api.get(`/expenses/${id}/activities`)).body
      expect(trail.count).toBe(count + 2)
      expect(trail.activities[0].changes).toMatch(/status from .+ to To review|To review/)
    }
  })

  test('tags that a rule or a policy names are part of a decision, others are not', async () => {
    const tag = async (name: string) => (await acme.admin.api.send('POST', `/organizations/${acme.organization_id}/tags`, { name })).body.id
    const [board, fleet] = [await tag('Board'), await tag('Fleet')]
    const at = (kind: string) => `/organizations/${acme.organization_id}/${kind}`
    const policy = { name: 'Fleet', condition: 'amount_over', amount: 10_000, currency: 'BRL', weight: 'note', tag_ids: [fleet] }
    const limits = { name: 'Board', rule: 'authority', user_ids: [acme.manager.user_id], tag_ids: [board] }
    const { body: kept } = await acme.admin.api.send('POST', at('approval_rules'), limits)
    const { body: noted } = await acme.admin.api.send('POST', at('policies'), policy)
    expect([kept.id, noted.id]).toEqual([expect.any(Number), expect.any(Number)])
    for (const [before, after] of [
      ['Board', ''],
      ['Board', 'Board, Fleet'],
    ]) {
      const id = await decided([{ status: 'approved', approved_amount: 10 }], { tags: before })
      expect((await acme.manager.api.send('PATCH', `/expenses/${id}`, { tags: `${before}, Trip` })).body.status).toBe('approved')
      expect((await acme.manager.api.send('PATCH', `/expenses/${id}`, { tags: after })).body.status).toBe('awaiting_analysis')
    }
    // Nor does the tag go from under the rule.
    expect((await acme.manager.api.send('DELETE', at(`tags/${board}`))).status).toBe(422)
    await acme.admin.api.send('DELETE', at(`approval_rules/${kept.id}`))
    await acme.admin.api.send('DELETE', at(`policies/${noted.id}`))
    expect((await acme.manager.api.send('DELETE', at(`tags/${board}`))).status).toBe(204)
  })

  test('an import that updates takes back what was decided of the rows that changed', async () => {
    const options = { organization_id: acme.organization_id, currency: 'BRL', isUpdate: true }
    const stated = new Set(['description'] as const)
    const row = (amount: string, description: string) => ({
      ...{ line: 1, tag_names: [], occurred_at: '2026-03-04', amount, description, external_id: 'row-1', has_own_id: true },
      ...{ receiver_name: 'Mel Member', receiver_email: 'mel.member@example.org' },
    })
    const actor = { user_id: acme.manager.user_id, origin: 'cli', request_id: null, if_match: null }
    const put = (amount: string, description: string) =>
      acme.app.store.transact(actor, (tx) => importRows(tx, { ...options, stated }, [row(amount, description)]))
    await put('12.50', 'Taxi')
    const [{ id }] = (await acme.admin.api.get('/expenses?sort=-id&per_page=1')).body.expenses
    await approve(acme.manager, id)
    await put('12.50', 'Cab')
    expect(await read(id)).toMatchObject({ status: 'approved', description: 'Cab' })
    await put('90.00', 'Cab')
    expect(await read(id)).toMatchObject({ status: 'awaiting_analysis', approved_amount: null, amount: 90 })
  })

  test('an expense of a report in review does not become another one', async () => {
    const id = await decided([{ status: 'approved', approved_amount: 10 }])
    const report = { payer: organization(acme.organization_id), receiver: user(acme.member), title: 'March', expense_ids: [id] }
    const { body } = await acme.manager.api.send('POST', '/accountabilities', report)
    expect((await acme.manager.api.send('PATCH', `/expenses/${id}`, { amount: 90 })).status).toBe(200)
    await approve(acme.manager, id, 90)
    await acme.manager.api.send('PUT', `/accountability/${body.id}/status`, { status: 'ready_to_review' })
    const refused = await acme.manager.api.send('PATCH', `/expenses/${id}`, { amount: 80 })
    expect([refused.status, refused.body.errors.message]).toEqual([422, expect.stringContaining('in review')])
    expect(await read(id)).toMatchObject({ status: 'approved', amount: 90, approved_amount: 90 })
    expect((await acme.manager.api.send('PATCH', `/expenses/${id}`, { description: 'Same' })).status).toBe(200)
  })

  test('that two expenses are no repeats ends when one of them becomes another', async () => {
    const [first, second] = [
      await recordExpense(acme, acme.member, { amount: 77, description: 'Hotel' }),
      await recordExpense(acme, acme.member, { amount: 77, description: 'Hotel' }),
    ]
    const at = `/organizations/${acme.organization_id}/repeat_decisions`
    const pair = { name: 'No', expense_id: first.id, other_expense_id: second.id }
    expect((await acme.analyst.api.send('POST', at, pair)).status).toBe(201)
    expect((await read(second.id)).flag_level ?? null).toBeNull()
    await acme.member.api.send('PATCH', `/expenses/${second.id}`, { amount: 78 })
    await acme.member.api.send('PATCH', `/expenses/${second.id}`, { amount: 77 })
    expect((await read(second.id)).flag_level ?? null).not.toBeNull()
  })
})
