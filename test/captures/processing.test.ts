import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import exifReader from 'exif-reader'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import type { Capture } from '#shared/contract/captures'
import { instanceOfFile } from '#test/support/of-file'
import { pdf, picture, pngClaiming } from '#test/files/samples'
import { type Captured, capture, listProcessed } from '#test/support/captures'
import { xmlFile } from '#test/support/sample-files'

const instance = await instanceOfFile()

/** Captures a file and waits for what is made of it. */
async function processed(file: Captured): Promise<Capture> {
  const { id } = await capture({ token: instance.member.token, url: instance.url }, file)
  const found = (await listProcessed(instance.member)).find((one) => one.id === id)
  if (!found) throw new Error('The capture is not listed.')
  return found
}

async function fileOf({ url }: Capture): Promise<Buffer> {
  return Buffer.from(await (await fetch(url ?? '')).arrayBuffer())
}

const colours = { red: '#d02010', green: '#10b020', blue: '#1030d0', white: '#f0f0f0' }
type Colour = keyof typeof colours
const corners: readonly Colour[] = ['red', 'green', 'blue', 'white']

/** A picture of four colours, one a quarter: left above, right above, left below, right below. */
function quartered(): Sharp {
  const quarters = corners.map((colour, index) => ({
    input: { create: { width: 200, height: 100, channels: 3 as const, background: colours[colour] } },
    left: (index % 2) * 200,
    top: Math.floor(index / 2) * 100,
  }))
  return sharp({ create: { width: 400, height: 200, channels: 3, background: '#000' } }).composite(quarters)
}

function blank(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#b08040' } })
}

/** The colours of a picture's quarters, in the same order. */
async function cornersOf(image: Buffer): Promise<Colour[]> {
  const pixels = await sharp(image).resize(2, 2, { fit: 'fill', kernel: 'nearest' }).removeAlpha().raw().toBuffer()
  return [0, 3, 6, 9].map((at) => {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at)
    return red > 128 && green > 128 ? 'white' : red > green && red > blue ? 'red' : green > blue ? 'green' : 'blue'
  })
}

const telling = {
  IFD2: { DateTimeOriginal: '2024:05:06 07:08:09', OffsetTimeOriginal: '-03:00' },
  IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '23/1 33/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '46/1 38/1 0/1' },
}

/** How each EXIF orientation is to be shown, by the four quarters as they are stored. */
const shown: ReadonlyArray<readonly [orientation: number, order: readonly number[]]> = [
  [1, [0, 1, 2, 3]],
  [2, [1, 0, 3, 2]],
  [3, [3, 2, 1, 0]],
  [4, [2, 3, 0, 1]],
  [5, [0, 2, 1, 3]],
  [6, [2, 0, 3, 1]],
  [7, [3, 1, 2, 0]],
  [8, [1, 3, 0, 2]],
]

test.each(shown)('a photo of orientation %i is turned upright', async (orientation, order) => {
  const bytes = await quartered().withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer()
  const made = await processed({ bytes, name: 'photo.jpg' })
  const file = await fileOf(made)
  expect(made).toMatchObject({ state: 'ready', bytes: file.length, content_type: 'image/jpeg' })
  expect(await cornersOf(file)).toEqual(order.map((index) => corners[index]))
  const { orientation: left, width } = await sharp(file).metadata()
  expect([left ?? 1, width]).toEqual([1, orientation > 4 ? 200 : 400])
  expect(made.file[0]).toMatchObject({ width })
})

test('where a photo was taken is removed, when it was taken is kept', async () => {
  const bytes = await quartered().withExif(telling).jpeg().toBuffer()
  expect(exifReader((await sharp(bytes).metadata()).exif ?? Buffer.alloc(0)).GPSInfo).toMatchObject({ GPSLatitudeRef: 'S' })
  const made = await processed({ bytes, name: 'photo.jpg', query: { captured_at: '2025-01-01' } })
  expect(made.captured_at).toBe('2024-05-06T10:08:09Z')
  const { exif, xmp } = await sharp(await fileOf(made)).metadata()
  expect([exif, xmp]).toEqual([undefined, undefined])
})

