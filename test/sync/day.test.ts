import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { attach } from '#test/support/attach'
import { runProgram } from '#test/support/built-program'
import { copyOf, putBack } from '#test/support/copies'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Api, type Instance, type Json, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'

let senate: Instance
let chamber: Instance
const replicas: ReplicaInstance[] = []
const copies: string[] = []
beforeEach(async () => {
  ;[senate, chamber] = [await startInstance(), await startInstance()]
})
afterEach(async () => {
  for (const replica of replicas.splice(0)) await replica.remove()
  for (const copy of copies.splice(0)) await rm(copy, { recursive: true, force: true })
  await senate.remove()
  await chamber.remove()
})

async function replicaAt(instance: Instance, person: { token: string }, folder?: string): Promise<ReplicaInstance> {
  const replica = await startReplica(instance.url, person, { folder })
  replicas.push(replica)
  expect(await replica.sync()).toMatchObject({ ended: 'synced' })
  return replica
}

async function send(api: Api, method: string, path: string, body?: unknown): Promise<Json> {
  const response = await api.send(method, path, body)
  if (response.status >= 300) throw new Error(`${method} ${path} was refused: ${JSON.stringify(response.body)}`)
  return response.body
}

const approve = (api: Api, { id, amount }: Json) =>
  send(api, 'PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: amount })

async function expensesOf(api: Api): Promise<Json[]> {
  const { expenses } = (await api.get('/expenses?per_page=100&sort=id')).body
  return expenses
}

/** What someone did, and how to see at the remote that it was applied. */
interface Action {
  readonly what: string
  /** The record that it is about, by its identity. */
  readonly uid: string
  readonly isApplied: (record: Json) => boolean
}

/** The sum of all amounts, in minor units, line by line. */
const sumOf = (expenses: readonly Json[]) => expenses.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)

async function expectSame(replica: ReplicaInstance, remote: Api): Promise<void> {
  const [here, there] = [await expensesOf(replica.api), await expensesOf(remote)]
  const plain = ({ uid, version, amount, approved_amount, status, description, comments_count, attachments_count }: Json) => ({
    ...{ uid, version, amount, approved_amount, status, description, comments_count, attachments_count },
  })
  expect(here.map(plain)).toEqual(there.map(plain))
  const totals = (await remote.get('/expenses/summary?group_by=status')).body.groups.flatMap(({ totals: own }: Json) => own)
  const total = totals.reduce((sum: number, { amount }: Json) => sum + Math.round(amount * 100), 0)
  expect([sumOf(here), sumOf(there)]).toEqual([total, total])
}

/** Every action is applied at the remote, or stands before the person who did it. */
async function expectNotified(actions: readonly Action[], { remote, shown }: { remote: Api; shown: ReadonlySet<string> }): Promise<void> {
  const there = new Map((await expensesOf(remote)).map((record) => [record.uid, record]))
  const lost = actions.filter(({ uid, isApplied }) => {
    const record = there.get(uid)
    return !(record && isApplied(record)) && !shown.has(uid)
  })
  expect(lost.map(({ what, uid }) => ({ what, uid }))).toEqual([])
}

async function shownBy(replica: ReplicaInstance): Promise<Set<string>> {
  const lists = await Promise.all(['conflicts', 'failed', 'quarantined'].map((list) => replica.api.get(`/replica/operations?list=${list}`)))
  return new Set(lists.flatMap(({ body }) => body.operations.map(({ subject }: Json) => subject?.uid)))
}

/** A morning in the field: expenses, receipts, comments and corrections. */
async function workInField(api: Api, count: number): Promise<Action[]> {
  const actions: Action[] = []
  for (let index = 0; index < count; index += 1) {
    const made = await send(
      api,
      'POST',
      '/expenses',
      newExpense(senate, { amount: (1001 + 100 * index) / 100, description: `field ${index}` }),
    )
    if (index % 4 === 0) await attach(api, made.id, `receipt-${index}.png`)
    if (index % 3 === 0) await send(api, 'POST', `/expenses/${made.id}/comments`, { content: `note ${index}` })
    if (index % 5 === 0) await send(api, 'PATCH', `/expenses/${made.id}`, { description: `corrected ${index}` })
    actions.push({
      what: `expense ${index}`,
      uid: made.uid,
      isApplied: (record) =>
        record.description === (index % 5 === 0 ? `corrected ${index}` : `field ${index}`) &&
        record.attachments_count === (index % 4 === 0 ? 1 : 0) &&
        record.comments_count >= (index % 3 === 0 ? 1 : 0),
    })
  }
  return actions
}

