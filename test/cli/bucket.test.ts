import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDemo, makeTemporaryFolder, runProgram as run, runWith } from '#test/support/built-program'
import { isBuilt } from '#test/support/built-server'
import { type S3, startS3 } from '#test/support/s3'

let s3: S3
let folder: string
let scratch: string
beforeAll(async () => {
  s3 = await startS3(() => new Date())
  scratch = await makeTemporaryFolder()
  folder = join(scratch, 'acme')
})
afterAll(async () => {
  await s3.close()
  await rm(scratch, { recursive: true, force: true })
})

const withBucket = (...args: string[]) => runWith({ OUTLAY_BUCKET_TIMEOUT_MS: '500', ...s3.fileSettings }, ...args)
const blobs = () => [...s3.objects.keys()].filter((key) => key.startsWith('blobs/'))

test.runIf(isBuilt)('files go to a bucket and back, and doctor, backup and restore know where they are', { timeout: 300_000 }, async () => {
  await makeDemo(folder)
  const here = (await readdir(join(folder, 'blobs'), { recursive: true })).filter((name) => /[0-9a-f]{64}$/.test(name))
  expect(here.length).toBeGreaterThan(2)
  const noBucket = await run('files', 'copy', '--to', 'bucket', '--data', folder)
  expect([noBucket.code, noBucket.stderr]).toEqual([2, expect.stringContaining('OUTLAY_BUCKET_URL')])

  const there = await withBucket('files', 'copy', '--to', 'bucket', '--data', folder)
  expect(there.result).toMatchObject({ ok: true, copied: here.length, present: 0, problems: [] })
  expect((await withBucket('files', 'copy', '--to', 'bucket', '--data', folder)).result).toMatchObject({ copied: 0, present: here.length })
  expect(blobs().length).toBe(here.length)
  await rm(join(folder, 'blobs'), { recursive: true })
  expect((await withBucket('doctor', '--data', folder)).result).toEqual({ ok: true, problems: [] })

  const [small, whole] = [join(scratch, 'small.tar'), join(scratch, 'whole.tar')]
  const first = await withBucket('backup', small, '--data', folder)
  expect([first.result, first.stderr]).toEqual([{ ok: true, problems: [] }, expect.stringContaining('are not in the backup')])
  expect((await withBucket('backup', whole, '--files', '--data', folder)).result).toEqual({ ok: true, problems: [] })
  expect((await readFile(whole)).length).toBeGreaterThan((await readFile(small)).length)
  const alone = join(scratch, 'alone')
  const refused = await run('restore', small, '--data', alone)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('holds none of its')])
  expect((await withBucket('restore', small, '--data', alone)).result).toEqual({ ok: true, problems: [] })

  const [key = ''] = blobs()
  s3.objects.delete(key)
  const sha256 = key.slice(-64)
  const missing = { ok: false, problems: [`The file ${sha256} is missing.`] }
  expect((await withBucket('doctor', '--data', folder)).result).toEqual(missing)
  expect((await withBucket('restore', small, '--data', alone)).result).toEqual(missing)
  expect((await withBucket('restore', whole, '--data', alone)).result).toEqual({ ok: true, problems: [] })
  expect(blobs().length).toBe(here.length)

  const [other = ''] = blobs()
  const object = s3.objects.get(other)
  if (object) s3.objects.set(other, { ...object, bytes: Buffer.alloc(object.bytes.length) })
  expect((await withBucket('doctor', '--data', folder)).result).toMatchObject({ ok: true })
  const damaged = { ok: false, problems: [`The file ${other.slice(-64)} is damaged.`] }
  expect((await withBucket('doctor', '--files', '--data', folder)).result).toEqual(damaged)
  expect((await withBucket('files', 'copy', '--to', 'folder', '--data', folder)).result).toMatchObject({
    ok: false,
    problems: [expect.any(String)],
  })
  await withBucket('restore', whole, '--data', alone)
  expect((await withBucket('files', 'copy', '--to', 'folder', '--data', folder)).result).toMatchObject({ ok: true, copied: 1 })
  expect((await run('doctor', '--data', folder)).result).toEqual({ ok: true, problems: [] })
})

test.runIf(isBuilt)('doctor says when the bucket is away or another instance keeps its files there', { timeout: 300_000 }, async () => {
  const other = join(scratch, 'other')
  await run('demo', '--data', other)
  const away = await runWith({ ...s3.fileSettings, OUTLAY_BUCKET_URL: 'http://127.0.0.1:9/receipts' }, 'doctor', '--data', other)
  expect(away.result).toEqual({ ok: false, problems: [expect.stringMatching(/cannot be used: .*ECONNREFUSED/)] })
  expect((await withBucket('doctor', '--data', other)).result.problems).toEqual([expect.stringContaining('another Outlay')])
})