test('where a photo was taken stays for who keeps it', async () => {
  const bytes = await quartered()
    .withExif({ ...telling, IFD0: { Make: 'x' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const exif = await quartered().withExif(telling).jpeg().toBuffer()
  const made = await processed({ bytes: exif, name: 'kept.jpg', query: { keeps_location: 'true' } })
  expect(exifReader((await sharp(await fileOf(made)).metadata()).exif ?? Buffer.alloc(0)).GPSInfo).toMatchObject({
    GPSLatitude: [23, 33, 0],
  })
  const turned = await processed({ bytes, name: 'turned.jpg', query: { keeps_location: 'true' } })
  const { orientation, exif: kept } = await sharp(await fileOf(turned)).metadata()
  expect(orientation).toBe(1)
  expect(kept).toBeDefined()
})

test('a time without an offset is one where the person lives', async () => {
  await instance.member.api.send('PATCH', '/preferences', { timezone: 'America/New_York' })
  const exif = { IFD2: { DateTimeOriginal: '2024:07:01 12:00:00' } }
  const made = await processed({ bytes: await quartered().withExif(exif).jpeg().toBuffer(), name: 'summer.jpg' })
  expect(made.captured_at).toBe('2024-07-01T16:00:00Z')
})

test('photos are made smaller, a long receipt stays readable, and nothing is enlarged', async () => {
  const sizes = [
    [4000, 3000, 3000, 2250],
    [1200, 9000, 1000, 7500],
    [800, 600, 800, 600],
  ] as const
  for (const [width, height, ...expected] of sizes) {
    const { file } = await processed({ bytes: await blank(width, height).jpeg().toBuffer(), name: 'photo.jpg' })
    expect([file[0]?.width, file[0]?.height]).toEqual(expected)
  }
})

test('what needs no change stays as it came, to the byte', async () => {
  const files: Captured[] = [
    { bytes: await blank(800, 600).jpeg().toBuffer(), name: 'plain.jpg' },
    { bytes: await blank(3200, 400).png().toBuffer(), name: 'screen.png' },
    { bytes: await quartered().gif().toBuffer(), name: 'old.gif' },
    { bytes: await quartered().tiff().toBuffer(), name: 'scan.tif' },
    { bytes: pdf({ pages: 2 }), name: 'invoice.pdf' },
    { bytes: xmlFile().bytes, name: 'nfe.xml' },
  ]
  for (const file of files) {
    const made = await processed(file)
    expect(made).toMatchObject({ state: 'ready', problem: null, file_name: file.name })
    expect((await fileOf(made)).equals(file.bytes)).toBe(true)
  }
})

test('a screenshot with a location loses that and no pixel', async () => {
  const bytes = await quartered().withExif(telling).png().toBuffer()
  const file = await fileOf(await processed({ bytes, name: 'screen.png' }))
  expect((await sharp(file).metadata()).exif).toBeUndefined()
  expect((await sharp(file).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer())).toBe(true)
})

test('a picture of a telephone (HEIC) becomes a JPEG', async () => {
  const bytes = await readFile(join(import.meta.dirname, 'files/telephone.heic'))
  const made = await processed({ bytes, name: 'IMG_0001.HEIC' })
  expect(made).toMatchObject({ state: 'ready', content_type: 'image/jpeg', file_name: 'IMG_0001.jpg' })
  expect(made.captured_at).toBe('2024-05-06T10:08:09Z')
  const file = await fileOf(made)
  expect(await sharp(file).metadata()).toMatchObject({ format: 'jpeg', width: 96, height: 64 })
  expect((await sharp(file).metadata()).exif).toBeUndefined()
  expect(await cornersOf(file)).toEqual(['red', 'blue', 'red', 'blue'])
  const kept = await processed({ bytes, name: 'IMG_0002.HEIC', query: { keeps_location: '1' } })
  expect(exifReader((await sharp(await fileOf(kept)).metadata()).exif ?? Buffer.alloc(0)).GPSInfo).toMatchObject({
    GPSLatitudeRef: 'S',
    GPSLongitude: [46, 38, 0],
  })
})

test.each([
  ['a picture of 200 megapixels', 'too_many_pixels', () => pngClaiming(20_000, 10_000), /too many pixels.*Save it smaller/],
  ['half a photo', 'malformed', async () => (await picture(300, 300).jpeg().toBuffer()).subarray(0, 9000), /damaged/],
  ['a PDF of a thousand pages', 'too_many_pages', () => pdf({ pages: 1000 }), /too many pages/],
  ['a PDF that is none', 'malformed', () => Buffer.from('%PDF-1.7\nnothing'), /damaged/],
  ['a HEIC that is none', 'malformed', heicStart, /damaged/],
  ['an XML that would read other files', 'doctype', xmlWithDoctype, /document type/],
])('%s is kept as it came, and said to be unusable', async (_what, code, make, text) => {
  const bytes = await make()
  const made = await processed({ bytes, name: 'receipt' })
  expect(made).toMatchObject({ state: 'unusable', problem: { code, message: expect.stringMatching(text) }, bytes: bytes.length })
  if (made.url !== null) expect((await fileOf(made)).equals(bytes)).toBe(true)
})

async function heicStart(): Promise<Buffer> {
  return (await readFile(join(import.meta.dirname, 'files/telephone.heic'))).subarray(0, 400)
}

function xmlWithDoctype(): Uint8Array {
  return xmlFile({ prolog: '<?xml version="1.0"?><!DOCTYPE NFe [<!ENTITY x SYSTEM "file:///etc/passwd">]>' }).bytes
}

test('a PDF that unpacks to far more than it is ends in time', async () => {
  const made = await processed({ bytes: pdf({ content: '0 0 1 rg 0 0 300 600 re f '.repeat(500_000) }), name: 'bomb.pdf' })
  expect(made.state).not.toBe('processing')
})

test.each([
  ['webp', (made: Sharp) => made.webp()],
  ['avif', (made: Sharp) => made.avif()],
] as const)('a picture as %s becomes a JPEG, and a PNG where it is see-through', async (extension, encode) => {
  const opaque = await processed({ bytes: await encode(quartered()).toBuffer(), name: `photo.${extension}` })
  expect(opaque).toMatchObject({ state: 'ready', content_type: 'image/jpeg', file_name: 'photo.jpg' })
  expect(await sharp(await fileOf(opaque)).metadata()).toMatchObject({ format: 'jpeg', width: 400, height: 200 })
  const glass = sharp({ create: { width: 60, height: 40, channels: 4, background: { r: 200, g: 20, b: 10, alpha: 0.4 } } })
  const seeThrough = await processed({ bytes: await encode(glass).toBuffer(), name: `glass.${extension}` })
  expect(seeThrough).toMatchObject({ state: 'ready', content_type: 'image/png', file_name: 'glass.png' })
})
