import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { openOrRecover } from '#main/snapshots/recover'
import { listSnapshots } from '#main/snapshots/snapshot-files'
import { registerRowSum, sumAllRows } from '#main/store/core/row-sums'
import type { Store } from '#main/store/core/store'
import { makeOldFolder, schemas } from '#test/support/old-schema'
import { log } from '#test/support/spoiled'

let folder: string
let snapshots: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outlay-upgrade-'))
  snapshots = join(folder, 'snapshots')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const start = (): Promise<Store> => openOrRecover({ data_folder: folder, snapshots, clock: systemClock, log, startsOver: true })

function look(path: string): { schema: number; expenses: number } {
  const raw = new Database(path, { readonly: true })
  try {
    return {
      schema: Number(raw.pragma('user_version', { simple: true })),
      expenses: Number(raw.prepare('SELECT count(*) FROM expenses').pluck().get()),
    }
  } finally {
    raw.close()
  }
}

test('an upgrade keeps a snapshot of what it found, a new folder none', async () => {
  await (await start()).close()
  expect(await listSnapshots(snapshots)).toEqual([])
  rmSync(join(folder, 'outlay.db'))
  await makeOldFolder(folder, { schema: 3, expenses: 20 })
  await (await start()).close()
  expect(look(join(folder, 'outlay.db'))).toEqual({ schema: schemas, expenses: 20 })
  const [kept] = await listSnapshots(snapshots)
  expect(look(kept?.path ?? '')).toEqual({ schema: 3, expenses: 20 })
  await (await start()).close()
  expect(await listSnapshots(snapshots)).toHaveLength(1)
})

test('an upgrade that fails is no damage: the data stay as they are, and no snapshot takes their place', async () => {
  await makeOldFolder(folder, { schema: 4, expenses: 20 })
  const file = join(folder, 'outlay.db')
  const raw = new Database(file)
  // Something that the next migration makes is there already.
  raw.exec('CREATE TABLE captures (id INTEGER)')
  raw.close()
  cpSync(file, `${file}.before`)
  await expect(start()).rejects.toMatchObject({
    kind: 'not_upgraded',
    message: expect.stringMatching(/could not be upgraded.*captures already exists.*Nothing was changed/),
  })
  expect(look(file)).toEqual(look(`${file}.before`))
  const tables = (path: string) => {
    const opened = new Database(path, { readonly: true })
    const names = opened.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all()
    opened.close()
    return names
  }
  expect(tables(file)).toEqual(tables(`${file}.before`))
  expect(readFileSync(file).length).toBe(readFileSync(`${file}.before`).length)
})

test('rates per distance stay, and ids that replicas have leased for others are not given twice', async () => {
  await makeOldFolder(folder, { schema: 42, expenses: 1 })
  const raw = new Database(join(folder, 'outlay.db'))
  raw.exec(`INSERT INTO distance_rules (id, uid, created_at, updated_at, organization_id, amount_minor, currency, distance_kind, amount_millionths)
    VALUES (3, 'a-rate', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 1, 65, 'USD', 'mi', 5000);
    UPDATE sqlite_sequence SET seq = 500 WHERE name = 'distance_rules'`)
  registerRowSum(raw)
  sumAllRows(raw)
  raw.close()
  await (await start()).close()
  const after = new Database(join(folder, 'outlay.db'), { readonly: true })
  const [rule] = after.prepare('SELECT * FROM distance_rules').all()
  expect(rule).toMatchObject({ id: 3, uid: 'a-rate', amount_minor: 65, amount_millionths: 5000, valid_from: null })
  expect(after.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'distance_rules'`).pluck().all()).toEqual([500])
  after.close()
})
