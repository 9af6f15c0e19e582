import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '#main/clock'
import type { AttachmentRepresentation } from '#shared/contract/attachments'
import { instanceOfFile } from '#test/support/of-file'
import { type SampleFile, jpgFile, pdfFile, pngFile, tiffFile, xmlFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'

let offsetMs = 0
const clock: Clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + offsetMs) }

const instance = await instanceOfFile({ clock })
const { body } = await instance.member.api.send('POST', '/expenses', {
  payer: { id: instance.organization_id },
  amount: 10,
  occurred_at: '2026-01-01',
})
const expense_id: number = body.id

async function attach(file: SampleFile): Promise<AttachmentRepresentation> {
  const { body } = await instance.member.api.send('POST', `/expenses/${expense_id}/attachments`, {
    file: await uploadFile(instance.member, file),
  })
  return body
}

function urlOf({ file, preview_url }: AttachmentRepresentation, style: string): string {
  if (style === 'preview') return preview_url ?? ''
  return file.find((entry) => entry.style === style)?.url ?? ''
}

test.each<[string, () => SampleFile | Promise<SampleFile>, Record<string, [number, number]>]>([
  ['a JPEG', () => jpgFile({ width: 1200, height: 800 }), { preview: [1200, 800], medium: [300, 200], thumb: [100, 67], tiny: [48, 32] }],
  [
    'a PNG',
    () => pngFile('receipt.png', { width: 400, height: 900 }),
    { preview: [400, 900], medium: [133, 300], thumb: [44, 100], tiny: [21, 48] },
  ],
  ['a TIFF', tiffFile, { preview: [500, 700], medium: [214, 300], thumb: [71, 100], tiny: [34, 48] }],
  ['a PDF', () => pdfFile('invoice.pdf', { height: 600 }), { preview: [800, 1600], medium: [150, 300], thumb: [50, 100], tiny: [24, 48] }],
])('%s has pictures of the promised sizes', async (_name, make, sizes) => {
  const attachment = await attach(await make())
  for (const [style, [width, height]] of Object.entries(sizes)) {
    const response = await fetch(urlOf(attachment, style))
    expect(response.status).toBe(200)
    const picture = Buffer.from(await response.arrayBuffer())
    const metadata = await sharp(picture).metadata()
    expect([metadata.width, metadata.height], style).toEqual([width, height])
    expect(response.headers.get('content-type')).toBe(`image/${metadata.format}`)
    expect(response.headers.get('content-length')).toBe(String(picture.length))
    const entry = attachment.file.find((one) => one.style === style)
    if (entry && attachment.content_type !== 'application/pdf') expect([entry.width, entry.height]).toEqual([width, height])
  }
  expect(attachment.file.map(({ style }) => style)).toEqual(['original', 'medium', 'thumb', 'tiny'])
})

test('a file comes with what keeps a browser from running it', async () => {
  const response = await fetch((await attach(await jpgFile())).url)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('image/jpeg')
  expect(response.headers.get('content-disposition')).toBe(`inline; filename="receipt.jpg"; filename*=UTF-8''receipt.jpg`)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  expect(response.headers.get('cache-control')).toMatch(/^private, max-age=\d+, immutable$/)
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
})

test('a file larger than any other request may be comes back whole', async () => {
  const large = await jpgFile({ name: 'large.jpg', width: 3000, height: 2000 })
  expect(large.bytes.length).toBeGreaterThan(1.5 * 1024 * 1024)
  const { url } = await attach(large)
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(large.bytes)).toBe(true)
})

test('XML is only ever downloaded, and has no pictures', async () => {
  const attachment = await attach(xmlFile())
  const response = await fetch(attachment.url)
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="nfe\.xml"/)
  expect([attachment.file.map(({ style }) => style), attachment.preview_url]).toEqual([['original'], null])
  expect(await response.text()).toContain('<infNFe')
})

test('an address is the same for a while, so that what it names can be kept by a browser', async () => {
  const { id, url } = await attach(pdfFile('kept.pdf'))
  const { body } = await instance.member.api.get(`/expenses/${expense_id}/attachments/${id}`)
  expect(body.url).toBe(url)
  const etag = (await fetch(url)).headers.get('etag') ?? ''
  const again = await fetch(url, { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')
})

test('HEAD has the headers of GET', async () => {
  const { url, bytes } = await attach(pdfFile('head.pdf'))
  const response = await fetch(url, { method: 'HEAD' })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-length')).toBe(String(bytes))
  expect(response.headers.get('accept-ranges')).toBe('bytes')
})

describe('a signed address', () => {
  test.each<[string, (url: URL) => unknown]>([
    ['without a signature', (url) => url.searchParams.delete('signature')],
    ['without an expiry', (url) => url.searchParams.delete('expires')],
    ['with a later expiry', (url) => url.searchParams.set('expires', '99999999999')],
    ['with another signature', (url) => url.searchParams.set('signature', '0'.repeat(64))],
    ['of another style', (url) => (url.pathname = url.pathname.replace('/original/', '/tiny/'))],
    ['of another type', (url) => (url.pathname = url.pathname.replace('application-pdf', 'text-html'))],
    ['of another name', (url) => (url.pathname = url.pathname.replace('.pdf', '.html'))],
    ['of another file', (url) => (url.pathname = url.pathname.replace(/[0-9a-f]{64}/, 'a'.repeat(64)))],
  ])('%s is refused', async (_name, change) => {
    const url = new URL((await attach(pdfFile('signed.pdf'))).url)
    change(url)
    const response = await fetch(url)
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('<Code>SignatureDoesNotMatch</Code>')
  })

  test('ends', async () => {
    const { url, file } = await attach(pdfFile('ends.pdf'))
    offsetMs = Date.parse(file[0]?.expiration ?? '') - systemClock.now().getTime() + 10
    const response = await fetch(url)
    offsetMs = 0
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('<Code>AccessDenied</Code>')
    expect((await fetch(url)).status).toBe(200)
  })
})

describe('a range', () => {
  const ask = async (range: string, headers: Record<string, string> = {}) => {
    const { url } = await attach(pdfFile('range.pdf'))
    const response = await fetch(url, { headers: { range, ...headers } })
    return { status: response.status, range: response.headers.get('content-range'), bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const { bytes } = pdfFile()
  const size = bytes.length

  test.each<[string, number, number]>([
    ['bytes=0-3', 0, 4],
    ['bytes=10-10', 10, 11],
    ['bytes=100-', 100, size],
    ['bytes=-5', size - 5, size],
    [`bytes=5-${size + 100}`, 5, size],
    [`bytes=-${size + 100}`, 0, size],
  ])('%s returns that part', async (range, start, end) => {
    expect(await ask(range)).toEqual({
      status: 206,
      range: `bytes ${start}-${end - 1}/${size}`,
      bytes: Buffer.from(bytes.subarray(start, end)),
    })
  })

  test.each([`bytes=${size}-`, 'bytes=-0'])('%s can not be satisfied', async (range) => {
    expect(await ask(range)).toMatchObject({ status: 416, range: `bytes */${size}` })
  })

  test.each(['bytes=0-1,3-4', 'bytes=5-2', 'items=0-1', 'bytes=-'])('%s returns the whole file', async (range) => {
    expect(await ask(range)).toEqual({ status: 200, range: null, bytes: Buffer.from(bytes) })
  })

  test('of a file that has been replaced returns the whole file', async () => {
    expect((await ask('bytes=0-3', { 'if-range': '"other"' })).status).toBe(200)
  })
})
