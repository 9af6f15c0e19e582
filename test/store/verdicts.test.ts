import { beforeAll, expect, test, vi } from 'vitest'
import { noteProgramVersion } from '#main/store/core/instance-settings'
import { judgeAllAgain, listVerdictProblems, mendVerdicts } from '#main/store/records/expenses/verdicts'
import { statement } from '#main/store/core/statement'
import { addPolicyRun, countPolicyRun, findPolicyRun, takeFromPolicyRun } from '#main/store/queues/policy-runs'
import { findSumRun } from '#main/store/queues/sum-runs'
import { moveExpense, recordExpense } from '#test/support/expenses'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

let ids: number[]
const instance = await instanceOfFile()
beforeAll(async () => {
  const path = `/organizations/${instance.organization_id}/policies`
  const said = { weight: 'note', amount: 80, currency: 'BRL' }
  await instance.manager.api.send('POST', path, { name: 'Meals', condition: 'amount_over', ...said })
  await instance.manager.api.send('POST', path, { name: 'Day', condition: 'sum_over', period: 'day', ...said })
  const amounts = [50, 60, 90]
  const made = await Promise.all(amounts.map((amount) => recordExpense(instance, instance.member, { amount, occurred_at: '2026-03-10' })))
  ids = made.map(({ id }) => id)
  await vi.waitFor(async () => expect(await values()).toEqual([[200], [200], [90, 200]]))
  const { reader } = instance.app.store
  await vi.waitFor(async () => expect([await findPolicyRun(reader), await findSumRun(reader)]).toEqual([undefined, undefined]))
})

const values = () =>
  Promise.all(ids.map(async (id) => (await instance.manager.api.get(`/expenses/${id}`)).body.flags.map(({ value }: Json) => value)))

const findFlags = statement<{ id: number }, { flags: string | null }>((db, p) =>
  db.selectFrom('expenses').select('flags').where('id', '=', p('id')),
)
const actor = { user_id: 0, origin: 'cli', request_id: null, if_match: null } as const

/** As a program did that found other things. */
async function findOtherwise(): Promise<void> {
  await instance.app.store.transact(actor, async (tx) => {
    await tx.write(`UPDATE expenses SET flags = replace(flags, '20000', '19999') WHERE id = ?`, [ids[0] ?? 0])
    await tx.write(`UPDATE expenses SET flags = NULL, flag_level = NULL WHERE id = ?`, [ids[2] ?? 0])
  })
}

test('what the stored versions give is what is stored; where it is not, the check says so and repairs it', async () => {
  const { store } = instance.app
  expect(await listVerdictProblems(store.reader)).toEqual([])
  await findOtherwise()
  expect(await listVerdictProblems(store.reader)).toEqual(
    [ids[0], ids[2]].map((id) => `The findings of expense ${id} are not those that its policies give.`),
  )
  await store.transact(actor, mendVerdicts)
  expect(await listVerdictProblems(store.reader)).toEqual([])
  expect(await values()).toEqual([[200], [200], [90, 200]])
})

const wrong = (id: number) => `The findings of decided expense ${id} are not those that the versions of its policies give.`
const approvalOf = (amount: number) => ({ status: 'approved', approved_amount: amount, approved_amount_currency: 'BRL' })

/** Judging that a change began has ended. */
const judged = () =>
  vi.waitFor(async () => {
    const { reader } = instance.app.store
    expect([await findPolicyRun(reader), await findSumRun(reader)]).toEqual([undefined, undefined])
  })

/** What the check says of decided expenses while one of them has other findings; afterwards it has its own again. */
async function problemsWith(id: number, flags: string | null): Promise<string[]> {
  const { store } = instance.app
  const write = (text: string | null) => store.transact(actor, (tx) => tx.write('UPDATE expenses SET flags = ? WHERE id = ?', [text, id]))
  const before = (await store.reader.first(findFlags, { id }))?.flags ?? null
  await write(flags)
  const problems = await listVerdictProblems(store.reader)
  await write(before)
  return problems
}

