import { mkdir, readFile, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { createRecoveries } from '#main/snapshots/recoveries'
import { listReports } from '#main/snapshots/reports'
import { StartFault } from '#main/snapshots/start-fault'
import { inForm } from '#test/support/form'
import {
  asideOf,
  expectNothingLost,
  expectRecovered,
  flip,
  hashes,
  inSnapshot,
  log,
  makeTemplate,
  of,
  removeTemplate,
  rewrite,
  start,
  startAfter,
  uids,
} from '#test/support/spoiled'

beforeAll(makeTemplate)
afterAll(removeTemplate)

test('an intact folder opens unchanged, with all that was acknowledged', async () => {
  await startAfter(
    () => Promise.resolve(),
    async ({ folder, opened }) => {
      expect(await asideOf(folder)).toBeUndefined()
      expect(opened instanceof StartFault ? [] : await uids(opened)).toHaveLength(41)
    },
  )
})

describe('whatever bytes are flipped', () => {
  const places = fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), with: fc.integer({ min: 1, max: 255 }) }), {
    minLength: 1,
    maxLength: 40,
  })
  test.each(['outlay.db', 'outlay.db-wal'])(
    'in %s',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(places, (flips) => startAfter((folder) => flip(join(folder, name), flips), expectNothingLost)),
        { numRuns: Number(process.env.FLIPS ?? inForm(4, 15)) },
      )
    },
    60_000,
  )
})

describe('recovers from', () => {
  const spoils: Record<string, (folder: string) => Promise<unknown>> = {
    'a database that is none': (folder) => writeFile(of(folder), 'this is a text, and no database at all. '.repeat(300)),
    'an empty file': (folder) => truncate(of(folder), 0),
    'half a database': async (folder) => truncate(of(folder), Math.floor((await stat(of(folder))).size / 8192) * 4096),
    'pages of zeros': async (folder) => {
      const content = await readFile(of(folder))
      await writeFile(of(folder), content.fill(0, content.length / 2))
    },
    'a database that is gone': (folder) => rm(of(folder)),
    'a log whose middle is spoiled': async (folder) => flip(of(folder, '-wal'), [{ at: 0.02, with: 1 }]),
    'a log whose head is spoiled': async (folder) => flip(of(folder, '-wal'), [{ at: 0, with: 0xff }]),
  }
  test.each(Object.entries(spoils))('%s', async (_name, spoil) => {
    await startAfter(
      async (folder) => void (await spoil(folder)),
      async (outcome) => void (await expectRecovered(outcome)),
    )
  })

  test('a log that is gone, where the database has less than its snapshot', async () => {
    await startAfter(
      async (folder) => {
        for (const suffix of ['-wal', '-shm']) await rm(of(folder, suffix))
      },
      async (outcome) => expectNothingLost(outcome),
    )
  })

  test('spoiled snapshots, by the newest that is sound', async () => {
    await startAfter(
      async (folder) => {
        await truncate(of(folder), 5000)
        const [, newest = ''] = (await readdir(join(folder, 'snapshots'))).sort()
        await truncate(join(folder, 'snapshots', newest), 20_000)
      },
      async ({ opened }) => expect(opened instanceof StartFault ? [] : await uids(opened)).toEqual(inSnapshot.slice(0, -1)),
    )
  })
})

const spoilSnapshots = async (folder: string) => {
  for (const name of await readdir(join(folder, 'snapshots'))) await writeFile(join(folder, 'snapshots', name), 'nothing')
}

describe('where no snapshot is good', () => {
  test('a server refuses to start and touches nothing', async () => {
    await startAfter(
      async (folder) => {
        await truncate(of(folder), 5000)
        await spoilSnapshots(folder)
      },
      async (outcome) => {
        expect(outcome.opened).toMatchObject({ kind: 'damaged' })
        await expectNothingLost(outcome)
        expect(await asideOf(outcome.folder)).toBeUndefined()
      },
    )
  })

  test('with --recover it starts over, and keeps the damaged database', async () => {
    await startAfter(
      async (folder) => {
        await truncate(of(folder), 5000)
        await spoilSnapshots(folder)
      },
      async ({ folder, before }) => {
        const app = await start(folder, true)
        expect(app instanceof StartFault ? ['fault'] : await uids(app)).toEqual([])
        expect(await listReports(folder)).toMatchObject([{ state: 'done', snapshot_taken_at: null }])
        expect(await hashes(join(folder, (await asideOf(folder)) ?? ''))).toEqual(before)
        if (!(app instanceof StartFault)) await app.close()
      },
    )
  })
})

