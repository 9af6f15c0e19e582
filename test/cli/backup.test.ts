import { existsSync } from 'node:fs'
import { readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeDemo, makeTemporaryFolder, runProgram, serveFolder, serveMeanwhile } from '#test/support/built-program'

const path: string = await makeTemporaryFolder()
const other: string = await makeTemporaryFolder()
const token = (await makeDemo(path)).token
afterAll(async () => {
  for (const folder of [path, other]) await rm(folder, { recursive: true, force: true })
})

const on = (folder: string, ...args: string[]) => runProgram(...args, '--data', folder)
const exported = async (folder: string) => (await on(folder, 'export', 'expenses')).stdout

async function firstBlob(folder: string): Promise<string> {
  const names = await readdir(join(folder, 'blobs'), { recursive: true })
  return join(folder, 'blobs', names.find((name) => /[0-9a-f]{64}$/.test(name)) ?? '')
}

describe('backup and restore', () => {
  test('make another folder the same, copied while it is served', async () => {
    const file = join(other, 'a.tar')
    const served = await serveFolder({ path, token })
    const writing = Array.from({ length: 20 }, () =>
      served.api.send('POST', '/expenses', { payer: { id: 1, type: 'Organization' }, amount: 1, occurred_at: '2024-05-01' }),
    )
    expect(await on(path, 'backup', file)).toMatchObject({ code: 0, result: { ok: true, problems: [] } })
    await Promise.all(writing)
    expect((await on(path, 'doctor')).result).toEqual({ ok: true, problems: [] })
    expect(await on(path, 'restore', file)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Another Outlay is already serving this data folder.\n',
    })
    await served.stop()
    const folder = join(other, 'restored')
    expect(await on(folder, 'restore', file)).toMatchObject({ code: 0, result: { ok: true, problems: [] } })
    expect((await on(folder, 'doctor')).result).toEqual({ ok: true, problems: [] })
    const again = await serveMeanwhile({ path: folder, token })
    const { body } = await again.api.get('/expenses?q[status_eq]=noncompliant')
    const [attachment] = body.expenses[0].attachments
    const original = attachment.file.find((entry: { style: string }) => entry.style === 'original') ?? attachment.file[0]
    expect((await fetch(original.url)).status).toBe(200)
    await again.stop()
  })

  test('put aside what the folder held before', async () => {
    const file = join(other, 'b.tar')
    await on(path, 'backup', file)
    const before = await exported(path)
    await on(path, 'init', '--add', '--organization', 'Later', '--name', 'Late', '--email', 'late@example.org')
    expect((await on(path, 'restore', file)).code).toBe(0)
    expect(await exported(path)).toBe(before)
    expect((await readdir(path)).filter((name) => name.startsWith('replaced-'))).toHaveLength(1)
  })

  test('keep the settings of this machine, and take those that say where the files of the backup are', async () => {
    const [file, folder, fresh] = [join(other, 'settings.tar'), join(other, 'this machine'), join(other, 'a fresh one')]
    const set = (at: string, settings: object) => writeFile(join(at, 'settings.json'), JSON.stringify(settings))
    const settingsOf = async (at: string) => JSON.parse(await readFile(join(at, 'settings.json'), 'utf8'))
    const there = { OUTLAY_PUBLIC_URL: 'https://books.example.org', OUTLAY_SNAPSHOT_FOLDER: '/mnt/snapshots', OUTLAY_BUCKET_REGION: 'eu-1' }
    await set(path, there)
    await on(path, 'backup', file)
    await rm(join(path, 'settings.json'))
    expect((await on(fresh, 'restore', file)).code).toBe(0)
    expect(await settingsOf(fresh)).toEqual(there)
    expect((await on(folder, 'restore', file)).code).toBe(0)
    const here = { OUTLAY_PUBLIC_URL: 'https://trial.example.org', OUTLAY_SMTP_URL: 'smtp://localhost', OUTLAY_BUCKET_REGION: 'us-2' }
    await set(folder, here)
    expect((await on(folder, 'restore', file)).code).toBe(0)
    expect(await settingsOf(folder)).toEqual({ ...here, OUTLAY_BUCKET_REGION: 'eu-1' })
  })

  test('change nothing where the file is cut off, is no backup or is there already', async () => {
    const file = join(other, 'c.tar')
    await on(path, 'backup', file)
    expect(await on(path, 'backup', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('already') })
    const { length } = await readFile(file)
    await truncate(file, length - 5_000)
    const before = await exported(path)
    expect(await on(path, 'restore', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('ends too early') })
    await writeFile(file, 'not a backup, though long enough to hold a header '.repeat(40))
    expect(await on(path, 'restore', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('is no backup') })
    expect(await exported(path)).toBe(before)
    expect((await readdir(path)).filter((name) => name.startsWith('restoring-'))).toEqual([])
  })

  test('report missing and damaged files, and keep all others', async () => {
    const file = join(other, 'd.tar')
    await writeFile(await firstBlob(path), 'overwritten')
    expect(await on(path, 'backup', file)).toMatchObject({
      code: 1,
      result: { ok: false, problems: [expect.stringContaining('is damaged')] },
    })
    expect(existsSync(file)).toBe(true)
    const folder = join(other, 'partly')
    expect((await on(folder, 'restore', file)).code).toBe(0)
    expect((await on(folder, 'doctor')).result.problems).toEqual([expect.stringContaining('is missing')])
  })
})
