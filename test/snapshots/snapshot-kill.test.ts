import { existsSync } from 'node:fs'
import { mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import { listReports } from '#main/snapshots/reports'
import { listSnapshots } from '#main/snapshots/snapshot-files'
import { initFolder, startProgram } from '#test/support/built-program'
import { type BuiltServer, clientOf, isBuilt, runBuilt, startBuilt } from '#test/support/built-server'
import { inForm } from '#test/support/form'
import { asideOf } from '#test/support/spoiled'

/** Every round kills once during a snapshot and once during a recovery. */
const rounds = process.env.TORTURE === 'snapshots' ? Number(process.env.TORTURE_COUNT ?? 50) / 2 : 1
const expenses = inForm(1000, 3000)

async function importExpenses(data: string): Promise<void> {
  const rows = Array.from({ length: expenses }, (_, index) => `bruno@example.org,2026-01-${(index % 28) + 1},10.00,Taxi ${index}`)
  await writeFile(join(data, 'sample.csv'), ['claimant,date,amount,description', ...rows].join('\n'))
  await runBuilt('import', 'expenses', join(data, 'sample.csv'), '--organization', '1', '--data', data)
}

async function expectAllThere(server: BuiltServer, token: string): Promise<void> {
  const { body } = await clientOf(server, token).api.get('/expenses?per_page=1')
  expect(body.count).toBe(expenses)
}

/** Whatever has the name of a snapshot is whole. */
async function expectSound(folder: string): Promise<void> {
  for (const { path } of await listSnapshots(folder)) {
    const raw = new Database(path, { readonly: true })
    expect(raw.pragma('quick_check', { simple: true })).toBe('ok')
    expect(raw.prepare('SELECT count(*) FROM expenses').pluck().get()).toBe(expenses)
    raw.close()
  }
}

async function killDuringSnapshot(server: BuiltServer, folder: string): Promise<void> {
  await vi.waitFor(() => expect(existsSync(join(folder, 'making.db'))).toBe(true), { timeout: 60_000, interval: 4 })
  await sleep(Math.random() * 150)
  await server.kill()
}

async function killDuringRecovery(data: string): Promise<void> {
  const database = await open(join(data, 'outlay.db'), 'r+')
  await database.write(Buffer.alloc(4096), 0, 4096, 0)
  await database.close()
  const { child, ended } = startProgram(['serve', '--port', '0', '--data', data])
  // Where it stands says more than how long it runs: the copy, the folder of the damaged one, the snapshot in its place.
  const names = async () => (await readdir(data)).filter((name) => /^(restoring|damaged)-/.test(name)).length
  await vi.waitFor(async () => expect(await names()).toBeGreaterThan(0), { timeout: 60_000, interval: 4 })
  await sleep(Math.random() * 150)
  child.kill('SIGKILL')
  await ended
}

test.runIf(isBuilt)(
  'whenever it is killed in a snapshot or a recovery, the next start has everything',
  { timeout: 120_000 + rounds * 60_000 },
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'outlay-snapshot-kill-'))
    const folder = join(data, 'snapshots')
    let server: BuiltServer | undefined
    try {
      const { token } = await initFolder(data)
      await importExpenses(data)
      server = await startBuilt(data)
      await vi.waitFor(async () => expect(await listSnapshots(folder)).toHaveLength(1), { timeout: 60_000, interval: 100 })
      await server.stop()
      server = await startBuilt(data)
      for (let round = 0; round < rounds; round += 1) {
        await killDuringSnapshot(server, folder)
        await expectSound(folder)
        await killDuringRecovery(data)
        server = await startBuilt(data)
        await expectAllThere(server, token)
        await expectSound(folder)
        const aside = (await asideOf(data)) ?? ''
        expect(await readdir(join(data, aside))).toContain('outlay.db')
        expect((await readdir(data)).filter((name) => name.startsWith('restoring-'))).toEqual([])
        // Until what is missing has been read, the server writes there.
        await vi.waitFor(async () => expect((await listReports(data))[0]?.missing).toBeTruthy(), { timeout: 60_000, interval: 20 })
        await rm(join(data, aside), { recursive: true })
      }
      await server.stop()
      expect(await runBuilt('doctor', '--data', data)).toMatchObject({ ok: true })
    } finally {
      server?.process.kill('SIGKILL')
      await rm(data, { recursive: true, force: true })
    }
  },
)
