import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '#main/app'
import { systemClock } from '#main/clock'
import { createHealth } from '#main/monitoring/health'
import { createSnapshotKeeper, type SnapshotKeeper } from '#main/snapshots/keeper'
import { listSnapshots, outdatedSnapshots, rotation, snapshotName } from '#main/snapshots/snapshot-files'
import { recordExpense } from '#test/support/expenses'
import { type Instance, startInstance } from '#test/support/instance'

let instance: Instance
let keeper: SnapshotKeeper
let folder: string
beforeEach(async () => {
  instance = await startInstance()
  folder = join(instance.folder, 'snapshots')
  keeper = keeperOf(instance)
})
afterEach(async () => {
  await keeper.close()
  await instance.remove()
})

function keeperOf({ app, folder: data_folder }: Instance): SnapshotKeeper {
  const log = createLog({ OUTLAY_LOG: 'silent' })
  return createSnapshotKeeper({ store: app.store, clock: systemClock, log, data_folder, folder, everyMs: 0 })
}

function countExpenses(path: string): unknown {
  const raw = new Database(path, { readonly: true })
  try {
    expect(raw.pragma('quick_check', { simple: true })).toBe('ok')
    return raw.prepare('SELECT count(*) FROM expenses').pluck().get()
  } finally {
    raw.close()
  }
}

test('a snapshot is one sound file of what was there at one moment, made while others write', async () => {
  for (let count = 0; count < 5; count += 1) await recordExpense(instance, instance.member)
  const making = keeper.make()
  let written = 5
  let isMade = false
  void making.finally(() => (isMade = true))
  while (!isMade) {
    await recordExpense(instance, instance.member)
    written += 1
  }
  const path = (await making) ?? ''
  expect(countExpenses(path)).toBeGreaterThanOrEqual(5)
  expect(countExpenses(path)).toBeLessThanOrEqual(written)
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^outlay-.+\.db$/)])
})

test('one that cannot be made is counted and in the warnings of the ready instance, until one is made', async () => {
  const health = createHealth({
    store: instance.app.store,
    data_folder: instance.folder,
    makesSnapshots: () => !keeper.failures().isFailing,
  })
  await writeFile(folder, 'a file in the place of the folder')
  expect(await keeper.make()).toBeNull()
  expect(keeper.failures()).toEqual({ count: 1, isFailing: true })
  expect({ troubles: await health.troubles(), warnings: health.warnings() }).toEqual({ troubles: [], warnings: ['snapshots'] })
  await rm(folder)
  expect(await keeper.make()).not.toBeNull()
  expect(keeper.failures()).toEqual({ count: 1, isFailing: false })
  expect(health.warnings()).toEqual([])
})

test('a folder of snapshots that cannot be written is found at the start', async () => {
  const path = join(instance.folder, 'a file')
  await writeFile(path, '')
  const settings = { OUTLAY_SNAPSHOT_FOLDER: join(path, 'snapshots'), OUTLAY_SNAPSHOT_MINUTES: 15 }
  await expect(startInstance({ settings, database: 'sqlite' })).rejects.toThrow(/OUTLAY_SNAPSHOT_FOLDER is not valid: .*ENOTDIR/)
})

test('without a change since the last one none is made', async () => {
  expect(await keeper.make()).not.toBeNull()
  // What the program still had to do after the set-up may have been a change.
  await expect.poll(() => keeper.make()).toBeNull()
  await recordExpense(instance, instance.member)
  expect(await keeper.make()).not.toBeNull()
})

test('what a snapshot that was cut off left is gone with the next one', async () => {
  await mkdir(folder, { recursive: true })
  for (const name of ['making.db', 'making.db-journal']) await writeFile(join(folder, name), 'half')
  const path = (await keeper.make()) ?? ''
  expect(countExpenses(path)).toBe(0)
  expect(await readdir(folder)).toHaveLength(1)
})

test('a database that is damaged leaves no snapshot, and takes none away', async () => {
  await recordExpense(instance, instance.member)
  const good = await keeper.make()
  const raw = new Database(join(instance.folder, 'outlay.db'))
  raw.unsafeMode(true)
  raw.pragma('writable_schema = ON')
  raw.exec("UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'tags'")
  raw.close()
  expect(await keeper.make()).toBeNull()
  expect((await listSnapshots(folder)).map(({ path }) => path)).toEqual([good])
})

test('closing ends a snapshot that is being made, and leaves none', async () => {
  await mkdir(folder, { recursive: true })
  const making = keeper.make()
  await keeper.close()
  await making
  expect((await readdir(folder)).filter((name) => name.startsWith('making'))).toEqual([])
})

describe('rotation', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const ages = fc.array(fc.record({ minutes: fc.integer({ min: 0, max: 30 * 1440 }), bytes: fc.integer({ min: 1, max: 1024 ** 3 }) }))
  const files = ages.map((all) =>
    all
      .map(({ minutes, bytes }) => ({ path: '', taken_at: new Date(now.getTime() - minutes * 60_000), bytes }))
      .sort((a, b) => b.taken_at.getTime() - a.taken_at.getTime()),
  )

  test('keeps the newest two always, no more than it says, and each day’s last as long as there is room', () => {
    fc.assert(
      fc.property(files, (all) => {
        const gone = new Set(outdatedSnapshots(all, now))
        const kept = all.filter((one) => !gone.has(one))
        expect(kept.slice(0, 2)).toEqual(all.slice(0, 2))
        expect(kept.length).toBeLessThanOrEqual(rotation.newest + rotation.days)
        const total = all.reduce((sum, { bytes }) => sum + bytes, 0)
        if (total > rotation.bytes) return
        expect(kept.slice(0, rotation.newest)).toEqual(all.slice(0, rotation.newest))
        const days = (some: typeof all) => new Set(some.map(({ taken_at }) => taken_at.toISOString().slice(0, 10)))
        for (const day of days(all)) if (day >= '2026-11-15') expect(days(kept)).toContain(day)
      }),
    )
  })

  test('pruning twice removes nothing more', () => {
    fc.assert(
      fc.property(files, (all) => {
        const gone = new Set(outdatedSnapshots(all, now))
        expect(
          outdatedSnapshots(
            all.filter((one) => !gone.has(one)),
            now,
          ),
        ).toEqual([])
      }),
    )
  })

  test('reads the time of a snapshot from its name', async () => {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, snapshotName(now)), 'x')
    await writeFile(join(folder, 'notes.txt'), 'x')
    expect(await listSnapshots(folder)).toEqual([{ path: join(folder, snapshotName(now)), taken_at: now, bytes: 1 }])
  })
})
