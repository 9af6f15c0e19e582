import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Expense } from '#shared/contract/expenses'
import { inForm } from '#test/support/form'
import { isOwnNews } from '../../../src-renderer/api/own-writes'
import { actOnRows } from '#renderer/records/expense/deciding/act'
import type { Decision } from '#renderer/records/expense/deciding/decision'
import { readRows } from '../../../src-renderer/features/review/list/expense-reading'
import { findRow, useExpenseStore } from '#renderer/records/expense/expense-store'
import { useUndoStack } from '../../../src-renderer/state/undo-stack'
import { sampleExpense } from './samples'

/** What becomes of a request: its response comes, or it is lost before or after the server has carried it out. */
type Fate = 'answered' | 'lost before' | 'lost after'
type Operation = { path: string; body: { status: Expense['status'] }; if_match: string | null }

/** Of an expense, in one of many runs: what the window wrote in another does not count. */
let run = 0
const uidOf = (id: number) => `run-${run}-${id}`

/** A server with three expenses, whose requests and responses take as long as the scheduler lets them. */
function startServer(scheduler: fc.Scheduler, fates: readonly Fate[]) {
  const stored = new Map([1, 2, 3].map((id) => [id, sampleExpense(id, { uid: uidOf(id) })]))
  const done = new Map<string, { status: number; body: unknown }>()
  let requests = 0
  const write = (id: number, change: Partial<Expense>): Expense => {
    const before = stored.get(id) ?? sampleExpense(id)
    const after = { ...before, ...change, version: before.version + 1 }
    stored.set(id, after)
    return after
  }
  const move = ({ path, body, if_match }: Operation) => {
    const id = Number(path.split('/')[2])
    const now = stored.get(id)
    if (!now || if_match !== `"${now.uid}.${now.version}"`) return { status: 412, body: { error: 'changed' } }
    return { status: 200, body: write(id, { status: body.status }) }
  }
  const answer = (address: string, init: RequestInit): { status: number; body: unknown } => {
    const [path = '', query = ''] = address.replace('/api/v1', '').split('?')
    if (init.method !== 'PUT') {
      const one = /^\/expenses\/(\d+)$/.exec(path)
      if (one) return { status: 200, body: stored.get(Number(one[1])) }
      const ids = [...new URLSearchParams(query)].flatMap(([key, value]) => (key.includes('id_in') ? [Number(value)] : []))
      const expenses = [...stored.values()].filter(({ id }) => ids.includes(id))
      const pages = { current_page: 1, per_page: 100, total_pages: 1, total_count: expenses.length }
      return { status: 200, body: { ...pages, count: expenses.length, expenses, _links: [] } }
    }
    const key = new Headers(init.headers).get('idempotency-key') ?? ''
    const body: Operation['body'] = JSON.parse(typeof init.body === 'string' ? init.body : '{}')
    const response = done.get(key) ?? move({ path, body, if_match: new Headers(init.headers).get('if-match') })
    done.set(key, response)
    return response
  }
  const fetched = async (address: string, init: RequestInit) => {
    const fate = init.method === 'PUT' ? (fates[requests++ % fates.length] ?? 'answered') : 'answered'
    await scheduler.schedule(Promise.resolve(), 'request')
    if (fate === 'lost before') throw new TypeError('lost')
    const { status, body } = answer(address, init)
    await scheduler.schedule(Promise.resolve(), 'response')
    if (fate === 'lost after') throw new TypeError('lost')
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  }
  return { stored, write, fetched }
}

const words = { done: () => 'done', travelled: () => 'travelled', later: 'later' }
const id = fc.integer({ min: 1, max: 3 })
const act = fc.constantFrom<Decision>({ kind: 'approve' }, { kind: 'reject', reason: 'no' }, { kind: 'move', status: 'analyzing' })
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('act' as const), id, act }),
    fc.record({ kind: fc.constant('other' as const), id, status: fc.constantFrom<Expense['status'][]>('pending', 'approved', 'analyzed') }),
    fc.record({ kind: fc.constant('pause' as const), id }),
  ),
  { minLength: 1, maxLength: 12 },
)
const fates = fc.array(fc.constantFrom<Fate[]>('answered', 'lost before', 'lost after'), { minLength: 1, maxLength: 6 })

beforeAll(() => void vi.stubGlobal('navigator', { onLine: true }))
afterAll(() => vi.unstubAllGlobals())

test("for any order of own acts, other people's events, responses, errors and losses, the rows end as the server has them", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fates, fc.scheduler(), async (sequence, ends, scheduler) => {
      run += 1
      useExpenseStore.setState({ rows: new Map() })
      useUndoStack.setState({ done: [], undone: [] })
      const server = startServer(scheduler, ends)
      vi.stubGlobal('fetch', server.fetched)
      const running: Promise<unknown>[] = []
      const read = (ids: readonly number[]) => readRows({ filter: { id_in: ids }, sort: 'id', page: 1 })
      // An event names the record some time after the change; the page then reads it again, unless it wrote that version.
      const tell = (changed: number, version: number) =>
        running.push(
          scheduler
            .schedule(Promise.resolve(), 'event')
            .then(() => (isOwnNews({ uid: uidOf(changed), version, is_pulled: false }) ? undefined : read([changed]))),
        )
      await scheduler.waitFor(read([1, 2, 3]))
      let heardOf = new Map([...server.stored].map(([one, { version }]) => [one, version]))
      const tellNews = () => {
        for (const [one, { version }] of server.stored) if (version !== heardOf.get(one)) tell(one, version)
        heardOf = new Map([...server.stored].map(([one, { version }]) => [one, version]))
      }
      for (const step of sequence) {
        const row = findRow(uidOf(step.id))
        if (step.kind === 'act' && row) running.push(actOnRows({ words }, { act: step.act, expenses: [row.expense] }))
        if (step.kind === 'other') server.write(step.id, { status: step.status })
        if (step.kind === 'pause' && scheduler.count() > 0) await scheduler.waitOne()
        tellNews()
      }
      for (let told = -1; told !== running.length;) {
        told = running.length
        await scheduler.waitFor(Promise.all(running))
        tellNews()
      }
      for (const expense of server.stored.values()) {
        expect(findRow(expense.uid)?.expense).toEqual(expense)
        expect(findRow(expense.uid)?.state?.kind).not.toBe('saving')
      }
    }),
    { numRuns: inForm(100, 400) },
  )
})
