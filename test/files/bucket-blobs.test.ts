import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { type Clock, systemClock } from '#main/clock'
import { bucketOf } from '#main/config/settings'
import { BlobMissing, type BlobStore, type ReceivedFile, blobName } from '#main/files/blob-store'
import { BucketUnreachable } from '#main/files/bucket'
import { BucketOfAnother } from '#main/files/bucket-store/owner-mark'
import { openBlobStore } from '#main/files/open-blob-store'
import { inForm } from '#test/support/form'
import { startS3 } from '#test/support/s3'
import { folderOfFile } from '#test/support/of-file'

const content = Buffer.from('a receipt '.repeat(40_000))
const sha256 = createHash('sha256').update(content).digest('hex')
const absent = '0'.repeat(64)
let aheadMs = 0
const clock: Clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) }
let blobs: BlobStore
const root = folderOfFile('outlay-bucket-')
const s3 = await startS3(() => systemClock.now())
afterAll(() => s3.close())
beforeEach(async () => {
  aheadMs = 0
  s3.objects.clear()
  s3.faults.length = 0
  blobs = await open()
})
afterEach(async () => {
  blobs.close()
  expect(await readdir(join(root, 'incoming')).catch(() => [])).toEqual([])
})

const open = (settings: object = {}) =>
  openBlobStore(root, { place: bucketOf({ OUTLAY_BUCKET_TIMEOUT_MS: 500, ...s3.fileSettings, ...settings }), clock })

function receive(bytes = content): Promise<ReceivedFile> {
  return blobs.receive(Readable.from([bytes]), { maxBytes: 1e8 })
}

async function store(bytes = content): Promise<string> {
  const received = await receive(bytes)
  await blobs.keep(received)
  return received.sha256
}

async function read(hash = sha256, span = {}): Promise<string> {
  return Buffer.concat(await blobs.createReadStream(hash, span).toArray()).toString()
}

/** As if it had been kept that long ago. */
function age(hash: string, ms: number): void {
  const object = s3.objects.get(blobName(hash))
  if (object) s3.objects.set(blobName(hash), { ...object, modified: new Date(Date.now() - ms) })
}

test('what is kept can be read, in parts and whole, under its hash alone', async () => {
  await store()
  expect([...s3.objects.keys()]).toEqual([blobName(sha256)])
  expect(await read()).toBe(content.toString())
  expect(await read(sha256, { start: 2, end: 8 })).toBe('receipt')
  expect(await read(sha256, { start: content.length - 8 })).toBe('receipt ')
  expect(await blobs.find(sha256)).toEqual({ sha256, bytes: content.length })
  expect([await blobs.has(sha256), await blobs.has(absent), await blobs.has('../x')]).toEqual([true, false, false])
})

test('a copy on this disk lasts while it is used, by however many', async () => {
  await store()
  s3.reads.length = 0
  const paths = await Promise.all(
    [1, 2, 3].map(() =>
      blobs.withFile(sha256, async ({ path, bytes }) => {
        expect([await readFile(path), bytes]).toEqual([content, content.length])
        return path
      }),
    ),
  )
  expect(new Set(paths).size).toBe(1)
  expect(s3.reads).toEqual([blobName(sha256)])
  await expect(blobs.withFile(absent, () => Promise.resolve())).rejects.toThrow(BlobMissing)
})

test('a file that is received is not in the bucket before it is kept, and an empty one can be kept', async () => {
  const received = await receive()
  expect(s3.objects.size).toBe(0)
  await received.discard()
  const empty = await store(Buffer.alloc(0))
  expect(await read(empty)).toBe('')
  expect(await blobs.verify(empty)).toEqual({ kind: 'intact' })
})

test('files are verified, listed page by page, and removed with their pictures', async () => {
  const all = await Promise.all([...'abcdefgh'].map((text) => store(Buffer.from(text))))
  const listed = await Array.fromAsync(blobs.list())
  expect(listed.map((one) => one.sha256)).toEqual(all.toSorted())
  const [first = ''] = all
  const picture = await blobs.pictures.keep(first, 'thumb', { bytes: Buffer.from('png'), content_type: 'image/png' })
  expect(String(await picture.read({ start: 1, end: 1 }).toArray())).toBe('n')
  const other = await open()
  expect(await other.pictures.find(first, 'thumb')).toMatchObject({ content_type: 'image/png', bytes: 3 })
  expect(await other.pictures.find(first, 'tiny')).toBeUndefined()
  other.close()
  await blobs.remove(first)
  expect(await blobs.pictures.find(first, 'thumb')).toBeUndefined()
  expect(await blobs.verify(first)).toEqual({ kind: 'missing' })
  await blobs.remove(first)
  expect(s3.objects.size).toBe(all.length - 1)
})

