import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import type { ContentType } from '#shared/domain/content-types'
import { BlobMissing, createBlobStore } from '#main/files/blob-store'
import type { Inspector } from '#main/files/inspect'
import { createInspector } from '#main/files/inspect'
import type { ThumbnailStyle } from '#main/files/inspection'
import { longestSidePx, toThumbnailSize } from '#main/files/inspection'
import type { Picture } from '#main/files/pictures'
import { createThumbnails } from '#main/files/thumbnails'
import { pdf, picture, tiff } from './samples'
import { folderOfFile } from '#test/support/of-file'

let count = 0

const root = folderOfFile('outlay-renditions-')
const blobs = createBlobStore(root, { randomId: () => `temporary-${String((count += 1))}` })
const inspector = createInspector()
const thumbnails = createThumbnails(blobs, inspector)
afterAll(() => inspector.close())

async function store(content: Uint8Array | string): Promise<string> {
  const received = await blobs.receive(Readable.from([Buffer.from(content)]), { maxBytes: 1e8 })
  await blobs.keep(received)
  return received.sha256
}

async function render(content: Uint8Array, content_type: ContentType, style: ThumbnailStyle): Promise<Picture | undefined> {
  return thumbnails.get(await store(content), content_type, style)
}

async function bytesOf(file: Picture | undefined): Promise<Buffer> {
  return Buffer.concat(file ? await file.read().toArray() : [])
}

async function sizeAndFormat(file: Picture | undefined): Promise<object> {
  const { width, height, format } = await sharp(await bytesOf(file)).metadata()
  return { width, height, format }
}

test.each([
  ['medium', { width: 300, height: 150 }],
  ['thumb', { width: 100, height: 50 }],
  ['tiny', { width: 48, height: 24 }],
  ['preview', { width: 1600, height: 800 }],
] as const)('the %s picture of a photograph fits into its square', async (style, size) => {
  const photograph = await picture(2000, 1000).jpeg().toBuffer()
  expect(await sizeAndFormat(await render(photograph, 'image/jpeg', style))).toEqual({ ...size, format: 'jpeg' })
})

test('a photograph held sideways is shown upright, and small ones are not enlarged', async () => {
  const sideways = await picture(60, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  expect(await sizeAndFormat(await render(sideways, 'image/jpeg', 'medium'))).toEqual({ width: 40, height: 60, format: 'jpeg' })
})

test('what is transparent stays so', async () => {
  const clear = await sharp({ create: { width: 200, height: 100, channels: 4, background: '#00000000' } })
    .png()
    .toBuffer()
  const file = await render(clear, 'image/png', 'thumb')
  expect(file?.content_type).toBe('image/png')
  expect(await sizeAndFormat(file)).toEqual({ width: 100, height: 50, format: 'png' })
})

test('a TIFF, which browsers do not show, has a preview', async () => {
  expect(await sizeAndFormat(await render(await picture(200, 100).tiff().toBuffer(), 'image/tiff', 'preview'))).toMatchObject({
    width: 200,
  })
})

test('a PDF is shown by its first page, as it is painted', async () => {
  const file = await render(pdf({ pages: 2, content: '1 0 0 rg 0 0 300 600 re f' }), 'application/pdf', 'medium')
  expect(await sizeAndFormat(file)).toEqual({ width: 150, height: 300, format: 'jpeg' })
  const { dominant } = await sharp(await bytesOf(file)).stats()
  expect(dominant.r).toBeGreaterThan(200)
  expect(dominant.b).toBeLessThan(60)
})

test('the text of a PDF that brings no fonts is painted', async () => {
  const text = pdf({ content: 'BT /Helvetica 90 Tf 20 300 Td (RECIBO) Tj ET' })
  const { channels } = await sharp(await bytesOf(await render(text, 'application/pdf', 'medium'))).stats()
  expect(channels[0]?.min).toBeLessThan(100)
})

test('XML and broken files have no picture', async () => {
  expect(await thumbnails.get(await store('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'text/xml', 'thumb')).toBeUndefined()
  expect(await render(tiff(1, 5000).subarray(0, 60), 'image/tiff', 'thumb')).toBeUndefined()
})

test('each picture is made once, however many ask for it', async () => {
  const sha256 = await store(await picture(300, 300).png().toBuffer())
  let made = 0
  const counting: Inspector = {
    ...inspector,
    thumbnail: async (request) => {
      made += 1
      return inspector.thumbnail(request)
    },
  }
  const fresh = createThumbnails(blobs, counting)
  const files = await Promise.all([1, 2, 3].map(async () => fresh.get(sha256, 'image/png', 'thumb')))
  expect(new Set((await Promise.all(files.map(bytesOf))).map(String)).size).toBe(1)
  await createThumbnails(blobs, counting).get(sha256, 'image/png', 'thumb')
  expect(made).toBe(1)
})

test('a picture half written when the program was killed is made again', async () => {
  const sha256 = await store(await picture(301, 300).png().toBuffer())
  const whole = await bytesOf(await thumbnails.get(sha256, 'image/png', 'thumb'))
  const folder = join(root, 'renditions', sha256.slice(0, 2))
  const path = join(folder, `${sha256}-thumb.jpg`)
  await rm(path)
  await writeFile(`${path}.part`, 'half')
  expect(await bytesOf(await thumbnails.get(sha256, 'image/png', 'thumb'))).toEqual(whole)
  expect((await stat(path)).size).toBe(whole.length)
  expect((await readdir(folder)).some((name) => name.endsWith('.part'))).toBe(false)
})

test('a blob that is not there is an error', async () => {
  await expect(thumbnails.get('0'.repeat(64), 'image/png', 'thumb')).rejects.toThrow(BlobMissing)
})

test('a picture keeps its shape within a pixel and never grows', () => {
  const sides = fc.integer({ min: 1, max: 50_000 })
  fc.assert(
    fc.property(fc.constantFrom('medium', 'thumb', 'tiny', 'preview'), sides, sides, (style, width, height) => {
      const size = toThumbnailSize(style, { width, height })
      expect(Math.max(size.width, size.height)).toBe(Math.min(longestSidePx[style], Math.max(width, height)))
      expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(1)
    }),
  )
})
