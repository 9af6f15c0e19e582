import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attach } from '#test/support/attach'
import { sendCapture } from '#test/support/captures'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Instance, type Json, startInstance } from '#test/support/instance'
import { jpgFile, pdfFile } from '#test/support/sample-files'
import { mountSmallDisk } from '#test/support/disks/small-disk'
import { readRows } from '#test/support/sync/sync-pair'
import { elementOf, fieldsFor, getCredentials, toForm } from '#test/support/upload'

const disk = mountSmallDisk(16)
const folder = disk?.path ?? ''
afterAll(() => disk?.unmount())

const told = {
  en: 'This could not be stored: the disk is full or cannot be written to. Make room and try again. Nothing was changed.',
  pt: 'Não foi possível gravar: o disco está cheio ou não permite gravação. Libere espaço e tente de novo. Nada foi alterado.',
}
const refused = { status: 507, body: { errors: { message: told.en } } }

describe.skipIf(disk === undefined)('on a full disk (needs root, to mount a small one)', () => {
  let instance: Instance
  let expense: Json
  let before: { rows: unknown; files: readonly string[] }
  const stored = async () => ({ rows: await readRows(folder), files: (await readdir(join(folder, 'blobs'), { recursive: true })).sort() })
  beforeAll(async () => {
    instance = await startInstance({ folder })
    expense = await recordExpense(instance, instance.admin)
    await attach(instance.admin.api, expense.id, 'before.png')
    before = await stored()
    disk?.fill()
  })
  afterAll(async () => {
    disk?.makeRoom()
    await instance.close()
  })

  const add = (): Json => ({ method: 'POST', path: '/expenses', body: newExpense(instance) })
  const expectNothingChanged = async () => {
    expect(await stored()).toEqual(before)
    expect(await readdir(join(folder, 'incoming'))).toEqual([])
  }

  test.each<[name: string, method: string, path: string, body: () => unknown]>([
    ['a new record', 'POST', '/expenses', () => newExpense(instance)],
    ['a change', 'PATCH', '/expenses/:id', () => ({ description: 'changed' })],
    ['a move', 'PUT', '/expenses/:id/status', () => ({ status: 'analyzing' })],
    ['a comment', 'POST', '/expenses/:id/comments', () => ({ content: 'none' })],
    ['a deletion', 'DELETE', '/expenses/:id', () => undefined],
    ['a batch', 'POST', '/batch', () => ({ operations: [add(), add()] })],
    ['an atomic batch', 'POST', '/batch', () => ({ atomic: true, operations: [add(), add()] })],
    ['a token', 'POST', '/user/tokens', () => ({ description: 'none' })],
  ])('%s is rejected with advice, in both languages, and changes nothing', async (_name, method, path, body) => {
    const send = (headers?: Record<string, string>) =>
      instance.admin.api.send(method, path.replace(':id', String(expense.id)), body(), headers)
    expect(await send()).toMatchObject(refused)
    expect((await send({ 'accept-language': 'pt-BR' })).body.errors.message).toBe(told.pt)
    expect(await send({ 'idempotency-key': `full-${_name}` })).toMatchObject(refused)
    await expectNothingChanged()
  })

  test("an upload form is rejected in its protocol's format, and leaves nothing", async () => {
    const file = pdfFile()
    const credentials = await getCredentials(instance.admin)
    const response = await fetch(credentials.host, { method: 'POST', body: toForm(fieldsFor(credentials, file), file) })
    const text = await response.text()
    expect({ status: response.status, code: elementOf(text, 'Code'), message: elementOf(text, 'Message') }).toEqual({
      status: 507,
      code: 'InsufficientStorage',
      message: told.en,
    })
    await expectNothingChanged()
  })

  test('a capture is refused', async () => {
    const sender = { token: instance.admin.token, url: instance.url }
    expect((await sendCapture(sender, { ...(await jpgFile()), query: {} })).status).toBe(507)
    await expectNothingChanged()
  })

  test('a file of a replica and its operations are refused, so that it sends them again', async () => {
    const { bytes } = pdfFile()
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const response = await fetch(`${instance.url}/api/v1/sync/blobs/${sha256}?file_name=a.pdf&content_type=application/pdf`, {
      method: 'PUT',
      headers: {
        authorization: `Basic ${Buffer.from(`${instance.admin.token}:`).toString('base64')}`,
        'user-agent': 'tests',
        'content-type': 'application/octet-stream',
        'upload-length': String(bytes.byteLength),
      },
      body: new Uint8Array(bytes),
    })
    expect(response.status).toBe(507)
    expect(await response.json()).toEqual(refused.body)
  })

  test('everything can be read, and pictures that were not made yet are shown without being kept', async () => {
    const { body } = await instance.admin.api.get(`/expenses/${expense.id}`)
    expect(body).toMatchObject({ id: expense.id, attachments_count: 1 })
    const files: Array<{ style: string; url: string }> = body.attachments[0].file
    const statuses = await Promise.all(files.map(async ({ style, url }) => [style, (await fetch(url)).status] as const))
    for (const [style, status] of statuses) expect([style, status]).toEqual([style, 200])
  })

  test('with room again the same requests go through, also those with a key, and the pictures are there', async () => {
    disk?.makeRoom()
    const send = () => instance.admin.api.send('POST', '/expenses', newExpense(instance), { 'idempotency-key': 'full-a new record' })
    const made = await send()
    expect(made.status).toBe(201)
    expect((await send()).body.id).toBe(made.body.id)
    expect((await instance.admin.api.send('PATCH', `/expenses/${expense.id}`, { description: 'changed' })).status).toBe(200)
    const { body } = await instance.admin.api.get(`/expenses/${expense.id}`)
    for (const { url } of body.attachments[0].file) expect((await fetch(url)).status).toBe(200)
    disk?.fill()
  })
})