test('content that was changed is found, never handed out whole, and repaired by another upload of another size', async () => {
  await store()
  const name = blobName(sha256)
  const object = s3.objects.get(name)
  if (object) s3.objects.set(name, { ...object, bytes: Buffer.from('other') })
  expect(await blobs.verify(sha256)).toMatchObject({ kind: 'damaged' })
  await expect(read()).rejects.toThrow(BlobMissing)
  await expect(blobs.withFile(sha256, () => Promise.resolve())).rejects.toThrow(BlobMissing)
  await store()
  expect(await read()).toBe(content.toString())
})

test.each([
  ['PUT', 'slow'],
  ['PUT', 'busy'],
  ['PUT', 'cut'],
  ['PUT', 'lost'],
  ['PUT', 'silent'],
  ['GET', 'busy'],
  ['GET', 'cut'],
  ['GET', 'truncated'],
  ['GET', 'silent'],
] as const)('a %s that is %s is done again, and nothing is half there', { timeout: 60_000 }, async (method, kind) => {
  s3.faults.push({ method, kind })
  await store()
  expect(await read()).toBe(content.toString())
  expect(s3.objects.get(blobName(sha256))?.bytes).toEqual(content)
  expect(s3.faults).toEqual([])
})

test('bytes that were changed on their way are not handed out whole', async () => {
  await store()
  s3.faults.push({ method: 'GET', kind: 'changed' })
  await expect(read()).rejects.toThrow(BlobMissing)
  expect(await read()).toBe(content.toString())
})

test('a file whose bytes change on the way to the bucket is refused by it', async () => {
  const received = await receive()
  await expect(blobs.keep({ ...received, sha256: absent })).rejects.toThrow(/XAmzContentSHA256Mismatch/)
  expect(s3.objects.size).toBe(0)
  await received.discard()
})

test.each([
  ['the wrong secret', { OUTLAY_BUCKET_SECRET_ACCESS_KEY: 'no' }, /403 SignatureDoesNotMatch/],
  ['another key', { OUTLAY_BUCKET_ACCESS_KEY_ID: 'no' }, /403/],
  ['a bucket that is not there', { OUTLAY_BUCKET_URL: 'ORIGIN/missing' }, /404 NoSuchBucket/],
  ['nobody there', { OUTLAY_BUCKET_URL: 'http://127.0.0.1:9/receipts' }, /cannot be reached \(ECONNREFUSED\)/],
] as const)('with %s nothing is stored, and the reason is said', async (_what, settings, reason) => {
  const given = Object.entries(settings).map(([name, value]) => [name, value.replace('ORIGIN', s3.origin)])
  const other = await open(Object.fromEntries(given))
  const received = await receive()
  await expect(other.keep(received)).rejects.toThrow(BucketUnreachable)
  await expect(other.check()).rejects.toThrow(reason)
  await expect(other.own('me')).rejects.toThrow(reason)
  // What was received is still there to be kept.
  await blobs.keep(received)
  expect(await read()).toBe(content.toString())
  other.close()
})

test('a clock that is wrong by a day is set right by what the bucket says', async () => {
  aheadMs = 86_400_000
  await store()
  expect(await read()).toBe(content.toString())
})

test('a bucket belongs to one instance', async () => {
  await expect(blobs.check()).rejects.toThrow(BucketUnreachable)
  await Promise.all([blobs.own('one'), blobs.own('one')])
  await blobs.check()
  await expect(blobs.own('two')).rejects.toThrow(BucketOfAnother)
})

test('an old file that is uploaded again is not removed before its row is written', async () => {
  const hour = 3_600_000
  await store()
  age(sha256, 2 * hour)
  await store()
  await blobs.removeOld(sha256, new Date(Date.now() - hour))
  expect(await blobs.has(sha256)).toBe(true)
  age(sha256, 2 * hour)
  await blobs.removeOld(sha256, new Date(Date.now() - hour))
  expect(await blobs.has(sha256)).toBe(false)
  expect(s3.objects.size).toBe(0)
})

test('no file is lost between who removes an old one and who keeps it again at the same time', async () => {
  const other = await open()
  for (let round = 0; round < inForm(4, 10); round += 1) {
    await store()
    age(sha256, 7_200_000)
    const received = await receive()
    await Promise.all([blobs.keep(received), other.removeOld(sha256, new Date(Date.now() - 3_600_000))])
    expect([round, await blobs.has(sha256)]).toEqual([round, true])
    expect([...s3.objects.keys()].filter((key) => key.startsWith('claims/'))).toEqual([])
  }
  other.close()
})

test('a claim that a killed process left holds nobody up for ever', async () => {
  await store()
  age(sha256, 7_200_000)
  const left = { bytes: Buffer.from('gone'), content_type: 'text/plain', modified: new Date(Date.now() - 300_000) }
  s3.objects.set(`claims/${sha256}`, left)
  await blobs.removeOld(sha256, new Date())
  expect(await blobs.has(sha256)).toBe(true)
  s3.objects.set(`claims/${sha256}`, left)
  await store()
  await blobs.removeOld(sha256, new Date(Date.now() + 60_000))
  expect(s3.objects.size).toBe(0)
})
