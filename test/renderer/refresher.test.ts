import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { advancementKeys } from '../../src-renderer/api/advancements'
import { createRefresher } from '../../src-renderer/state/refresher'

/** How long a server that is busy takes for a reading, in milliseconds. */
const answersAfterMs = 400

let screen: EventTarget & { hidden: boolean }
let version: number
let shown: number
let reads: number[]
let atOnce: { now: number; most: number }
let refresher: ReturnType<typeof createRefresher>
let end: () => void

/** A page that shows the version of an advance, which it has read at the start. */
beforeEach(async () => {
  vi.useFakeTimers()
  screen = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', screen)
  ;[version, shown, reads, atOnce] = [0, 0, [], { now: 0, most: 0 }]
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  const observer = new QueryObserver(client, {
    queryKey: [...advancementKeys.all, 'list'],
    queryFn: async () => {
      reads.push(Date.now())
      atOnce.now += 1
      atOnce.most = Math.max(atOnce.most, atOnce.now)
      const read = version
      await new Promise((answer) => setTimeout(answer, answersAfterMs))
      atOnce.now -= 1
      return read
    },
  })
  const stopShowing = observer.subscribe(({ data }) => (shown = data ?? 0))
  await vi.advanceTimersByTimeAsync(answersAfterMs)
  reads.length = 0
  refresher = createRefresher(client)
  end = () => {
    refresher.stop()
    stopShowing()
    client.clear()
  }
})
afterEach(() => {
  end()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function commit(): void {
  version += 1
  refresher.take([{ table: 'advancements', id: 7, uid: 'seventh', version, is_pulled: false }])
}

test('while commits keep coming, a reading begins once the last has ended and rested; the last commit is shown', async () => {
  const begun = Date.now()
  for (let count = 0; count < 200; count += 1) {
    commit()
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(reads[0]).toBeLessThan(begun + 100)
  expect(reads.length).toBeGreaterThan(3)
  expect(atOnce.most).toBe(1)
  const between = reads.slice(3).map((at, index) => at - (reads[index + 2] ?? 0))
  expect(Math.min(...between)).toBeGreaterThanOrEqual(answersAfterMs + 1000)
  await vi.advanceTimersByTimeAsync(3000)
  expect(shown).toBe(version)
  expect(atOnce.most).toBe(1)
})

test('a commit after a pause is read at once again', async () => {
  for (let count = 0; count < 60; count += 1) {
    commit()
    await vi.advanceTimersByTimeAsync(50)
  }
  await vi.advanceTimersByTimeAsync(5000)
  const [at, before] = [Date.now(), reads.length]
  commit()
  await vi.advanceTimersByTimeAsync(100)
  expect(reads[before]).toBeLessThan(at + 100)
})

test('a page that nobody sees reads seldom, and at once when it is seen', async () => {
  screen.hidden = true
  for (let count = 0; count < 100; count += 1) {
    commit()
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(reads).toEqual([])
  await vi.advanceTimersByTimeAsync(6000)
  expect([reads.length, shown]).toEqual([1, version])
  await vi.advanceTimersByTimeAsync(5000)
  commit()
  await vi.advanceTimersByTimeAsync(100)
  expect(reads.length).toBe(1)
  const at = Date.now()
  screen.hidden = false
  screen.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(1000)
  expect([(reads[1] ?? 0) - at < 100, shown]).toEqual([true, version])
})

test('a page that is left reads nothing more', async () => {
  commit()
  await vi.advanceTimersByTimeAsync(100)
  commit()
  refresher.stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(reads.length).toBe(1)
})
