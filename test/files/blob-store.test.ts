import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FolderBlobStore, ReceivedFile } from '#main/files/blob-store'
import { BlobMissing, createBlobStore, FileTooLarge } from '#main/files/blob-store'

const absent = 'f'.repeat(64)
let root: string
let blobs: FolderBlobStore

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'outlay-blobs-'))
  let count = 0
  blobs = createBlobStore(root, { randomId: () => `temporary-${String((count += 1))}` })
})
afterEach(async () => rm(root, { recursive: true }))

async function* inChunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text))
}

const receive = async (...texts: string[]): Promise<ReceivedFile> => blobs.receive(inChunks(...texts), { maxBytes: 20 })

async function store(...texts: string[]): Promise<string> {
  const received = await receive(...texts)
  await blobs.keep(received)
  return received.sha256
}

const incoming = async (): Promise<string[]> => readdir(join(root, 'incoming'))

test('receives a stream with its size and hashes, and keeps it under its hash', async () => {
  const received = await receive('one ', 'two')
  const hash = (name: string): string => createHash(name).update('one two').digest('hex')
  expect(received).toMatchObject({ bytes: 7, sha256: hash('sha256'), md5: hash('md5') })
  await blobs.keep(received)
  const { path, bytes } = await blobs.open(received.sha256)
  expect(path).toBe(join(root, 'blobs', received.sha256.slice(0, 2), received.sha256.slice(2, 4), received.sha256))
  expect(bytes).toBe(7)
  expect(await readFile(path, 'utf8')).toBe('one two')
  expect(await incoming()).toEqual([])
})

test('an empty file is a file', async () => {
  expect(await blobs.verify(await store())).toEqual({ kind: 'intact' })
})

test('a file of exactly the limit is taken, one byte more leaves nothing', async () => {
  expect((await receive('0123456789', '0123456789')).bytes).toBe(20)
  await (await receive('x')).discard()
  await expect(receive('0123456789', '0123456789', 'x')).rejects.toThrow(FileTooLarge)
  expect(await incoming()).toEqual(['temporary-1'])
})

test('an upload that breaks off leaves nothing', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield* inChunks('half')
    throw new Error('connection reset')
  }
  await expect(blobs.receive(broken(), { maxBytes: 20 })).rejects.toThrow('connection reset')
  expect(await incoming()).toEqual([])
})

test('a discarded file is gone, and discarding it again is harmless', async () => {
  const received = await receive('one')
  await received.discard()
  await received.discard()
  expect(await blobs.has(received.sha256)).toBe(false)
  expect(await incoming()).toEqual([])
})

test('the same content from several people at once is stored once', async () => {
  const [first, ...others] = await Promise.all(['a', 'b', 'c'].map(async () => store('same')))
  expect(others).toEqual([first, first])
  expect(await Array.fromAsync(blobs.list())).toHaveLength(1)
  expect(await incoming()).toEqual([])
})

test('discarding a file after it was kept does not take the blob away', async () => {
  const received = await receive('one')
  await blobs.keep(received)
  await received.discard()
  expect(await blobs.has(received.sha256)).toBe(true)
})

test('a truncated blob is repaired by the same content', async () => {
  const sha256 = await store('whole')
  await truncate((await blobs.open(sha256)).path, 2)
  await store('whole')
  expect(await blobs.verify(sha256)).toEqual({ kind: 'intact' })
})

test('reads a range, both ends included', async () => {
  const sha256 = await store('0123456789')
  const chunks = await Array.fromAsync(blobs.createReadStream(sha256, { start: 2, end: 4 }))
  expect(Buffer.concat(chunks).toString()).toBe('234')
})

test('lists blobs in the order of their hashes', async () => {
  const stored = [await store('a'), await store('b'), await store('c')]
  const listed = await Array.fromAsync(blobs.list())
  expect(listed.map(({ sha256 }) => sha256)).toEqual(stored.toSorted())
})

test('re-hashing distinguishes damage from absence', async () => {
  const sha256 = await store('one')
  await writeFile((await blobs.open(sha256)).path, 'two')
  expect(await blobs.verify(sha256)).toMatchObject({ kind: 'damaged' })
  expect(await blobs.verify(absent)).toEqual({ kind: 'missing' })
})

test('missing files and names that are not hashes are not found', async () => {
  await store('one')
  for (const name of [absent, '../../etc/passwd', '', absent.toUpperCase()]) {
    expect(await blobs.has(name)).toBe(false)
    await expect(blobs.open(name)).rejects.toThrow(BlobMissing)
  }
  expect(() => blobs.createReadStream('../incoming/temporary-1')).toThrow(BlobMissing)
})

test('killed between receiving and keeping, only incoming files remain, and a sweep removes the old ones', async () => {
  const [left, fresh] = [await receive('left'), await receive('fresh')]
  const now = new Date('2026-01-10T12:00:00Z')
  await utimes(left.path, now, new Date('2026-01-10T10:00:00Z'))
  await utimes(fresh.path, now, new Date('2026-01-10T11:59:00Z'))
  const restarted = createBlobStore(root, { randomId: () => 'another' })
  expect(await Array.fromAsync(restarted.list())).toEqual([])
  // What a killed copy of a database has left is a folder.
  const copy = join(root, 'incoming', 'database-1')
  await mkdir(copy)
  await writeFile(join(copy, 'outlay.db'), 'half')
  await utimes(copy, now, new Date('2026-01-10T09:00:00Z'))
  expect(await restarted.sweepIncoming(3_600_000, now)).toBe(2)
  expect(await incoming()).toEqual(['temporary-2'])
  expect(await createBlobStore(join(root, 'new'), { randomId: () => 'x' }).sweepIncoming(0, now)).toBe(0)
})
