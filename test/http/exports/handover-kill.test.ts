import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createApp, createLog } from '#main/app'
import { listJobs } from '#main/store/queues/jobs'
import { readSettings } from '#main/config/settings'
import type { Handover } from '#shared/contract/instance/handovers'
import { runProgram } from '#test/support/built-program'
import { inForm } from '#test/support/form'
import { apiOf } from '#test/support/instance'
import { killPoints, traceRun, whyNotTraced } from '#test/support/kill-points'
import { folderOfFile } from '#test/support/of-file'

/** `npm run torture -- handovers [COUNT]` ends the server after every change of the disk, or after COUNT of them, by a kill and by a power cut. */
const isTorture = process.env.TORTURE === 'handovers'
const most = isTorture ? Number(process.env.TORTURE_COUNT ?? Infinity) : inForm(3, 10)
const timeout = isTorture ? 3_600_000 : 300_000

const scratch = folderOfFile('outlay-handover-kill-')

/** What is wrong once the next start has ended what was asked for: handovers, each with a whole file, each expense in one of them. */
async function wrongAfterStart(folder: string, told: readonly string[]): Promise<string[]> {
  const settings = { ...readSettings(folder, {}), OUTLAY_LOG: 'silent' as const }
  const app = await createApp({ data_folder: folder, settings, web_folder: null, log: createLog(settings) })
  const root = join(folder, 'exports')
  try {
    const listed = async () => listJobs(app.store.reader, 'exports')
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const states = async () => (await listed()).map(({ record }): string => JSON.parse(record).state)
    await vi.waitFor(async () => expect((await states()).filter((state) => state !== 'finished')).toEqual([]), { timeout: 20_000 })
    const placeOf = new Map((await listed()).map(({ id, place }) => [id, place ?? '']))
    const { db } = app.store.reader
    const handovers = await db.selectFrom('handovers').selectAll().execute()
    const rows = await db.selectFrom('handover_rows').selectAll().execute()
    const wrong: string[] = []
    for (const id of told) if (!handovers.some(({ uid }) => uid === id)) wrong.push(`${id} was told and is lost`)
    for (const { uid, sha256, row_count, id } of handovers) {
      const hash = createHash('sha256')
        .update(readFileSync(join(root, uid, placeOf.get(uid) ?? '', 'file')))
        .digest('hex')
      if (hash !== sha256) wrong.push(`${uid} has another file`)
      if (rows.filter(({ handover_id }) => handover_id === id).length !== row_count) wrong.push(`${uid} lacks rows`)
    }
    if (new Set(rows.map(({ expense_id }) => expense_id)).size !== rows.length) wrong.push('an expense was handed over twice')
    const names = existsSync(root) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
    for (const name of names) if (/^(desk|exports)\b.*\.part$/.test(name)) wrong.push(`${name} is half a file`)
    return wrong
  } finally {
    await app.close()
  }
}

const title = whyNotTraced === undefined ? '' : ` (skipped: ${whyNotTraced})`

describe.runIf(whyNotTraced === undefined)(`a server that hands over${title}`, () => {
  test('can end at any write: the next one finishes it, and every expense is handed over once', { timeout }, async () => {
    const folder = join(scratch, 'served')
    const args = ['init', '--organization', 'Acme', '--name', 'Ada Admin', '--email', 'ada@example.org', '--data', folder]
    const { token, organization_id } = (await runProgram(...args)).result
    const home = `/organizations/${String(organization_id)}/handovers`
    const finished = new Set<string>()
    const meanwhile = async (url: string) => {
      const api = apiOf(url, token)
      const body = { payer: { id: organization_id, type: 'Organization' }, amount: 12.5, occurred_at: '2026-03-04' }
      for (let turn = 0; turn < 2; turn += 1) {
        for (let count = 0; count < 3; count += 1) {
          const { id } = (await api.send('POST', '/expenses', body)).body
          expect((await api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 12.5 })).status).toBe(200)
        }
        const { id } = (await api.send<Handover>('POST', home, { format: 'json' })).body
        await vi.waitFor(async () => expect((await api.get<Handover>(`${home}/${id}`)).body.state).toBe('finished'), { timeout: 30_000 })
        finished.add(id)
      }
    }
    const run = await traceRun(['serve', '--port', '0'], { scratch, folder, until: '\n', meanwhile })
    expect(finished.size).toBe(2)
    const to = join(scratch, 'ended')
    const ends = { kills: 0, cuts: 0 }
    const wrong: string[] = []
    for (const [kind, keep] of [
      ['kills', 1],
      ['cuts', 0],
    ] as const)
      for (const { at } of killPoints(run, { to, most, keep })) {
        ends[kind] += 1
        const told = at === run.events.length ? [...finished] : []
        const found = await wrongAfterStart(to, told).catch((error: unknown) => [String(error)])
        wrong.push(...found.map((what) => `${kind} after change ${at}: ${what}`))
      }
    if (isTorture) console.log(ends, wrong)
    expect(Math.min(ends.kills, ends.cuts)).toBeGreaterThanOrEqual(Math.min(most, 9))
    expect(wrong).toEqual([])
  })
})
