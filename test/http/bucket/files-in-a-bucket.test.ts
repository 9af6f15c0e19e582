import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { blobName } from '#main/files/blob-store'
import { systemClock } from '#main/clock'
import { capture, listProcessed, sendCapture } from '#test/support/captures'
import { recordExpense } from '#test/support/expenses'
import { startInstance } from '#test/support/instance'
import { startS3 } from '#test/support/s3'
import { type SampleFile, jpgFile, pdfFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'

let sinceMs = 0
const clock = {
  ...systemClock,
  now: () => new Date(systemClock.now().getTime() + sinceMs),
  monotonicMs: () => systemClock.monotonicMs() + sinceMs,
}
const s3 = await startS3(() => systemClock.now())
const instance = await startInstance({ clock, settings: { OUTLAY_BUCKET_TIMEOUT_MS: 500, ...s3.fileSettings } })
const jpg = await jpgFile({ width: 600, height: 400 })
afterAll(async () => {
  await instance.remove()
  await s3.close()
})
beforeEach(() => {
  s3.faults.length = 0
})

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const here = (address: string) => address.replace(/^http:\/\/[^/]+/, instance.url)
/** Every request of the method fails, for so long that none that is tried again gets through. */
const away = (...methods: string[]) =>
  s3.faults.push(...methods.flatMap((method) => Array.from({ length: 40 }, () => ({ method, kind: 'cut' }) as const)))

async function attach(file: SampleFile) {
  const { id } = await recordExpense(instance, instance.member)
  const location = await uploadFile(instance.member, file)
  return instance.member.api.send('POST', `/expenses/${id}/attachments`, { file: location })
}

test('an attachment is kept in the bucket, and given whole, in parts and as small pictures, by addresses of ours', async () => {
  const { status, body } = await attach(jpg)
  expect(status).toBe(201)
  expect(s3.objects.get(blobName(hashOf(jpg.bytes)))?.bytes).toEqual(Buffer.from(jpg.bytes))
  const whole = await fetch(here(body.url))
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(Buffer.from(jpg.bytes))
  const part = await fetch(here(body.url), { headers: { range: 'bytes=10-19' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${jpg.bytes.length}`])
  expect(Buffer.from(await part.arrayBuffer())).toEqual(Buffer.from(jpg.bytes.subarray(10, 20)))
  for (const { style, url } of body.file) {
    const shown = await fetch(here(url))
    expect([style, shown.status, (await shown.arrayBuffer()).byteLength > 0]).toEqual([style, 200, true])
  }
  expect([...s3.objects.keys()].filter((key) => key.startsWith('renditions/')).length).toBeGreaterThan(0)
  expect(await readdir(join(instance.folder, 'blobs')).catch(() => [])).toEqual([])
  expect(await readdir(join(instance.folder, 'renditions')).catch(() => [])).toEqual([])
})

test('exports take receipts from the bucket, and leave no copy behind', async () => {
  await attach(jpg)
  for (const format of ['zip', 'pdf']) {
    const { body } = await instance.member.api.send('POST', '/exports', { format })
    await vi.waitFor(async () => {
      const found = await instance.member.api.get(`/exports/${body.id}`)
      expect(found.body).toMatchObject({ state: 'finished' })
    }, 20_000)
    const { url } = (await instance.member.api.get(`/exports/${body.id}`)).body
    const file = Buffer.from(await (await fetch(here(url))).arrayBuffer())
    expect(file.length).toBeGreaterThan(jpg.bytes.length)
    if (format === 'zip') expect(file.includes(Buffer.from(jpg.bytes))).toBe(true)
  }
  // The receipt may be being read meanwhile, from a copy that goes as well.
  await vi.waitFor(async () => expect(await readdir(join(instance.folder, 'incoming'))).toEqual([]), 60_000)
})

test(
  'while the bucket is away each request for a file is 503 with a sentence, nothing is lost, and captures wait',
  { timeout: 300_000 },
  async () => {
    const { body: attached } = await attach(pdfFile('shown'))
    const sender = { token: instance.member.token, url: instance.url }
    const photo = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#b08040' } })
      .jpeg()
      .toBuffer()
    const taken = await capture(sender, { bytes: photo, name: 'photo.jpg' })
    away('GET', 'HEAD')
    const shown = await fetch(here(attached.url))
    expect([shown.status, await shown.text()]).toEqual([503, expect.stringContaining('the bucket that holds them does not respond')])
    const ready = await fetch(`${instance.url}/health/ready`)
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'unavailable', troubles: ['bucket'] }])
    expect((await fetch(`${instance.url}/health/live`)).status).toBe(200)
    away('PUT')
    const refused = await sendCapture(sender, { bytes: pdfFile('refused').bytes, name: 'refused.pdf' })
    expect([refused.status, refused.body.errors.message]).toEqual([503, expect.stringContaining('Nothing was changed')])
    await expect(attach(pdfFile('form'))).rejects.toThrow(/503.*ServiceUnavailable/s)
    await sleep(300)
    const waiting = await instance.member.api.get('/captures')
    expect(waiting.body.captures).toMatchObject([{ id: taken.id, state: 'processing' }])
    s3.faults.length = 0
    expect((await fetch(here(attached.url))).status).toBe(200)
    expect((await fetch(`${instance.url}/health/ready`)).status).toBe(200)
    await vi.waitFor(async () => expect(await listProcessed(instance.member)).toMatchObject([{ id: taken.id, state: 'ready' }]), 30_000)
  },
)

test('a file that nothing names is removed after a month, and no other', async () => {
  const { body } = await attach(jpg)
  const unnamed = blobName('a'.repeat(64))
  const lately = blobName('b'.repeat(64))
  const old = new Date(Date.now() - 40 * 86_400_000)
  const object = { bytes: Buffer.from('x'), content_type: 'x', modified: old }
  s3.objects.set(unnamed, object)
  s3.objects.set(lately, { ...object, modified: new Date(Date.now() - 20 * 86_400_000) })
  const named = blobName(hashOf(jpg.bytes))
  const stored = s3.objects.get(named)
  if (stored) s3.objects.set(named, { ...stored, modified: old })
  sinceMs += 2 * 3_600_000
  await recordExpense(instance, instance.member)
  await vi.waitFor(() => expect(s3.objects.has(unnamed)).toBe(false), 20_000)
  await sleep(100)
  expect([s3.objects.has(lately), s3.objects.has(named)]).toEqual([true, true])
  sinceMs = 0
  expect((await fetch(here(body.url))).status).toBe(200)
})

test('an instance does not start on the bucket of another one, and starts while the bucket is away', async () => {
  await expect(startInstance({ settings: { ...s3.fileSettings } })).rejects.toThrow(/OUTLAY_BUCKET_URL.*another Outlay/)
  const url = { OUTLAY_BUCKET_URL: 'http://127.0.0.1:9/receipts', OUTLAY_BUCKET_TIMEOUT_MS: 200 }
  const other = await startInstance({ settings: { ...s3.fileSettings, ...url } })
  expect((await fetch(`${other.url}/health/ready`)).status).toBe(503)
  expect((await recordExpense(other, other.member)).id).toBeGreaterThan(0)
  await other.remove()
})
