import { mkdtemp, rm } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '#main/clock'
import { createBlobStore } from '#main/files/blob-store'
import { pdf } from '#test/files/samples'
import { type Captured, capture, listProcessed } from '#test/support/captures'
import { recordExpense } from '#test/support/expenses'
import { type Instance, startInstance } from '#test/support/instance'
import { pdfFile, xmlFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'

const dayMs = 24 * 60 * 60 * 1000
let instance: Instance
let sinceMs: number
beforeEach(async () => {
  sinceMs = 0
  const now = () => new Date(systemClock.now().getTime() + sinceMs)
  instance = await startInstance({ clock: { ...systemClock, now, monotonicMs: () => systemClock.monotonicMs() + sinceMs } })
  return () => instance.remove()
})

/** A photo that is made smaller: what is attached is another file. */
async function photo(height: number): Promise<Captured> {
  const image = sharp({ create: { width: 3100, height, channels: 3, background: '#b08040' } })
  return { bytes: await image.jpeg().toBuffer(), name: `${height}.jpg` }
}
const take = (file: Captured) => capture({ token: instance.member.token, url: instance.url }, file)
const rowsOf = async (id: number) =>
  (await instance.app.store.reader.db.selectFrom('captures').selectAll().where('id', '=', id).execute())[0]
const blobs = () => createBlobStore(instance.folder, { randomId: () => 'unused' })
const kinds = async (id: number) => {
  const { original_sha256 = '', sha256 = '' } = (await rowsOf(id)) ?? {}
  return { original: (await blobs().verify(original_sha256)).kind, made: (await blobs().verify(sha256)).kind }
}
/** Lets days go by, and something happen after them. */
async function afterDays(days: number): Promise<void> {
  sinceMs += days * dayMs
  await recordExpense(instance, instance.member)
}

test('the original of a used capture stays as long as the organization says; what is attached, and what is still open, stays', async () => {
  const shared = await photo(1040)
  const [used, deleted, open, again] = [
    await take(await photo(1060)),
    await take({ bytes: pdf({ height: 40, content: '% deleted' }), name: 'deleted.pdf' }),
    await take(shared),
    await take(shared),
  ]
  await listProcessed(instance.member)
  const expense = await recordExpense(instance, instance.member)
  const attach = (ids: number[]) => instance.member.api.send('POST', '/captures/attach', { expense_id: expense.id, capture_ids: ids })
  expect((await attach([used.id, again.id])).status).toBe(201)
  expect((await instance.member.api.send('DELETE', `/captures/${deleted.id}`)).status).toBeLessThan(300)
  const whole = { original: 'intact', made: 'intact' }
  await afterDays(6)
  await new Promise((resolve) => setTimeout(resolve, 200))
  for (const { id } of [used, deleted, open, again]) expect(await kinds(id)).toEqual(whole)
  await afterDays(2)
  await vi.waitFor(async () => expect(await kinds(deleted.id)).toEqual({ original: 'missing', made: 'missing' }), 60_000)
  expect(await kinds(used.id)).toEqual(whole)
  const originals = async () => (await instance.admin.api.get(`/expenses/${expense.id}/originals`)).body.originals
  const { original_sha256, sha256 } = (await rowsOf(used.id)) ?? {}
  const [first] = await originals()
  expect(first).toMatchObject({ file_name: '1060.jpg', sha256: original_sha256, prepared_sha256: sha256, deleted_at: null })
  expect(first.sha256).not.toBe(first.prepared_sha256)
  const given = new Uint8Array(await (await fetch(first.url)).arrayBuffer())
  expect(createHash('sha256').update(given).digest('hex')).toBe(first.sha256)
  expect((await instance.manager.api.get(`/expenses/${expense.id}/originals`)).status).toBe(403)
  await instance.admin.api.send('PATCH', `/organizations/${instance.organization_id}`, { retention_years: 1 })
  await afterDays(300)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await kinds(used.id)).toEqual(whole)
  await afterDays(70)
  await vi.waitFor(async () => expect(await kinds(used.id)).toEqual({ original: 'missing', made: 'intact' }), 60_000)
  expect(await originals()).toHaveLength(1)
  // The same photo is in the inbox a second time.
  expect(await kinds(open.id)).toEqual(whole)
  const named = await instance.app.store.reader.db.selectFrom('blobs').select('sha256').execute()
  for (const { sha256 } of named) expect(await blobs().verify(sha256)).toEqual({ kind: 'intact' })
  const { body } = await instance.member.api.get(`/expenses/${expense.id}`)
  expect(body.attachments).toMatchObject([{ file_name: '1060.jpg' }, { file_name: '1040.jpg' }])
  for (const { file } of body.attachments) expect((await fetch(file[0].url)).status).toBe(200)
  // The same content can come again.
  const back = await take(await photo(1060))
  await listProcessed(instance.member)
  expect(await kinds(back.id)).toEqual(whole)
})

test('a file that was replaced in a receipt stays as long as the organization says, and then goes', async () => {
  const expense = await recordExpense(instance, instance.member)
  const path = `/expenses/${expense.id}/attachments`
  const { body } = await instance.member.api.send('POST', path, { file: await uploadFile(instance.member, pdfFile()) })
  await instance.member.api.send('PUT', `${path}/${body.id}`, { file: await uploadFile(instance.member, xmlFile()), description: null })
  await instance.admin.api.send('PATCH', `/organizations/${instance.organization_id}`, { retention_years: 1 })
  const originals = async () => (await instance.admin.api.get(`/expenses/${expense.id}/originals`)).body.originals
  const [{ sha256 }] = await originals()
  await afterDays(300)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await blobs().verify(sha256)).toEqual({ kind: 'intact' })
  expect(await originals()).toHaveLength(2)
  await afterDays(70)
  await vi.waitFor(async () => expect(await blobs().verify(sha256)).toEqual({ kind: 'missing' }), 60_000)
  expect(await originals()).toMatchObject([{ file_name: 'nfe.xml', replaced_at: null }])
})

test('a file that is kept again while it is being removed stays', async () => {
  const store = createBlobStore(await mkdtemp(join(tmpdir(), 'outlay-forget-')), { randomId: () => systemClock.uid() })
  const receive = () => store.receive(new Blob(['the same']).stream(), { maxBytes: 100 })
  const first = await receive()
  await store.keep(first)
  const [before, after] = [new Date(systemClock.now().getTime() - 1000), new Date(systemClock.now().getTime() + 1000)]
  await store.removeOld(first.sha256, before)
  expect(await store.has(first.sha256)).toBe(true)
  await Promise.all([receive().then((file) => store.keep(file)), store.removeOld(first.sha256, before)])
  expect(await store.verify(first.sha256)).toEqual({ kind: 'intact' })
  await store.removeOld(first.sha256, after)
  expect(await store.has(first.sha256)).toBe(false)
  await rm(store.root, { recursive: true })
})
