import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as immediately } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { listStatement, statement } from '#main/store/core/statement'
import { type Actor, type Reader, Store } from '#main/store/core/store'
import { placeMigrated } from '#test/support/databases/migrated-file'
import { inForm } from '#test/support/form'

let folder: string
let store: Store
/** As a command has it that works on the folder of a running server. */
let command: Store
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'outlay-kept-'))
  await placeMigrated(folder)
  store = await Store.open(folder, { clock: systemClock, isOwner: true })
  command = await Store.open(folder, { clock: systemClock, isOwner: false })
})
afterEach(async () => {
  await command.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const actor: Actor = { user_id: 1, origin: 'test', request_id: null, if_match: null }
const keys = ['a', 'b', 'c'] as const
type Key = (typeof keys)[number]
interface State {
  readonly key: string
  readonly value: string
}

const put = statement<State, unknown>((db, p) =>
  db
    .insertInto('sync_state')
    .values({ key: p('key'), value: p('value'), updated_at: 'now' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') }))),
)
const remove = statement<{ key: string }, unknown>((db, p) => db.deleteFrom('sync_state').where('key', '=', p('key')))
const plain = statement<{ key: string }, State>((db, p) => db.selectFrom('sync_state').select(['key', 'value']).where('key', '=', p('key')))
const kept = statement<{ key: string }, State>(
  (db, p) => db.selectFrom('sync_state').select(['key', 'value']).where('key', '=', p('key')),
  { isKept: true },
)
const keptList = listStatement<string, State>((db, ids) => db.selectFrom('sync_state').select(['key', 'value']).where('key', 'in', ids), {
  keptBy: 'key',
})

type Step =
  | { readonly kind: 'put'; readonly by: 'server' | 'command'; readonly key: Key; readonly value: string; readonly fails: boolean }
  | { readonly kind: 'remove'; readonly by: 'server' | 'command'; readonly key: Key }
  | { readonly kind: 'read' | 'turn' }

const key = fc.constantFrom(...keys)
const by = fc.constantFrom('server' as const, 'command' as const)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), by, key, value: fc.string({ maxLength: 3 }), fails: fc.boolean() }),
  fc.record({ kind: fc.constant('remove' as const), by, key }),
  fc.record({ kind: fc.constantFrom('read' as const, 'turn' as const) }),
)

/** What every key holds, asked in each way at the same moment. */
async function readEach(reader: Reader) {
  const list = await reader.allOf(keptList, [...keys, 'a'])
  return Promise.all(
    keys.map(async (one) => ({
      plain: await reader.first(plain, { key: one }),
      kept: await reader.first(kept, { key: one }),
      rows: await reader.all(kept, { key: one }),
      listed: list.filter((row) => row.key === one),
    })),
  )
}

async function expectSame(reader: Reader) {
  for (const { plain, kept, rows, listed } of await readEach(reader)) {
    expect(kept).toEqual(plain)
    expect(rows).toEqual(plain ? [plain] : [])
    expect(listed).toEqual(rows)
  }
}

test('what is kept is what was committed last, by this process or another', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      for (const one of steps) {
        if (one.kind === 'turn') await immediately()
        if (one.kind === 'read') await expectSame(store.reader)
        if (one.kind === 'remove') await (one.by === 'server' ? store : command).transact(actor, (tx) => tx.run(remove, one))
        if (one.kind !== 'put') continue
        const written = (one.by === 'server' ? store : command).transact(actor, async (tx) => {
          await tx.run(put, { key: one.key, value: one.value })
          // A write sees itself, although nobody else does yet.
          expect(await tx.first(kept, one)).toEqual({ key: one.key, value: one.value })
          if (one.fails) throw new Error('undone')
        })
        await (one.fails ? expect(written).rejects.toThrow('undone') : written)
      }
      await immediately()
      await expectSame(store.reader)
    }),
    { numRuns: inForm(40, 150) },
  )
})

test('a write of this process is seen by the next read', async () => {
  for (const value of ['1', '2', '3']) {
    await store.transact(actor, (tx) => tx.run(put, { key: 'a', value }))
    expect((await store.reader.first(kept, { key: 'a' }))?.value).toBe(value)
  }
})

test('nobody changes a row that others are given', async () => {
  await store.transact(actor, (tx) => tx.run(put, { key: 'a', value: '1' }))
  const row = await store.reader.first(kept, { key: 'a' })
  expect(() => Object.assign(row ?? {}, { value: '2' })).toThrow(TypeError)
  const rows = await store.reader.all(kept, { key: 'a' })
  rows.length = 0
  expect(await store.reader.all(kept, { key: 'a' })).toHaveLength(1)
})