test('a decided expense keeps what was found, and the check judges it again by the versions of then', async () => {
  const { reader } = instance.app.store
  const path = `/organizations/${instance.organization_id}/policies`
  const { manager, member } = instance
  const [first, second, clean] = [
    await recordExpense(instance, member, { amount: 95, occurred_at: '2026-07-01' }),
    await recordExpense(instance, member, { amount: 30, occurred_at: '2026-07-01' }),
    await recordExpense(instance, member, { amount: 40, occurred_at: '2026-07-02' }),
  ]
  for (const { id, amount } of [second, first, clean]) await moveExpense(manager, id, approvalOf(amount))
  // What comes later changes nothing: a neighbour in the sum, another version, another policy.
  await recordExpense(instance, member, { amount: 12, occurred_at: '2026-07-01' })
  const [policy] = (await manager.api.get(path)).body.policies
  await manager.api.send('PATCH', `${path}/${policy.id}`, { amount: 20 })
  await judged()
  expect(await listVerdictProblems(reader)).toEqual([])
  const stored = async (id: number) => (await reader.first(findFlags, { id }))?.flags ?? ''
  const [ofFirst, ofSecond] = [await stored(first.id), await stored(second.id)]
  expect([ofFirst, ofSecond].map((flags) => JSON.parse(flags).map(({ value }: Json) => value))).toEqual([[9500, 12_500], [12_500]])
  // Values above the limit that are not the amount's, or leave less than nothing for the others.
  expect(await problemsWith(first.id, ofFirst.replace('9500', '9400'))).toEqual([wrong(first.id)])
  expect(await problemsWith(first.id, ofFirst.replace('12500', '9400'))).toEqual([wrong(first.id)])
  expect(await problemsWith(first.id, ofFirst.replace('9500', '7900'))).toEqual([wrong(first.id)])
  // Another sum cannot be told from the one of then, which only the finding holds.
  expect(await problemsWith(second.id, ofSecond.replace('12500', '12600'))).toEqual([])
  await manager.api.send('PATCH', `${path}/${policy.id}`, { amount: 80 })
  await judged()
})

test('the check finds that a decided expense has lost what was found', async () => {
  const path = `/organizations/${instance.organization_id}/policies`
  const { manager, member } = instance
  const { body: policy } = await manager.api.send('POST', path, { name: 'Place', weight: 'note', condition: 'location_missing' })
  await judged()
  const [kept, edited] = [
    await recordExpense(instance, member, { amount: 61, occurred_at: '2026-08-01' }),
    await recordExpense(instance, member, { amount: 62, occurred_at: '2026-08-02' }),
  ]
  for (const { id, amount } of [kept, edited]) await moveExpense(manager, id, approvalOf(amount))
  await judged()
  expect(await problemsWith(kept.id, null)).toEqual([wrong(kept.id)])
  // Of one that was changed since it was decided nobody knows what was found then.
  expect((await manager.api.send('PATCH', `/expenses/${edited.id}`, { description: 'Changed later' })).status).toBe(200)
  expect(await problemsWith(edited.id, null)).toEqual([])
  await manager.api.send('DELETE', `${path}/${policy.id}`)
  await judged()
  expect(await problemsWith(kept.id, null)).toEqual([])
  expect(await listVerdictProblems(instance.app.store.reader)).toEqual([])
})

test('after an update of the program everything open is judged again', async () => {
  await findOtherwise()
  await noteProgramVersion(instance.app.store, '99.0.0', judgeAllAgain)
  await vi.waitFor(async () => expect(await values()).toEqual([[200], [200], [90, 200]]))
})

test('what is still to be judged again is counted, and said until all of it is', async () => {
  const { organization_id, member } = instance
  const of = { organization_id, user_id: member.user_id }
  await instance.app.store.transact({ ...actor, user_id: instance.manager.user_id }, async (tx) => {
    expect(await countPolicyRun(tx, of)).toBe(0)
    await addPolicyRun(tx, organization_id)
    const whole = await countPolicyRun(tx, of)
    expect(whole).toBeGreaterThanOrEqual(ids.length)
    const run = await findPolicyRun(tx)
    if (run) await takeFromPolicyRun(tx, run, 2)
    expect(await countPolicyRun(tx, of)).toBe(whole - 2)
  })
  const path = `/organizations/${organization_id}/policy_check`
  await vi.waitFor(async () => expect((await member.api.get(path)).body).toEqual({ waiting: 0 }), { timeout: 20_000 })
  expect((await instance.stranger.api.get(path)).status).toBe(404)
})
