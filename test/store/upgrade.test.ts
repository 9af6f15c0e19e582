import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { openOrRecover } from '#main/snapshots/recover'
import { listSnapshots } from '#main/snapshots/snapshot-files'
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