async function approveAll(api: Api, expenses: readonly Json[]): Promise<Action[]> {
  for (const expense of expenses) await approve(api, expense)
  return expenses.map(({ id, uid }) => ({
    what: `approval of ${id}`,
    uid,
    isApplied: ({ status }) => ['approved', 'liquidated'].includes(status),
  }))
}

test('a day offline, with a folder and a remote restored to yesterday: every action is applied or shown, and all sums agree', async () => {
  const old: Json[] = []
  for (let index = 0; index < 12; index += 1)
    old.push(await recordExpense(senate, senate.member, { amount: 20.5 + index, description: `old ${index}` }))
  const [field, reviewer] = [await replicaAt(senate, senate.member), await replicaAt(senate, senate.manager)]
  const other = await replicaAt(chamber, chamber.admin)
  const yesterday = await copyOf(field)
  copies.push(yesterday)

  // The morning, all of them offline; the analyst works at the remote.
  const actions = await workInField(field.api, 10)
  actions.push(...(await approveAll(reviewer.api, old.slice(0, 6))))
  const [first, second] = old
  await send(reviewer.api, 'POST', '/reimbursements', {
    ...{ payer: { id: senate.organization_id, type: 'Organization' }, receiver: { id: senate.member.user_id, type: 'User' } },
    ...{ amount: first.amount + second.amount, currency: 'BRL', date: '2026-03-05', expense_ids: [first.id, second.id] },
  })
  for (const { id } of old.slice(4, 6)) await send(senate.analyst.api, 'PATCH', `/expenses/${id}`, { amount: 77 })
  const mine = await send(other.api, 'POST', '/expenses', newExpense(chamber, { amount: 5.55 }))
  await approve(other.api, mine)
  for (const replica of [field, reviewer, other, field]) expect(await replica.sync()).toMatchObject({ ended: 'synced', failed: 0 })
  expect((await shownBy(reviewer)).size).toBe(2)
  const midday = await copyOf(senate)
  copies.push(midday)

  // The afternoon: the field worker's laptop is put back to yesterday's copy, the reviewer goes on.
  await field.close()
  const again = await startReplica(senate.url, senate.member, { folder: yesterday })
  replicas.push(again)
  actions.push(...(await workInField(again.api, 4)))
  actions.push(...(await approveAll(reviewer.api, old.slice(6, 9))))
  for (const replica of [again, reviewer]) expect(await replica.sync()).toMatchObject({ ended: 'synced', failed: 0 })

  // The evening: the remote is put back to midday, too.
  senate = await putBack(senate, midday)
  for (const replica of [again, reviewer, again, reviewer]) expect(await replica.sync()).toMatchObject({ ended: 'synced', failed: 0 })

  for (const replica of [again, reviewer, other])
    expect((await replica.api.get('/replica')).body.counts).toMatchObject({ waiting: 0, uploads: 0 })
  await expectNotified(actions, { remote: senate.manager.api, shown: new Set([...(await shownBy(reviewer)), ...(await shownBy(again))]) })
  await expectSame(reviewer, senate.manager.api)
  await expectSame(again, senate.member.api)
  await expectSame(other, chamber.admin.api)
  const paid = (await expensesOf(senate.manager.api)).filter(({ status }) => status === 'liquidated')
  expect(paid.map(({ uid }) => uid)).toEqual([first.uid, second.uid])

  const folders = [again, reviewer, other, senate, chamber].map(({ folder }) => folder)
  for (const instance of [again, reviewer, other, senate, chamber]) await instance.close()
  for (const folder of folders) expect((await runProgram('doctor', '--data', folder)).result).toEqual({ ok: true, problems: [] })
})
