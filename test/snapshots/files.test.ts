import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm, truncate, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { createRecoveries } from '#main/snapshots/recoveries'
import { StartFault } from '#main/snapshots/start-fault'
import { runProgram } from '#test/support/built-program'
import { xmlFile } from '#test/support/sample-files'
import { asideOf, expectRecovered, log, makeTemplate, of, removeTemplate, start, startAfter } from '#test/support/spoiled'

beforeAll(makeTemplate)
afterAll(removeTemplate)

const hashOf = (id: string) => createHash('sha256').update(xmlFile({ id }).bytes).digest('hex')
const [named, unnamed] = [hashOf('before'), hashOf('after')]
const pathOf = (folder: string, sha256: string) => join(folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
const doctor = async (folder: string, ...args: string[]) => (await runProgram('doctor', '--data', folder, ...args)).result

test('a report lists uploaded files that are gone, and those that only the damaged database names', async () => {
  await startAfter(
    async (folder) => {
      await truncate(of(folder), 5000)
      await rm(pathOf(folder, named))
    },
    async (outcome) => {
      const aside = await expectRecovered(outcome)
      const recoveries = createRecoveries({ data_folder: outcome.folder, clock: systemClock, log })
      await expect.poll(async () => (await recoveries.list())[0]?.missing).not.toBeNull()
      expect((await recoveries.list())[0]?.missing).toMatchObject({ files_missing: 1, files_unnamed: 1, file: 'missing.json' })
      expect(JSON.parse(await readFile(join(aside, 'missing.json'), 'utf8'))).toMatchObject({
        files_missing: [named],
        files_unnamed: [unnamed],
      })
    },
  )
})

test('files that only a damaged database names are kept, acknowledged or not, until its folder is gone', async () => {
  await startAfter(
    (folder) => truncate(of(folder), 5000),
    async ({ folder }) => {
      const longAgo = new Date('2020-01-01T00:00:00Z')
      for (const sha256 of [named, unnamed]) await utimes(pathOf(folder, sha256), longAgo, longAgo)
      const recoveries = createRecoveries({ data_folder: folder, clock: systemClock, log })
      for (const { id } of await recoveries.list()) await recoveries.acknowledge(id)
      expect(await doctor(folder, '--fix')).toMatchObject({ ok: true, problems: [] })
      expect(existsSync(pathOf(folder, unnamed))).toBe(true)
      await rm(join(folder, (await asideOf(folder)) ?? ''), { recursive: true })
      expect(await doctor(folder, '--fix')).toMatchObject({ ok: true, fixed: [expect.stringContaining(unnamed)] })
      expect([named, unnamed].map((sha256) => existsSync(pathOf(folder, sha256)))).toEqual([true, false])
    },
  )
})

test('a report that cannot be read holds up no start', async () => {
  await startAfter(
    async (folder) => {
      await truncate(of(folder), 5000)
      const first = await start(folder)
      if (!(first instanceof StartFault)) await first.close()
      await truncate(join(folder, (await asideOf(folder)) ?? '', 'recovery.json'), 20)
    },
    ({ opened }) => Promise.resolve(expect(opened).not.toBeInstanceOf(StartFault)),
  )
})
