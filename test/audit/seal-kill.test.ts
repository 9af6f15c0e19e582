import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { systemClock } from '#main/clock'
import { readWitnessed, verifyFolder } from '#main/commands/audit'
import { openOrRecover } from '#main/snapshots/recover'
import { readOrMakeAuditKey } from '#main/use-cases/audit/audit-key'
import { sealNext } from '#main/use-cases/audit/seal-next'
import { runProgram } from '#test/support/built-program'
import { inForm } from '#test/support/form'
import { apiOf } from '#test/support/instance'
import { killPoints, traceRun, whyNotTraced } from '#test/support/kill-points'
import { log } from '#test/support/spoiled'
import { folderOfFile } from '#test/support/of-file'

/** `npm run torture -- seals [COUNT]` ends the server after every change of the disk, or after COUNT of them, by a kill and by a power cut. */
const isTorture = process.env.TORTURE === 'seals'
const most = isTorture ? Number(process.env.TORTURE_COUNT ?? Infinity) : inForm(4, 12)
const timeout = isTorture ? 3_600_000 : 300_000

const scratch = folderOfFile('outlay-seal-kill-')

/** What the next start finds wrong, after it has sealed what was left. */
async function wrongAfterStart(folder: string): Promise<string[]> {
  const store = await openOrRecover({
    data_folder: folder,
    snapshots: join(folder, 'snapshots'),
    clock: systemClock,
    log,
    startsOver: false,
  })
  try {
    const key = await readOrMakeAuditKey(folder)
    while ((await sealNext(store, { key, clock: systemClock })) > 0);
    const heads = join(folder, 'heads.jsonl')
    // The settings name the file of the folder that ran on.
    if (!existsSync(heads)) writeFileSync(heads, '')
    const { problems, chains } = await verifyFolder(store, folder, { heads })
    const waiting = chains.filter((chain) => chain.waiting > 0).map((chain) => `${chain.waiting} wait`)
    const rows = await store.reader.db.selectFrom('activities').select('id').execute()
    const sealed = chains.reduce((sum, { entries }) => sum + entries, 0)
    return [
      ...problems.map((one) => JSON.stringify(one)),
      ...waiting,
      ...(sealed === rows.length ? [] : [`${sealed} of ${rows.length} sealed`]),
    ]
  } finally {
    await store.close()
  }
}

const title = whyNotTraced === undefined ? '' : ` (skipped: ${whyNotTraced})`

describe.runIf(whyNotTraced === undefined)(`a server that seals${title}`, () => {
  test('can end at any write: the next one seals every entry, once, and every head that left is in the chain', { timeout }, async () => {
    const folder = join(scratch, 'served')
    const args = ['init', '--organization', 'Acme', '--name', 'Ada Admin', '--email', 'ada@example.org', '--data', folder]
    const { token, organization_id } = (await runProgram(...args)).result
    const settings = { OUTLAY_SEAL_MS: 20, OUTLAY_SNAPSHOT_MINUTES: 0, OUTLAY_WITNESS_FILE: join(folder, 'heads.jsonl') }
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings))
    const meanwhile = async (url: string) => {
      const api = apiOf(url, token)
      const body = { payer: { id: organization_id, type: 'Organization' }, amount: 12.5, occurred_at: '2026-03-04' }
      for (let count = 0; count < 12; count += 1) expect((await api.send('POST', '/expenses', body)).status).toBe(201)
      const audit = `/organizations/${organization_id}/audit`
      await vi.waitFor(async () => expect((await api.get(audit)).body.waiting).toBe(0), { timeout: 60_000 })
      await vi.waitFor(async () => expect((await readWitnessed(settings.OUTLAY_WITNESS_FILE)).length).toBeGreaterThan(1), {
        timeout: 60_000,
      })
    }
    const run = await traceRun(['serve', '--port', '0'], { scratch, folder, until: '\n', meanwhile })
    const to = join(scratch, 'ended')
    const ends = { kills: 0, cuts: 0 }
    const wrong: string[] = []
    for (const [kind, keep] of [
      ['kills', 1],
      ['cuts', 0],
    ] as const)
      for (const { at } of killPoints(run, { to, most, keep })) {
        ends[kind] += 1
        const found = await wrongAfterStart(to).catch((error: unknown) => [String(error)])
        wrong.push(...found.map((what) => `${kind} after change ${at}: ${what}`))
      }
    if (isTorture) console.log(ends, wrong)
    expect(Math.min(ends.kills, ends.cuts)).toBeGreaterThanOrEqual(Math.min(most, 11))
    expect(wrong).toEqual([])
  })
})
