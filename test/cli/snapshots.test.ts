import { existsSync } from 'node:fs'
import { cp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listSnapshots } from '#main/snapshots/snapshot-files'
import { StartFault } from '#main/snapshots/start-fault'
import { type Run, makeTemporaryFolder, runProgram } from '#test/support/built-program'
import { inSnapshot, makeTemplate, removeTemplate, start, templateFolder, uids } from '#test/support/spoiled'

beforeAll(makeTemplate)
afterAll(removeTemplate)

let folder: string
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  await cp(templateFolder(), folder, { recursive: true })
  return () => rm(folder, { recursive: true, force: true })
})

const doctor = () => runProgram('doctor', '--data', folder)
const restore = (file: string) => runProgram('restore', file, '--data', folder)
const databaseIn = (path: string) => join(path, 'outlay.db')
const newest = async () => (await listSnapshots(join(folder, 'snapshots')))[0]?.path ?? ''
const aside = async (prefix: string) => (await readdir(folder)).filter((name) => name.startsWith(prefix))

function uidsOf(path: string): unknown[] {
  const raw = new Database(path, { readonly: true })
  try {
    return raw.prepare('SELECT uid FROM expenses ORDER BY id').pluck().all()
  } finally {
    raw.close()
  }
}

describe('doctor', () => {
  test('reports every snapshot, the newest first, and those that no recovery could use', async () => {
    const [second, first] = await listSnapshots(join(folder, 'snapshots'))
    await truncate(first?.path ?? '', 20_000)
    const { code, result, stderr } = await doctor()
    expect(code).toBe(1)
    expect(result).toEqual({ ok: false, problems: [expect.stringContaining(`The snapshot ${first?.path} cannot be used`)] })
    expect(stderr.split('\n').filter((line) => line.startsWith('Snapshot of'))).toEqual([
      expect.stringMatching(new RegExp(`^Snapshot of .*Z, sound: ${second?.path}$`)),
      expect.stringMatching(new RegExp(`^Snapshot of .*Z, damaged: ${first?.path}$`)),
    ])
    expect(await readdir(join(folder, 'snapshots'))).toHaveLength(2)
  })

  test('reports snapshots also when the database itself cannot be read', async () => {
    await writeFile(databaseIn(folder), 'this is no database, whatever its name says '.repeat(100))
    const { result, stderr } = await doctor()
    expect(result.problems).toEqual([expect.stringContaining('The database cannot be read')])
    expect(stderr.match(/^Snapshot of .*, sound:/gm)).toHaveLength(2)
  })

  test('reports quarantined databases, and nothing of that kind if there are none', async () => {
    expect((await doctor()).stderr).not.toContain('Set aside')
    await truncate(databaseIn(folder), 5000)
    const app = await start(folder)
    if (!(app instanceof StartFault)) await app.close()
    const [name = ''] = await aside('damaged-')
    const { code, result, stderr } = await doctor()
    expect({ code, result }).toEqual({ code: 0, result: { ok: true, problems: [] } })
    expect(stderr).toMatch(
      new RegExp(`^Quarantined on .*Z, a damaged database: ${join(folder, name)}; the snapshot of .*Z took its place; nobody has`, 'm'),
    )
  })
})

describe('restore', () => {
  const expectRestored = async (run: Run) => {
    expect(run).toMatchObject({ code: 0, result: { ok: true, problems: [] } })
    expect(uidsOf(databaseIn(folder))).toEqual(inSnapshot)
    const [name = ''] = await aside('replaced-')
    expect(run.stderr).toContain(name)
  }

  test('takes a snapshot: files and settings stay, and the next start continues with it', async () => {
    await writeFile(join(folder, 'settings.json'), '{"OUTLAY_LOG":"silent"}')
    await expectRestored(await restore(await newest()))
    expect(existsSync(join(folder, 'settings.json'))).toBe(true)
    expect(uidsOf(databaseIn(join(folder, (await aside('replaced-'))[0] ?? '')))).toHaveLength(41)
    const app = await start(folder)
    expect(app instanceof StartFault ? app : await uids(app)).toEqual(inSnapshot)
    if (!(app instanceof StartFault)) await app.close()
    expect(await aside('damaged-')).toEqual([])
    // What was put aside is a database too, with what its log held: the way back.
    const before = databaseIn(join(folder, (await aside('replaced-'))[0] ?? ''))
    expect(await restore(before)).toMatchObject({ code: 0, result: { ok: true } })
    expect(uidsOf(databaseIn(folder))).toHaveLength(41)
  })

  test('takes a snapshot where the database is damaged or gone', async () => {
    await writeFile(databaseIn(folder), 'no database')
    await expectRestored(await restore(await newest()))
    for (const suffix of ['', '-wal', '-shm']) await rm(`${databaseIn(folder)}${suffix}`, { force: true })
    expect((await restore(await newest())).code).toBe(0)
    expect(uidsOf(databaseIn(folder))).toEqual(inSnapshot)
  })

  test('reports missing files that the snapshot names', async () => {
    await rm(join(folder, 'blobs'), { recursive: true })
    const { code, result } = await restore(await newest())
    expect({ code, result }).toEqual({ code: 1, result: { ok: false, problems: [expect.stringContaining('is missing')] } })
    expect(uidsOf(databaseIn(folder))).toEqual(inSnapshot)
  })

  test('changes nothing where the snapshot is damaged, of a newer program, or not there', async () => {
    const damaged = join(folder, 'damaged.db')
    await writeFile(damaged, (await readFile(await newest())).fill(0xff, 8192, 60_000))
    const newer = join(folder, 'newer.db')
    await cp(await newest(), newer)
    const raw = new Database(newer)
    raw.pragma('user_version = 99')
    raw.close()
    const before = await readFile(databaseIn(folder))
    for (const [file, why] of [
      [damaged, 'it is damaged'],
      [newer, 'a newer Outlay'],
      [join(folder, 'nowhere.db'), 'There is no file'],
    ] as const)
      expect(await restore(file)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(why) })
    expect((await readFile(databaseIn(folder))).equals(before)).toBe(true)
    expect((await readdir(folder)).filter((name) => /^(replaced|restoring)-/.test(name))).toEqual([])
  })
})
