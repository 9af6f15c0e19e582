import { readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StartFault } from '#main/snapshots/start-fault'
import { runProgram, startProgram } from '#test/support/built-program'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Api, type Instance, apiOf, startInstance } from '#test/support/instance'
import { mountSmallDisk } from '#test/support/disks/small-disk'
import { start } from '#test/support/spoiled'
import { serveFolder } from '#test/support/sync/sync-pair'

const disk = mountSmallDisk(16)
const folder = disk?.path ?? ''
afterAll(() => disk?.unmount())

describe.skipIf(disk === undefined)('with a disk that is full at the start (needs root, to mount a small one)', () => {
  let instance: Instance
  let id: number
  beforeEach(async () => {
    instance = await startInstance({ folder })
    id = (await recordExpense(instance, instance.admin, { description: 'from before' })).id
    await instance.close()
    disk?.fill()
  })
  afterEach(async () => {
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true })
  })

  const read = async (api: Api) => (await api.get(`/expenses/${id}`)).body.description
  const write = async (api: Api) => (await api.send('POST', '/expenses', newExpense(instance))).status

  test('a server serves reads, rejects each write with advice, and writes again as soon as there is room', async () => {
    const served = await serveFolder(folder, [])
    const api = apiOf(served.url, instance.admin.token)
    expect([await read(api), await write(api)]).toEqual(['from before', 507])
    disk?.makeRoom()
    expect(await write(api)).toBe(201)
    disk?.fill()
    expect(await read(api)).toBe('from before')
    await served.close()
    disk?.makeRoom()
    expect((await runProgram('doctor', '--data', folder)).result).toEqual({ ok: true, problems: [] })
    disk?.fill()
  })

  test('it is closed and started again, as often as one likes, without room in between', async () => {
    for (let round = 0; round < 3; round += 1) {
      const served = await serveFolder(folder, [])
      const api = apiOf(served.url, instance.admin.token)
      expect([await read(api), await write(api)]).toEqual(['from before', 507])
      await served.close()
    }
  })

  test('the command line reports it in one line when it serves, exports, checks and rejects an import', async () => {
    const serving = startProgram(['serve', '--port', '0', '--data', folder])
    await serving.wrote('stderr', 'You can view and export everything')
    await serving.wrote('stdout', '\n')
    const on = (...args: string[]) => runProgram(...args, '--data', folder)
    expect(await on('doctor')).toMatchObject({ code: 0, result: { ok: true, problems: [] } })
    expect((await on('export', 'expenses')).stdout).toContain('from before')
    const file = join(tmpdir(), `outlay-full-${process.pid}.csv`)
    await writeFile(file, 'Employee,Date,Amount,Currency,Description\nAda Admin,2026-01-02,1.50,BRL,imported\n')
    const imported = await on('import', 'expenses', file, '--organization', String(instance.organization_id))
    expect(imported).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^The disk is full: make room[^\n]*\n$/) })
    serving.child.kill('SIGTERM')
    expect(await serving.ended).toMatchObject({ code: 0 })
    expect((await on('export', 'expenses')).stdout).not.toContain('imported')
  })

  test('a folder without reserved room is rejected with what to do, and nothing is quarantined', async () => {
    disk?.makeRoom()
    // A command that was the last to close it, and whoever tidies up, leave nothing but the database.
    await runProgram('export', 'expenses', '--data', folder)
    for (const name of await readdir(folder)) if (name.endsWith('-reserve')) await rm(join(folder, name))
    disk?.fill()
    const fault = await start(folder)
    expect(fault).toMatchObject({ kind: 'disk_full', message: expect.stringContaining('Free some space, then start Outlay again') })
    expect(fault).toBeInstanceOf(StartFault)
    expect((await readdir(folder)).filter((name) => name.startsWith('damaged-'))).toEqual([])
  })
})
