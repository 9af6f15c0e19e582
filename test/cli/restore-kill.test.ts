import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { findBlobProblems } from '#main/commands/blob-problems'
import { openSettings } from '#main/snapshots/open-settings'
import { openOrRecover } from '#main/snapshots/recover'
import { createBlobStore } from '#main/files/blob-store'
import { Store } from '#main/store/core/store'
import { makeDemo, makeTemporaryFolder, runProgram } from '#test/support/built-program'
import { inForm } from '#test/support/form'
import { killPoints, traceRun, whyNotTraced } from '#test/support/kill-points'
import { log } from '#test/support/spoiled'

/** `npm run torture -- restores [COUNT]` kills after every single change of the disk, or after COUNT of each restore, evenly spread. */
const isTorture = process.env.TORTURE === 'restores'
const most = isTorture ? Number(process.env.TORTURE_COUNT ?? Infinity) : inForm(5, 20)
const timeout = isTorture ? 3_600_000 : 300_000

let scratch: string
let live: string
let backup: string
let snapshot: string
beforeAll(async () => {
  if (whyNotTraced !== undefined) return
  scratch = await makeTemporaryFolder()
  const other = join(scratch, 'other')
  live = join(scratch, 'live')
  backup = join(scratch, 'backup.tar')
  snapshot = join(scratch, 'snapshot.db')
  await makeDemo(other)
  writeFileSync(join(other, 'settings.json'), JSON.stringify({ OUTLAY_BUCKET_REGION: 'eu-111' }))
  await runProgram('backup', backup, '--data', other)
  cpSync(other, live, { recursive: true })
  const store = await Store.open(live, { clock: systemClock, isOwner: false })
  await store.copyTo(snapshot)
  await store.close()
  writeFileSync(join(live, 'settings.json'), JSON.stringify({ OUTLAY_BUCKET_REGION: 'eu-222' }))
  await runProgram('init', '--add', '--organization', 'Live', '--name', 'Lia', '--email', 'l@example.org', '--data', live)
})
afterAll(() => whyNotTraced ?? rmSync(scratch, { recursive: true, force: true }))

/** Which data a start of a folder serves, and whether they are whole. */
async function describeStart(folder: string): Promise<string> {
  const settings = await openSettings(folder, { env: {}, clock: systemClock })
  const snapshots = join(folder, 'snapshots')
  const store = await openOrRecover({ data_folder: folder, snapshots, clock: systemClock, log, startsOver: false })
  try {
    const names = (await store.reader.db.selectFrom('organizations').select('name').execute()).map(({ name }) => name)
    const blobs = createBlobStore(folder, { randomId: () => systemClock.uid() })
    const problems = [...store.problems(), ...(await findBlobProblems(store, blobs))]
    if (problems.length > 0) return problems.join(' ')
    return `${names.includes('Live') ? 'live' : 'restored'} with settings ${settings.OUTLAY_BUCKET_REGION}`
  } finally {
    await store.close()
  }
}

const title = whyNotTraced === undefined ? '' : ` (skipped: ${whyNotTraced})`

test.runIf(whyNotTraced === undefined).each([
  ['a backup', () => backup, 'restored with settings eu-111'],
  ['a snapshot', () => snapshot, 'restored with settings eu-222'],
])(
  `killed whenever it restores %s, the next start serves all of what was there or of what is restored${title}`,
  { timeout },
  async (_, file, restored) => {
    const folder = join(scratch, 'traced')
    rmSync(folder, { recursive: true, force: true })
    cpSync(live, folder, { recursive: true })
    const run = await traceRun(['restore', file()], { scratch, folder })
    expect(run.code).toBe(0)
    const found: string[] = []
    const to = join(scratch, 'killed')
    for (const _point of killPoints(run, { to, most })) found.push(await describeStart(to).catch(String))
    if (isTorture)
      console.log(
        `${found.length} kills`,
        Object.entries(Object.groupBy(found, (one) => one)).map(([one, all]) => `${all?.length}: ${one}`),
      )
    expect([...new Set(found)].sort()).toEqual(['live with settings eu-222', restored])
  },
)

test.runIf(whyNotTraced === undefined)(
  `a command completes an interrupted restore before it reads anything${title}`,
  { timeout },
  async () => {
    const folder = join(scratch, 'interrupted')
    cpSync(live, folder, { recursive: true })
    const run = await traceRun(['restore', backup], { scratch, folder })
    const to = join(scratch, 'killed')
    const points = killPoints(run, { to })
    for (const _point of points) if (existsSync(join(to, 'restore.json')) && !existsSync(join(to, 'outlay.db'))) break
    expect(existsSync(join(to, 'outlay.db'))).toBe(false)
    const { code, stdout } = await runProgram('export', 'expenses', '--data', to)
    expect(code).toBe(0)
    expect(stdout).toContain('external_id')
    expect(readFileSync(join(to, 'settings.json'), 'utf8')).toContain('111')
    expect(existsSync(join(to, 'restore.json'))).toBe(false)
  },
)

test.runIf(whyNotTraced === undefined)('a folder with files but no database is no new instance', async () => {
  const folder = join(scratch, 'bare')
  cpSync(live, folder, { recursive: true })
  rmSync(join(folder, 'outlay.db'))
  await expect(describeStart(folder)).rejects.toMatchObject({ kind: 'missing', message: expect.stringContaining('outlay restore') })
  const args = ['--organization', 'New', '--name', 'Noa', '--email', 'n@example.org', '--data', folder]
  expect(await runProgram('init', ...args)).toMatchObject({ code: 1, stderr: expect.stringContaining('no database') })
  expect(existsSync(join(folder, 'outlay.db'))).toBe(false)
  expect((await runProgram('restore', backup, '--data', folder)).code).toBe(0)
  expect(await describeStart(folder)).toBe('restored with settings eu-111')
})
