import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { expenseRoutes } from '#shared/contract/expenses'
import { feedTopics } from '#shared/contract/instance/feed'
import { records } from '#shared/records/index'
import { endpoints } from '#main/http/endpoints'
import { accountabilityKeys } from '../../src-renderer/api/accountabilities'
import { affectedBy, affectedByTopics, affectedByWrite } from '../../src-renderer/api/affected'
import { runBatch } from '../../src-renderer/api/batch'
import { ApiError, call } from '../../src-renderer/api/client'
import { echoWrites } from '../../src-renderer/api/echo-writes'
import { expenseKeys } from '../../src-renderer/api/expenses'
import { asOneWrite, ownWritesShown } from '../../src-renderer/api/own-writes'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** What no page shows, or what shows its response itself. */
const shownOtherwise = [
  /^(session|setup|sync|batch)\b/,
  /^captures\.create$/,
  /^exports\.(count|preview)$/,
  /^handovers\.count$/,
  /^uploads/,
  /^invoice_checks/,
]

test('every write of the API says which records it changes, so that its page shows them', () => {
  const writes = endpoints.map(({ route }) => route).filter(({ method }) => method !== 'GET')
  const silent = writes.filter(({ name }) => !shownOtherwise.some((pattern) => pattern.test(name)))
  expect(silent.filter((route) => affectedByWrite({ route, body: {} }).length === 0).map(({ name }) => name)).toEqual([])
})

test('every record that the feed can name is shown under some key', () => {
  const news = (table: string) => [{ table, id: 1, uid: table, version: 1, is_pulled: false }]
  expect(records.map(({ table }) => table).filter((table) => affectedBy(news(table)).length === 0)).toEqual(['user_emails'])
})

test('so is all other state that the feed can name', () => {
  expect(feedTopics.filter((topic) => affectedByTopics([topic]).length === 0)).toEqual([])
})

/** A page that shows something under a key; `reads`: how often it was read. */
function show(client: QueryClient, queryKey: readonly unknown[]) {
  const shown = { reads: 0 }
  const queryFn = () => Promise.resolve((shown.reads += 1))
  new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => undefined)
  return shown
}

/** Answers each request with a status and a body; status 0: nothing comes. */
function answerWith(status: number, body: unknown): void {
  const response = () => Promise.resolve(new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }))
  vi.stubGlobal('fetch', status === 0 ? () => Promise.reject(new TypeError('Failed to fetch')) : response)
}

const client = new QueryClient()
echoWrites(client)
const remove = () => call(expenseRoutes.destroy, { params: { id: 1 } })

test('what a write changed is read again wherever it is shown, without the feed; nothing else is', async () => {
  const [sums, reports, captures] = [
    show(client, [...expenseKeys.all, 'sum']),
    show(client, accountabilityKeys.all),
    show(client, ['captures']),
  ]
  await vi.waitFor(() => expect([sums.reads, reports.reads, captures.reads]).toEqual([1, 1, 1]))
  answerWith(200, null)
  await remove()
  await ownWritesShown()
  expect([sums.reads, reports.reads, captures.reads]).toEqual([2, 2, 1])
  answerWith(200, { results: [] })
  await runBatch([{ method: 'PUT', path: '/expenses/1/status', body: {} }], { idempotencyKey: 'one' })
  await ownWritesShown()
  expect([sums.reads, reports.reads, captures.reads]).toEqual([3, 3, 1])
})

test('what several writes of one piece of work changed is read again after the last, and meanwhile every five seconds', async () => {
  const sums = show(client, [...expenseKeys.all, 'slices'])
  await vi.waitFor(() => expect(sums.reads).toBe(1))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  answerWith(200, { results: [] })
  const slice = () => runBatch([{ method: 'PUT', path: '/expenses/1/status', body: {} }], { idempotencyKey: 'slice' })
  await asOneWrite(async () => {
    await slice()
    await vi.advanceTimersByTimeAsync(10)
    await slice()
    await vi.advanceTimersByTimeAsync(4_900)
    expect(sums.reads).toBe(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(sums.reads).toBe(2)
    await slice()
  })
  await vi.advanceTimersByTimeAsync(10)
  vi.useRealTimers()
  await ownWritesShown()
  expect(sums.reads).toBe(3)
})

test('a rejected write and a lost response are also reread: the screen may be out of date', async () => {
  vi.stubGlobal('navigator', { onLine: true })
  for (const status of [412, 422, 0]) {
    const sums = show(client, [...expenseKeys.all, 'refused', status])
    await vi.waitFor(() => expect(sums.reads).toBe(1))
    answerWith(status, { error: 'No' })
    await expect(remove()).rejects.toThrow(ApiError)
    await ownWritesShown()
    expect(sums.reads).toBe(2)
  }
})

test('without a network nothing is read until it is back', async () => {
  const sums = show(client, [...expenseKeys.all, 'away'])
  await vi.waitFor(() => expect(sums.reads).toBe(1))
  vi.stubGlobal('navigator', { onLine: false })
  answerWith(0, null)
  await expect(remove()).rejects.toThrow(ApiError)
  await ownWritesShown()
  expect(sums.reads).toBe(1)
  expect(client.getQueryState([...expenseKeys.all, 'away'])?.isInvalidated).toBe(true)
})
