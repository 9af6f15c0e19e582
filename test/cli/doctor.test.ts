import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { makeTemporaryFolder, runProgram, serveFolder, serveMeanwhile } from '#test/support/built-program'
import { startS3 } from '#test/support/s3'

const path: string = await makeTemporaryFolder()
const made = await runProgram('demo', '--data', path)
const token: string = made.result.token
afterAll(() => rm(path, { recursive: true, force: true }))

const doctor = (...args: string[]) => runProgram('doctor', '--data', path, ...args)
const longAgo = new Date('2020-01-01T00:00:00Z')

function hurt(...statements: string[]): void {
  const db = new Database(join(path, 'outlay.db'))
  for (const statement of statements) db.exec(statement)
  db.close()
}

async function firstBlob(): Promise<string> {
  const names = await readdir(join(path, 'blobs'), { recursive: true })
  const name = names.find((one) => /[0-9a-f]{64}$/.test(one)) ?? ''
  return join(path, 'blobs', name)
}

describe('demo', () => {
  test('makes expenses in every status, with receipts, comments and people of every role', async () => {
    const served = await serveMeanwhile({ path, token })
    const statuses = ['awaiting_analysis', 'analyzing', 'analyzed', 'pending', 'noncompliant', 'approved', 'rejected', 'liquidated']
    for (const status of statuses) expect((await served.api.get(`/expenses?q[status_eq]=${status}`)).body.count).toBeGreaterThan(0)
    const { body } = await served.api.get('/expenses?q[approved_amount_null]=0&q[kind_eq]=monetary')
    expect(body.expenses.some((one: { amount: number; approved_amount: number }) => one.approved_amount < one.amount)).toBe(true)
    const all = await served.api.get('/expenses?per_page=100')
    expect(all.body.count).toBeGreaterThan(250)
    const types = all.body.expenses.flatMap((one: { attachments: Array<{ content_type: string }> }) =>
      one.attachments.map(({ content_type }) => content_type),
    )
    expect(new Set(types)).toEqual(new Set(['image/jpeg', 'image/png', 'application/pdf', 'application/xml']))
    await served.stop()
  })

  test('refuses a folder that holds an organization', async () => {
    expect(await runProgram('demo', '--data', path)).toMatchObject({ code: 1, stdout: '' })
  })
})

describe('doctor', () => {
  test('finds nothing in a sound folder, also while it is served', async () => {
    const served = await serveFolder({ path, token })
    expect(await doctor()).toMatchObject({ code: 0, result: { ok: true, problems: [] } })
    await served.stop()
  })

  test('finds and repairs wrong derived data', async () => {
    hurt(
      'update expenses set amount_scaled = amount_scaled + 1 where id = 3',
      'update expenses set attachments_count = 7, activities_count = 0 where id = 4',
      'delete from expense_search where rowid = 5',
    )
    await mkdir(join(path, 'incoming'), { recursive: true })
    await writeFile(join(path, 'incoming', 'left'), 'half')
    await utimes(join(path, 'incoming', 'left'), longAgo, longAgo)
    const found = await doctor()
    expect(found.code).toBe(1)
    expect(found.result).toEqual({
      ok: false,
      problems: [
        'attachments_count is wrong in 1 of expenses, the first with id 4.',
        'activities_count is wrong in 1 of expenses, the first with id 4.',
        'amount_scaled is wrong in 1 of expenses, the first with id 3.',
        '1 expenses are missing from the search index, the first with id 5.',
        expect.stringContaining('never finished'),
      ],
    })
    expect(await doctor('--fix')).toMatchObject({ code: 0, result: { ok: true, problems: [], fixed: found.result.problems } })
    expect(await doctor()).toMatchObject({ code: 0, result: { ok: true, problems: [] } })
  })

  test('finds damaged and missing files, which cannot be repaired, and removes files that no record names', async () => {
    const blob = await firstBlob()
    const [sha256 = ''] = /[0-9a-f]{64}$/.exec(blob) ?? []
    await writeFile(blob, 'overwritten')
    const orphan = join(path, 'blobs/aa/aa', 'a'.repeat(64))
    await mkdir(join(path, 'blobs/aa/aa'), { recursive: true })
    await writeFile(orphan, 'nobody')
    await utimes(orphan, longAgo, longAgo)
    const damaged = `The file ${sha256} is damaged.`
    expect((await doctor()).result.problems).toEqual([damaged, `No record names the file ${orphan}.`])
    expect(await doctor('--fix')).toMatchObject({
      code: 1,
      result: { ok: false, problems: [damaged], fixed: [expect.stringContaining(orphan)] },
    })
    await rm(blob)
    expect((await doctor()).result.problems).toEqual([`The file ${sha256} is missing.`])
  })

  test('prints the first of many problems of one kind, and how many more there are', async () => {
    const incoming = join(path, 'incoming')
    await mkdir(incoming, { recursive: true })
    for (let index = 0; index < 25; index += 1) {
      await writeFile(join(incoming, `left-${index}`), 'half')
      await utimes(join(incoming, `left-${index}`), longAgo, longAgo)
    }
    const ofUploads = (lines: string[]) => lines.filter((line) => /never finished|more of these/.test(line))
    const shown = [...Array.from({ length: 20 }, () => expect.stringContaining('never finished')), 'And 5 more of these.']
    expect(ofUploads((await doctor()).result.problems)).toEqual(shown)
    expect(ofUploads((await doctor('--fix')).result.fixed)).toEqual(shown)
    expect(ofUploads((await doctor()).result.problems)).toEqual([])
  })

  test('finds a bucket of uploads that it cannot read', async () => {
    const s3 = await startS3(() => systemClock.now())
    const file = join(path, 'settings.json')
    try {
      await writeFile(file, JSON.stringify(s3.settings))
      expect((await doctor()).stdout).not.toContain('bucket')
      await writeFile(file, JSON.stringify({ ...s3.settings, OUTLAY_UPLOAD_BUCKET_SECRET_ACCESS_KEY: 'not-the-secret' }))
      const { code, stdout, stderr } = await doctor()
      expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('The bucket answers 403 SignatureDoesNotMatch') })
      expect(stdout + stderr).not.toContain('not-the-secret')
      await writeFile(file, JSON.stringify({ ...s3.settings, OUTLAY_UPLOAD_BUCKET_URL: `${s3.origin}/another` }))
      expect((await doctor()).stdout).toContain('The bucket answers 404 NoSuchBucket')
    } finally {
      await rm(file)
      await s3.close()
    }
  })

  test('finds settings that cannot be read and a database that is none', async () => {
    await writeFile(join(path, 'settings.json'), '{')
    expect((await doctor()).result.problems).toContainEqual(expect.stringContaining('settings.json'))
    await rm(join(path, 'settings.json'))
    for (const name of ['outlay.db-wal', 'outlay.db-shm']) await rm(join(path, name), { force: true })
    await writeFile(join(path, 'outlay.db'), 'this is no database, whatever its name says '.repeat(100))
    expect(await doctor()).toMatchObject({ code: 1, result: { ok: false, problems: [expect.stringContaining('cannot be read')] } })
  })
})
