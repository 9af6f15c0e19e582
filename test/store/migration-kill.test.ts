import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { openOrRecover } from '#main/snapshots/recover'
import type { Store } from '#main/store/core/store'
import { inForm } from '#test/support/form'
import { killPoints, traceRun, whyNotTraced } from '#test/support/kill-points'
import { makeOldFolder, schemas } from '#test/support/old-schema'
import { log } from '#test/support/spoiled'
import { folderOfFile } from '#test/support/of-file'

/** `npm run torture -- starts [COUNT]` kills after every single change of the disk, or after COUNT of each start, evenly spread. */
const isTorture = process.env.TORTURE === 'starts'
const most = isTorture ? Number(process.env.TORTURE_COUNT ?? Infinity) : inForm(4, 12)
/** Of older schemas than the last five, every fourth is killed so often, unless by `torture`: their number grows with each migration. The short form upgrades from the first schema and from the last. */
const mostOfOld = isTorture ? most : inForm(2, 4)
const isOld = (schema: number) => schema < schemas - 5
const killed = Array.from({ length: schemas - 1 }, (_, index) => index + 1).filter(
  (schema) => isTorture || inForm(schema === 1 || schema === schemas - 1, !isOld(schema) || schema % 4 === 1),
)
const expenses = 300

const scratch = folderOfFile('outlay-starts-')

/** The data part of a start, as the server does it. */
function start(data_folder: string): Promise<Store> {
  const snapshots = join(data_folder, 'snapshots')
  return openOrRecover({ data_folder, snapshots, clock: systemClock, log, startsOver: false })
}

async function count({ reader }: Store): Promise<number> {
  return (await reader.db.selectFrom('expenses').select('id').execute()).length
}

/** Starts on the folder of every kill; answers what is wrong with each of them. */
async function startAfterEach(
  args: readonly string[],
  { folder, wanted, until, kills: asked = most }: { folder: string; wanted: number; until?: string; kills?: number },
) {
  const run = await traceRun(args, { scratch, folder, ...(until && { until }) })
  const wrong: string[] = []
  let kills = 0
  const to = join(scratch, 'killed')
  for (const { at } of killPoints(run, { to, most: asked })) {
    kills += 1
    const found = await start(to).then(
      (store) => count(store).finally(() => store.close()),
      (error: unknown) => String(error),
    )
    if (found !== wanted) wrong.push(`after change ${at}: ${found} of ${wanted} expenses`)
  }
  if (isTorture) console.log(`${args[0] ?? ''}: ${kills} kills, ${wrong.length} wrong`, wrong)
  return { kills, wrong }
}

const title = whyNotTraced === undefined ? '' : ` (skipped: ${whyNotTraced})`
const timeout = isTorture ? 3_600_000 : 300_000

describe.runIf(whyNotTraced === undefined)(`whenever it is killed${title}`, () => {
  test.each([
    ['a first start', ['serve', '--port', '0'], '\n'],
    ['outlay init', ['init', '--organization', 'Acme', '--name', 'Ada Admin', '--email', 'ada@example.org'], undefined],
  ])('in %s, the next start opens the folder', { timeout }, async (_, args, until) => {
    const folder = join(scratch, `first-${args[0] ?? ''}`)
    const { kills, wrong } = await startAfterEach(args, { folder, wanted: 0, ...(until && { until }) })
    expect(kills).toBeGreaterThanOrEqual(Math.min(most, 11))
    expect(wrong).toEqual([])
  })

  test.each(killed)('in the upgrade from schema %i, the next start has all records', { timeout }, async (schema) => {
    const folder = join(scratch, `from-${schema}`)
    await makeOldFolder(folder, { schema, expenses })
    const asked = isOld(schema) ? mostOfOld : most
    const { kills, wrong } = await startAfterEach(['token', 'list'], { folder, wanted: expenses, kills: asked })
    expect(kills).toBeGreaterThanOrEqual(Math.min(asked, 11))
    expect(wrong).toEqual([])
  })
})
