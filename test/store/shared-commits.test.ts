import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as immediately } from 'node:timers/promises'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { databasePath } from '#main/store/core/database-files'
import { statement } from '#main/store/core/statement'
import { WriteQueue } from '#main/store/core/write-queue'
import { type Actor, Store, type Tx } from '#main/store/core/store'
import { placeMigrated } from '#test/support/databases/migrated-file'
import { inForm } from '#test/support/form'

let folder: string
let store: Store
/** A separate connection, as another process has: it sees only what is committed. */
let outside: Database.Database
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'outlay-commits-'))
  await placeMigrated(folder)
  // Time stands still, so that a busy machine does not close a commit early.
  store = await Store.open(folder, { clock: { ...systemClock, monotonicMs: () => 0 }, isOwner: true })
  outside = new Database(databasePath(folder), { readonly: true })
})
afterEach(async () => {
  outside.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const actor: Actor = { user_id: 1, origin: 'test', request_id: null, if_match: null }
const insert = statement<{ key: string }, unknown>((db, p) =>
  db.insertInto('sync_state').values({ key: p('key'), value: 'x', updated_at: 'now' }),
)
const add = (tx: Tx, key: string) => tx.run(insert, { key })
const committed = () =>
  outside
    .prepare<unknown[], { key: string }>('SELECT key FROM sync_state')
    .all()
    .map(({ key }) => key)

test('work that is asked for together shares a commit, and each caller hears of it after the commit', async () => {
  let commits = 0
  store.onCommit(() => (commits += 1))
  const seen = await Promise.all(
    Array.from({ length: 50 }, (_, number) =>
      store.transact(actor, (tx) => add(tx, String(number))).then(() => committed().includes(String(number))),
    ),
  )
  expect(seen).toEqual(seen.map(() => true))
  expect(committed()).toHaveLength(50)
  expect(commits).toBe(1)
})

test('what SQLite ends takes its neighbours along: nothing is stored, and each caller hears so', async () => {
  const works = ['a', 'b', 'ended', 'd'].map((key) =>
    store.transact(actor, async (tx) => {
      await add(tx, key)
      if (key === 'ended') await tx.write('ROLLBACK', [])
    }),
  )
  const outcomes = await Promise.allSettled(works)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled'])
  expect(committed()).toEqual(['d'])
})

test('nothing more is written by work that is done, although its neighbours still write', async () => {
  let leaked: Tx | undefined
  const first = store.transact(actor, async (tx) => {
    leaked = tx
    await add(tx, 'first')
  })
  const second = store.transact(actor, async (tx) => {
    await expect(leaked?.savepoint((inner) => add(inner, 'late'))).rejects.toThrow('has ended')
    await add(tx, 'second')
  })
  await Promise.all([first, second])
  expect(committed()).toEqual(['first', 'second'])
})

test.each([
  { joinMs: 8, shared: [2, 2, 2] },
  { joinMs: 500, shared: [5, 1] },
])('what waits when a commit begins joins it for $joinMs ms, and later work shares the next one', async ({ joinMs, shared }) => {
  const commits: string[][] = []
  let open: string[] = []
  let now = 0
  const queue = new WriteQueue({
    joinMs,
    begin: async () => void (open = []),
    isOpen: () => true,
    run: (text) => (text === 'COMMIT' ? commits.push(open) : undefined),
    committed: () => undefined,
    now: () => now,
  })
  const put = (key: string) =>
    queue.add({
      perform: async () => {
        open.push(key)
        now += 5
        if (key === '1') put('later')
        return () => undefined
      },
      reject: (error) => expect.unreachable(String(error)),
    })
  for (let index = 1; index <= 5; index += 1) put(String(index))
  await queue.idle()
  expect(commits.map(({ length }) => length)).toEqual(shared)
})

const workArbitrary = fc.record({
  fails: fc.boolean(),
  turns: fc.nat(2),
  lent: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  pause: fc.nat(2),
})

test('a failing task fails alone, with its hooks; the rest is stored in order and announced after its commit', async () => {
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(workArbitrary, { minLength: 1, maxLength: 25 }), async (works) => {
      round += 1
      const hooks: string[] = []
      const ran: string[] = []
      const keyOf = (index: number) => `${round}-${index}`
      const outcomes: Array<Promise<string>> = []
      for (const [index, { fails, turns, lent, pause }] of works.entries()) {
        for (let turn = 0; turn < pause; turn += 1) await immediately()
        const key = keyOf(index)
        const end = fails ? 'failed' : 'stored'
        if (lent) {
          outcomes.push(
            store
              .lend(() => (fails ? Promise.reject(new Error(key)) : Promise.resolve()))
              .then(
                () => end,
                () => end,
              ),
          )
          continue
        }
        const work = store.transact(actor, async (tx) => {
          await add(tx, key)
          ran.push(key)
          tx.afterCommit(() => hooks.push(key))
          for (let turn = 0; turn < turns; turn += 1) await immediately()
          if (fails) throw new Error(key)
        })
        outcomes.push(
          work.then(
            () => (committed().includes(key) ? 'stored' : 'heard too early'),
            (error: Error) => (error.message === key && !committed().includes(key) ? 'failed' : 'failed for another'),
          ),
        )
      }
      expect(await Promise.all(outcomes)).toEqual(works.map(({ fails }) => (fails ? 'failed' : 'stored')))
      const stored = works.flatMap(({ fails, lent }, index) => (fails || lent ? [] : [keyOf(index)]))
      expect(new Set(committed().filter((key) => key.startsWith(`${round}-`)))).toEqual(new Set(stored))
      expect(ran).toEqual(works.flatMap(({ lent }, index) => (lent ? [] : [keyOf(index)])))
      expect(hooks).toEqual(stored)
    }),
    { numRuns: inForm(20, 60) },
  )
})
