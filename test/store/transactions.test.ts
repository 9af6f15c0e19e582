import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as immediately } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { statement } from '#main/store/core/statement'
import { type Actor, Store, type Tx } from '#main/store/core/store'
import { placeMigrated } from '#test/support/databases/migrated-file'

let folder: string
let store: Store
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'outlay-store-'))
  await placeMigrated(folder)
  store = await Store.open(folder, { clock: systemClock, isOwner: true, readsApart: true })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const actor: Actor = { user_id: 1, origin: 'test', request_id: null, if_match: null }
const insert = statement<{ key: string }, unknown>((db, p) =>
  db.insertInto('sync_state').values({ key: p('key'), value: 'x', updated_at: 'now' }),
)
const listKeys = statement<Record<string, never>, { key: string }>((db) => db.selectFrom('sync_state').select('key').orderBy('key'))
const add = (tx: Tx, key: string) => tx.run(insert, { key })
const keys = async () => (await store.reader.all(listKeys, {})).map(({ key }) => key)
const failing =
  (message = 'no') =>
  () =>
    Promise.reject(new Error(message))

test('a failure leaves no trace, and the next transaction is not touched by it', async () => {
  const failed = store.transact(actor, async (tx) => {
    await add(tx, 'a')
    throw new Error('no')
  })
  const next = store.transact(actor, (tx) => add(tx, 'b'))
  await expect(failed).rejects.toThrow('no')
  await next
  expect(await keys()).toEqual(['b'])
})

test('readers see what is committed, the transaction what it wrote', async () => {
  await store.transact(actor, async (tx) => {
    await add(tx, 'a')
    expect(await keys()).toEqual([])
    expect(await tx.all(listKeys, {})).toEqual([{ key: 'a' }])
  })
  expect(await keys()).toEqual(['a'])
})

test('transactions run one after the other, in the order in which they were asked for', async () => {
  const order: number[] = []
  const runs = [0, 1, 2].map((number) =>
    store.transact(actor, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5 - number))
      order.push(number)
    }),
  )
  await Promise.all(runs)
  expect(order).toEqual([0, 1, 2])
})

test('while another connection writes, transactions wait their turn, and then see what it wrote', async () => {
  const order: string[] = []
  const lent = store.lend(async () => {
    const other = await Store.open(folder, { clock: systemClock, isOwner: false })
    await other.transact(actor, (tx) => add(tx, 'lent'))
    order.push('lent')
    await other.close()
  })
  const own = store.transact(actor, async (tx) => {
    order.push('own')
    expect((await tx.all(listKeys, {})).map(({ key }) => key)).toEqual(['lent'])
  })
  const notified = new Promise<void>((resolve) => store.onCommit(resolve))
  await Promise.all([lent, own, notified])
  expect(order).toEqual(['lent', 'own'])
  await expect(store.lend(failing('not lent'))).rejects.toThrow('not lent')
  expect(await keys()).toEqual(['lent'])
})

