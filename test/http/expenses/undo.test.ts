import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOnPostgres } from '#test/support/databases/database-of'
import { inForm } from '#test/support/form'
import { moveExpense, recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { startReplica } from '#test/support/sync/replica'

const acme = await instanceOfFile()

const approved = { status: 'approved', approved_amount: 10, approved_amount_currency: 'BRL' }
const read = async (id: number): Promise<Json> => (await acme.admin.api.get(`/expenses/${id}`)).body
const stateOf = ({ status, responsible_user, approved_amount, approved_amount_currency, ignore_noncompliant }: Json) => ({
  ...{ status, responsible: responsible_user?.id ?? null, approved_amount, approved_amount_currency, ignore_noncompliant },
})
const trailOf = async (id: number): Promise<Json[]> => (await acme.admin.api.get(`/expenses/${id}/activities`)).body.activities
const undo = (person: Person, id: number, status: string, undo_of: number) =>
  person.api.send('PUT', `/expenses/${id}/status`, { status, undo_of })

describe('undo of a decision', () => {
  test('restores status, who decided and amounts in one write with one entry', async () => {
    const { id } = await recordExpense(acme, acme.member)
    await moveExpense(acme.analyst, id, { status: 'analyzed' })
    const before = stateOf(await read(id))
    const after = await moveExpense(acme.manager, id, approved)
    expect(stateOf(after)).toMatchObject({ status: 'approved', responsible: acme.manager.user_id, approved_amount: 10 })
    const told = await trailOf(id)
    const { body } = await undo(acme.manager, id, 'analyzed', after.version)
    expect({ ...stateOf(body), version: body.version }).toEqual({ ...before, version: after.version + 1 })
    const [entry, ...others] = await trailOf(id)
    expect({ user: entry?.user?.id, others: others.length }).toEqual({ user: acme.manager.user_id, others: told.length })
  })

  test('leaves nobody as who decided what is undecided', async () => {
    const { id } = await recordExpense(acme, acme.member)
    const after = await moveExpense(acme.manager, id, approved)
    await undo(acme.manager, id, 'awaiting_analysis', after.version)
    const { body } = await acme.admin.api.get(`/expenses?q[id_eq]=${id}&q[responsible_user_id_eq]=${acme.manager.user_id}`)
    expect(body.count).toBe(0)
  })

  const refused: ReadonlyArray<readonly [what: string, status: number, work: (id: number, after: Json) => Promise<Json>]> = [
    ['by another', 412, (id, { version }) => undo(acme.admin, id, 'awaiting_analysis', version)],
    ['of another version', 412, (id, { version }) => undo(acme.manager, id, 'awaiting_analysis', version - 1)],
    ['to another status', 412, (id, { version }) => undo(acme.manager, id, 'analyzing', version)],
    [
      'after a change',
      412,
      async (id) => {
        await acme.manager.api.send('PATCH', `/expenses/${id}`, { description: 'Taxi home' })
        return undo(acme.manager, id, 'awaiting_analysis', (await read(id)).version)
      },
    ],
    [
      'after an edit took it back',
      412,
      async (id) => {
        await acme.manager.api.send('PATCH', `/expenses/${id}`, { amount: 9_000 })
        return undo(acme.manager, id, 'approved', (await read(id)).version)
      },
    ],
    [
      'of what was settled',
      403,
      async (id) => {
        const { version } = await moveExpense(acme.manager, id, { status: 'liquidated' })
        return undo(acme.manager, id, 'approved', version)
      },
    ],
  ]
  test.each(refused)('is refused %s', async (_what, status, work) => {
    const { id } = await recordExpense(acme, acme.member)
    const after = await moveExpense(acme.manager, id, approved)
    const answer = await work(id, after)
    expect(answer.status).toBe(status)
  })

  test('is refused to who may no longer decide', async () => {
    const leaving = await acme.addUser('Lee Leaver', 'manager')
    const { id } = await recordExpense(acme, acme.member)
    const after = await moveExpense(leaving, id, approved)
    await acme.admin.api.send('PUT', `/organizations/${acme.organization_id}/members/${leaving.user_id}`, { role: 'member' })
    expect((await undo(leaving, id, 'awaiting_analysis', after.version)).status).toBeGreaterThanOrEqual(403)
    expect((await read(id)).status).toBe('approved')
  })

  // A replica is always on SQLite, and its test is the same there.
  test.skipIf(isOnPostgres)('made offline is the same at the remote', async () => {
    const { id } = await recordExpense(acme, acme.member)
    const replica = await startReplica(acme.url, acme.manager)
    try {
      await replica.sync()
      const move = (body: object) => replica.api.send('PUT', `/expenses/${id}/status`, body)
      await move({ status: 'analyzed' })
      const { body: after } = await move(approved)
      const { body } = await move({ status: 'analyzed', undo_of: after.version })
      expect(stateOf(body)).toMatchObject({ status: 'analyzed', responsible: acme.manager.user_id })
      const { body: again } = await move({ status: 'awaiting_analysis', undo_of: body.version })
      expect(stateOf(again)).toMatchObject({ status: 'awaiting_analysis', responsible: null })
      expect(await replica.sync()).toMatchObject({ pushed: 4, conflicts: 0, failed: 0 })
      expect(stateOf(await read(id))).toEqual(stateOf(again))
    } finally {
      await replica.remove()
    }
  })

  test('takes back a move that someone reversed by hand, like any other', async () => {
    const { id } = await recordExpense(acme, acme.member)
    await moveExpense(acme.manager, id, { status: 'analyzing' })
    const before = await moveExpense(acme.manager, id, approved)
    const reopened = await moveExpense(acme.manager, id, { status: 'analyzing' })
    const { status, body } = await undo(acme.manager, id, 'approved', reopened.version)
    expect(status).toBe(200)
    expect(stateOf(body)).toEqual(stateOf(before))
  })

  test('of one person leaves the move of another before it as the last one', async () => {
    const { id } = await recordExpense(acme, acme.member)
    const approvedByManager = await moveExpense(acme.manager, id, approved)
    const reopened = await moveExpense(acme.admin, id, { status: 'analyzing' })
    const { body: again } = await undo(acme.admin, id, 'approved', reopened.version)
    expect(stateOf(again)).toEqual(stateOf(approvedByManager))
    const [entry] = await trailOf(id)
    expect(entry?.changes).toMatch(/^Undo: /)
    expect((await undo(acme.admin, id, 'analyzing', again.version)).status).toBe(412)
    const { body: first } = await undo(acme.manager, id, 'awaiting_analysis', again.version)
    expect(stateOf(first)).toMatchObject({ status: 'awaiting_analysis', responsible: null })
  })

  test('takes back one move after the other, and any move that was made again', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('analyst', 'manager', 'undo'), { maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        async (acts, chance) => {
          const { id } = await recordExpense(acme, acme.member)
          /** What the expense was before each move that stands, and who made it. */
          const moves: Array<{ readonly by: Person; readonly before: Json }> = []
          for (const act of acts) {
            const now = await read(id)
            const last = moves.at(-1)
            if (act === 'undo' && last) {
              const { status, body } = await undo(last.by, id, last.before.status, now.version)
              expect(status).toBe(200)
              expect(stateOf(body)).toEqual(stateOf(last.before))
              moves.pop()
            } else if (act !== 'undo') {
              const by = acme[act]
              const { body } = await by.api.get(`/expenses/${id}/status`)
              const offered: string[] = body.status.map(({ slug }: Json) => slug).filter((slug: string) => slug !== 'liquidated')
              const status = offered[chance.next().value % Math.max(1, offered.length)]
              if (status === undefined) continue
              await moveExpense(by, id, { ...approved, status, ignore_noncompliant: true })
              moves.push({ by, before: now })
            }
          }
        },
      ),
      { numRuns: inForm(15, 300), seed: 11 },
    ))
})