test('a start that was interrupted at any step continues where it was', async () => {
  for (const step of ['the report', 'the log', 'all of the damaged', 'the snapshot in place'] as const)
    await startAfter(
      async (folder) => {
        await truncate(of(folder), 5000)
        await mkdir(join(folder, 'restoring-cut'))
        const [aside, report] = [join(folder, 'damaged-cut'), join(folder, 'damaged-cut', 'recovery.json')]
        const whole = await start(folder)
        if (!(whole instanceof StartFault)) await whole.close()
        await undoTo(folder, { aside, report, step })
      },
      async ({ folder, opened }) => {
        expect(await readdir(folder)).not.toContain('restoring-cut')
        expect(opened instanceof StartFault ? [] : await uids(opened)).toEqual(inSnapshot)
        expect(await listReports(folder)).toMatchObject([{ id: expect.any(String), state: 'done', snapshot_taken_at: expect.any(String) }])
      },
    )
})

test('a start that was cut off before it had written anything down leaves nothing', async () => {
  await startAfter(
    async (folder) => {
      await truncate(of(folder), 5000)
      for (const name of ['damaged-20200101T000000000Z', 'damaged-20200102T000000000Z']) await mkdir(join(folder, name))
      await writeFile(join(folder, 'damaged-20200102T000000000Z', 'recovery.json.part'), '{')
    },
    async (outcome) => {
      await expectRecovered(outcome)
      expect((await readdir(outcome.folder)).filter((name) => /^damaged-2020/.test(name))).toEqual([])
    },
  )
})

/** A recovery that has ended, taken back to one of its steps. */
async function undoTo(folder: string, { aside, report, step }: { aside: string; report: string; step: string }): Promise<void> {
  await rename(join(folder, (await asideOf(folder)) ?? ''), aside)
  await writeFile(report, JSON.stringify({ ...JSON.parse(await readFile(report, 'utf8')), id: 'damaged-cut', state: 'moving' }))
  if (step === 'the snapshot in place') return
  for (const suffix of ['', '-wal', '-shm']) await rm(of(folder, suffix), { force: true })
  if (step === 'all of the damaged') return
  await rename(of(aside), of(folder))
  if (step === 'the report') await rename(of(aside, '-wal'), of(folder, '-wal'))
}

test.each([
  [
    'a table of which is nowhere',
    async (folder: string) => rewrite(folder, "UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'tags'"),
  ],
  [
    'whose head is gone',
    async (folder: string) => {
      rewrite(folder, 'SELECT count(*) FROM sqlite_schema')
      await writeFile(of(folder), (await readFile(of(folder))).fill(0, 0, 4096))
    },
  ],
])('missing records are recovered from a database %s, and shown until someone confirms', async (_name, spoil) => {
  await startAfter(spoil, async (outcome) => {
    const aside = await expectRecovered(outcome)
    const recoveries = createRecoveries({ data_folder: outcome.folder, clock: systemClock, log })
    await expect.poll(async () => (await recoveries.list())[0]?.missing).not.toBeNull()
    const [told] = await recoveries.list()
    expect(told?.missing).toMatchObject({ is_complete: true, counts: { expenses: 20 } })
    expect(told?.missing?.expenses.map(({ description, change }) => `${change} ${description}`)).toEqual(
      Array.from({ length: 20 }, (_, index) => `insert After ${index}`),
    )
    const rows = JSON.parse(await readFile(join(aside, 'missing.json'), 'utf8'))
    expect(rows.expenses).toHaveLength(20)
    await expectNothingLost(outcome)
    expect(await recoveries.acknowledge(told?.id ?? '')).toBe(true)
    expect(await recoveries.list()).toEqual([])
    expect(await recoveries.acknowledge(told?.id ?? '')).toBe(false)
  })
})