describe('a savepoint', () => {
  test('undoes what was done in it, and no more', async () => {
    await store.transact(actor, async (tx) => {
      await add(tx, 'before')
      await expect(
        tx.savepoint(async (inner) => {
          await add(inner, 'inside')
          await inner.savepoint((innermost) => add(innermost, 'kept by the inner'))
          throw new Error('no')
        }),
      ).rejects.toThrow('no')
      await tx.savepoint((inner) => add(inner, 'after'))
    })
    expect(await keys()).toEqual(['after', 'before'])
  })

  test('within another can fail without it', async () => {
    await store.transact(actor, (tx) =>
      tx.savepoint(async (outer) => {
        await add(outer, 'outer')
        await outer.savepoint(failing()).catch(() => undefined)
      }),
    )
    expect(await keys()).toEqual(['outer'])
  })

  test('on behalf of another is part of the same transaction', async () => {
    const failed = store.transact(actor, async (tx) => {
      await tx.as({ ...actor, user_id: 2 }).savepoint((inner) => add(inner, 'other'))
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await keys()).toEqual([])
  })

  test('is refused once the transaction has ended', async () => {
    let leaked: Tx | undefined
    await store.transact(actor, (tx) => {
      leaked = tx
      return Promise.resolve()
    })
    await expect(leaked?.savepoint(() => Promise.resolve())).rejects.toThrow('has ended')
  })
})

describe('afterCommit', () => {
  test('runs once the write is visible to all, in order, for every caller', async () => {
    const ran: string[] = []
    await store.transact(actor, async (tx) => {
      const other = tx.as({ ...actor, user_id: 2 })
      tx.afterCommit(() => ran.push('first'))
      other.afterCommit(() => ran.push('second'))
      other.as(actor).afterCommit(() => ran.push('third'))
      tx.afterCommit(() => ran.push('fourth'))
      await add(tx, 'a')
      expect(ran).toEqual([])
    })
    expect(ran).toEqual(['first', 'second', 'third', 'fourth'])
  })

  test('never runs for what was undone', async () => {
    const ran: string[] = []
    await store.transact(actor, async (tx) => {
      const other = tx.as({ ...actor, user_id: 2 })
      const fail = (name: string) => async (inner: Tx) => {
        inner.afterCommit(() => ran.push(name))
        inner.as(actor).afterCommit(() => ran.push(`${name}, by another`))
        return failing()()
      }
      other.afterCommit(() => ran.push('kept'))
      await tx.savepoint(fail('outer')).catch(() => undefined)
      await other.savepoint(fail('other')).catch(() => undefined)
    })
    await store
      .transact(actor, (tx) => {
        tx.afterCommit(() => ran.push('rolled back'))
        return failing()()
      })
      .catch(() => undefined)
    expect(ran).toEqual(['kept'])
  })

  test('that fails keeps neither the result nor the others from their way', async () => {
    const ran: string[] = []
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
    const result = await store.transact(actor, (tx) => {
      tx.afterCommit(() => {
        throw new Error('hook')
      })
      tx.afterCommit(() => ran.push('next'))
      return Promise.resolve('done')
    })
    expect([result, ran]).toEqual(['done', ['next']])
    expect((await warned).message).toBe('hook')
  })
})

test('derived data is computed once, before the commit, with everything the steps noted', async () => {
  const derived: number[][] = []
  const derive = async (tx: Tx, ids: readonly number[]) => {
    derived.push([...ids])
    await add(tx, `derived from ${ids.join(' and ')}`)
  }
  await store.transact(actor, async (tx) => {
    tx.deriveLater(derive, 7)
    await tx.savepoint((step) => Promise.resolve(step.deriveLater(derive, 3)))
    tx.as({ ...actor, user_id: 2 }).deriveLater(derive, 7)
    expect(derived).toEqual([])
  })
  expect(derived).toEqual([[7, 3]])
  expect(await keys()).toEqual(['derived from 7 and 3'])
})

test('what cannot be derived keeps the whole transaction from being stored', async () => {
  const failed = store.transact(actor, async (tx) => {
    await add(tx, 'a')
    tx.deriveLater(failing(), 1)
  })
  await expect(failed).rejects.toThrow('no')
  expect(await keys()).toEqual([])
})

test('the revision changes with every commit, and kept results with it', async () => {
  const countOf = () => {
    const query = store.reader.db.selectFrom('sync_state').select(({ fn }) => fn.countAll<number>().as('count'))
    return store.reader.remember(query.compile(), () => query.executeTakeFirstOrThrow())
  }
  const seen = new Set<number>()
  for (let count = 0; count < 3; count += 1) {
    expect(await countOf()).toEqual({ count })
    expect(await countOf()).toBe(await countOf())
    seen.add(store.revision())
    await store.transact(actor, (tx) => add(tx, `key-${count}`))
  }
  expect(seen.size).toBe(3)
})

test('what is read apart is of all that has been committed, and others have their turns meanwhile', async () => {
  const keysApart = async () => {
    const query = store.reader.db.selectFrom('sync_state').select('key').orderBy('key')
    return (await store.reader.allApart(query.compile())).map(({ key }) => key)
  }
  const added: string[] = []
  for (const key of ['a', 'b', 'c']) {
    await store.transact(actor, (tx) => add(tx, key))
    added.push(key)
    expect(await keysApart()).toEqual(added)
  }
  const long = sql<{ count: number }>`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2000000)
    select count(*) as count from numbers`.compile(store.reader.db)
  let turns = 0
  let isRead = false
  const read = store.reader.allApart(long).finally(() => (isRead = true))
  for (; !isRead; turns += 1) await immediately()
  expect(await read).toEqual([{ count: 2_000_000 }])
  expect(turns).toBeGreaterThan(20)
})

test('what is being read apart is read to its end before the store is closed', async () => {
  const counted = [400_000, 300_000, 200_000]
  const reads = counted.map((count) =>
    store.reader.allApart(
      sql<{ count: number }>`
        with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
        select count(*) as count from numbers`.compile(store.reader.db),
    ),
  )
  const [responses] = await Promise.all([Promise.allSettled(reads), store.close()])
  expect(responses).toEqual(counted.map((count) => ({ status: 'fulfilled', value: [{ count }] })))
  store = await Store.open(folder, { clock: systemClock, isOwner: true, readsApart: true })
})

test('another process may write at the same time: both get their turn, and each sees the other', async () => {
  const script = `
    const raw = new (require('better-sqlite3'))(process.argv[1]); raw.pragma('busy_timeout = 15000')
    const pause = new Int32Array(new SharedArrayBuffer(4))
    console.log('ready')
    for (let row = 0; row < 40; row += 1) {
      raw.exec('BEGIN IMMEDIATE')
      raw.prepare("INSERT INTO sync_state VALUES (?, 'x', 'now')").run('child-' + row)
      Atomics.wait(pause, 0, 0, 5)
      raw.exec('COMMIT')
    }`
  const child = spawn(process.execPath, ['-e', script, join(folder, 'outlay.db')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  const revision = store.revision()
  await Promise.all(Array.from({ length: 40 }, (_, row) => store.transact(actor, (tx) => add(tx, `own-${row}`))))
  expect(await ended).toEqual([0, null])
  const all = await keys()
  expect(all.filter((key) => key.startsWith('own'))).toHaveLength(40)
  expect(all.filter((key) => key.startsWith('child'))).toHaveLength(40)
  expect(store.revision()).not.toBe(revision)
})

test('a request sees what another connection committed before it, also where the reads before it are of one moment still', async () => {
  await store.transact(actor, (tx) => add(tx, 'a'))
  const other = new Database(join(folder, 'outlay.db'))
  const arrive = (resolve: (seen: Promise<string[]>) => void) => {
    const soon = performance.now() + 3
    other.exec(`INSERT INTO sync_state (key, value, updated_at) VALUES ('b', 'x', 'now')`)
    setTimeout(() => resolve(store.asRequest(keys)), 1)
    while (performance.now() < soon);
  }
  // What is read after I/O is of one moment until after the next I/O.
  await immediately()
  await keys()
  expect(await new Promise<string[]>(arrive)).toEqual(['a', 'b'])
  other.close()
})
