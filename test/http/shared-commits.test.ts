import Database from 'better-sqlite3'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '#main/clock'
import { databasePath } from '#main/store/core/database-files'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type ApiResponse, type Json, startInstance } from '#test/support/instance'
// Time stands still, so that a busy machine does not close a commit early.
const instance = await startInstance({ clock: { ...systemClock, monotonicMs: () => 0 } })
/** A separate connection, as another process has: it sees only what is committed. */
const outside = new Database(databasePath(instance.folder), { readonly: true })
afterAll(async () => {
  outside.close()
  await instance.remove()
})

const nobody = { user_id: 0, origin: 'test', request_id: null, if_match: null }
/** How to let go of the writer, where a test failed while it was held. */
const holds: Array<() => void> = []
let transact: ReturnType<typeof spyOnStore>
const spyOnStore = () => vi.spyOn(instance.app.store, 'transact')
beforeEach(() => {
  transact = spyOnStore()
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const letGo of holds.splice(0)) letGo()
})

/** Work that holds the writer until it is told to end. */
function holdWriter() {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  holds.push(end.resolve)
  const ended = instance.app.store.transact(nobody, () => {
    begun.resolve()
    return end.promise
  })
  return {
    begun: begun.promise,
    end: () => {
      end.resolve()
      return ended
    },
  }
}

/** Has requests wait for the writer together, so that they share a commit; they run in the order of the list. */
async function wait(requests: ReadonlyArray<() => Promise<ApiResponse<Json>>>) {
  const before = holdWriter()
  await before.begun
  // Background work asks for the writer, too.
  const countAsked = () => transact.mock.calls.filter(([{ request_id }]) => request_id !== null).length
  const responses: Array<Promise<ApiResponse<Json>>> = []
  for (const send of requests) {
    const waiting = countAsked()
    responses.push(send())
    await vi.waitUntil(() => countAsked() > waiting, { timeout: 60_000 })
  }
  // Its own end is not waited for: where background work waited too, it is of the same commit as the requests.
  return { responses, begin: () => void before.end() }
}

const create =
  (description: string, attributes: Json = {}) =>
  () =>
    instance.member.api.send('POST', '/expenses', newExpense(instance, { description, ...attributes }))
const listStored = () => outside.prepare<[], string>('SELECT description FROM expenses ORDER BY id').pluck().all()
/** What would show that a write left a trace: rows, their trail, their log, their counters, stored responses. */
const countRows = () =>
  ['expenses', 'comments', 'activities', 'change_log', 'idempotency_keys', 'row_sums'].map((table) =>
    outside.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get(),
  )

test('no response leaves before the commit that it shares, neither of what was stored nor of what failed', async () => {
  const stored = listStored()
  const { responses, begin } = await wait([create('one'), create('refused', { amount: -1 }), create('two'), create('keyed')])
  const last = holdWriter()
  const answered: number[] = []
  for (const [index, response] of responses.entries()) void response.then(() => answered.push(index))
  begin()
  // All of them have run: the last work of their commit has begun.
  await last.begun
  for (let times = 0; times < 5; times += 1) {
    const { body } = await instance.member.api.get('/expenses?q[description_eq]=one')
    expect(body.count).toBe(0)
  }
  expect(answered).toEqual([])
  expect(listStored()).toEqual(stored)
  const commits = vi.fn()
  const stop = instance.app.store.onCommit(commits)
  await last.end()
  expect(listStored()).toEqual([...stored, 'one', 'two', 'keyed'])
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([201, 422, 201, 201])
  expect(commits).toHaveBeenCalledTimes(1)
  stop()
})

test('a request that fails in a shared commit leaves nothing, and the others are as if sent alone', async () => {
  const { member, manager } = instance
  const expense = await recordExpense(instance, member, { description: 'contested' })
  const etag = (await member.api.get(`/expenses/${expense.id}`)).headers.get('etag') ?? ''
  const ofMember = (method: string, path: string, body: Json, headers?: Record<string, string>) => () =>
    member.api.send(method, path, body, headers)
  const edit = (description: string) => ofMember('PATCH', `/expenses/${expense.id}`, { description }, { 'if-match': etag })
  const operations = [
    { method: 'POST', path: '/expenses', body: newExpense(instance, { description: 'undone' }) },
    { method: 'POST', path: '/expenses', body: newExpense(instance, { description: 'undone', amount: 0 }) },
  ]
  const keyed = { 'idempotency-key': 'shared commit' }
  const requests = [
    create('before'),
    edit('mine'),
    // The neighbour has changed it in this very commit.
    edit('lost update'),
    // Written and undone again, within the shared transaction.
    ofMember('POST', '/batch', { atomic: true, operations }),
    ofMember('POST', `/expenses/${expense.id}/comments`, { content: '' }),
    ofMember('PUT', `/expenses/${expense.id}/status`, { status: 'approved' }),
    ofMember('POST', '/expenses', newExpense(instance, { description: 'refused under a key', amount: -2 }), keyed),
    () => manager.api.send('PUT', `/expenses/${expense.id}/status`, { status: 'analyzing' }),
    ofMember('POST', '/expenses', newExpense(instance, { description: 'to someone else', receiver: { id: 999_999, type: 'User' } })),
    create('after'),
  ]
  const stored = listStored().filter((description) => description !== 'contested')
  const { responses, begin } = await wait(requests)
  const commits = vi.fn()
  const stop = instance.app.store.onCommit(commits)
  begin()
  const statuses = (await Promise.all(responses)).map(({ status }) => status)
  stop()
  expect(statuses).toEqual([201, 200, 412, 200, 422, 403, 422, 200, 403, 201])
  expect((await responses[3])?.body.results.map(({ status }: Json) => status)).toEqual([424, 422])
  // The work that held the writer, and all the rest.
  expect(commits).toHaveBeenCalledTimes(2)
  expect(listStored()).toEqual([...stored, 'mine', 'before', 'after'])
  expect((await member.api.get(`/expenses/${expense.id}`)).body).toMatchObject({ description: 'mine', status: 'analyzing' })

  const repeated = await requests[6]?.()
  expect(repeated?.status).toBe(422)
  expect(repeated?.headers.get('idempotency-replayed')).toBe('true')
  const rows = countRows()
  for (const index of [4, 5, 6, 8]) expect((await requests[index]?.())?.status).toBe(statuses[index])
  expect(countRows()).toEqual(rows)
})
