import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { pdf } from '#test/files/samples'
import { type Captured, capture, listProcessed, sendCapture } from '#test/support/captures'
import type { Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { jpgFile, pdfFile, xmlFile } from '#test/support/sample-files'

const instance = await instanceOfFile({ settings: { OUTLAY_UPLOAD_MAX_BYTES: 1024 * 1024 } })

const as = ({ token }: Person) => ({ token, url: instance.url })
const send = (file: Captured) => sendCapture(as(instance.member), file)
const other = (text: string) => ({ bytes: pdf({ height: 40, content: `% ${text}\n0 0 1 rg 0 0 300 600 re f` }), name: 'invoice.pdf' })

test('a captured file is on the disk under its hash before the response', async () => {
  const { bytes, name } = await jpgFile()
  const { status, body } = await send({ bytes, name, query: { group: 'lunch', note: 'Lunch', captured_at: '2026-03-04T05:06:07Z' } })
  expect(status).toBe(201)
  expect(body).toMatchObject({ file_name: name, content_type: 'image/jpeg', bytes: bytes.length, source: 'drop', state: 'processing' })
  expect(body).toMatchObject({ group: 'lunch', note: 'Lunch', captured_at: '2026-03-04T05:06:07Z', repeat_of: null, expense_id: null })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(await instance.app.store.reader.db.selectFrom('blobs').select('bytes').where('sha256', '=', sha256).execute()).toEqual([
    { bytes: bytes.length },
  ])
  expect(Buffer.from(await (await fetch(body.url)).arrayBuffer()).equals(bytes)).toBe(true)
  const thumb = body.file.find(({ style }: { style: string }) => style === 'thumb')
  expect((await fetch(thumb.url)).headers.get('content-type')).toBe('image/jpeg')
})

test('a capture that is sent again under its key is kept once, and the key serves no other file', async () => {
  const person = await instance.addUser('Rita Repeat')
  const file = { ...other('sent twice'), key: 'capture-1' }
  const first = await sendCapture(as(person), file)
  const second = await sendCapture(as(person), file)
  expect(first.status).toBe(201)
  expect(second).toEqual(first)
  expect((await sendCapture(as(person), { ...other('another'), key: 'capture-1' })).status).toBe(422)
  const { body } = await person.api.get('/captures')
  expect(body).toMatchObject({ count: 1 })
  const atOnce = await Promise.all([1, 2, 3].map(() => sendCapture(as(person), { ...other('at once'), key: 'capture-2' })))
  expect(atOnce.map(({ status }) => status).every((status) => status === 201 || status === 409)).toBe(true)
  expect((await person.api.get('/captures')).body).toMatchObject({ count: 2 })
})

test('several at once are all there, newest first, in pages', async () => {
  const person = await instance.addUser('Paula Pages')
  const responses = await Promise.all(Array.from({ length: 25 }, (_, index) => sendCapture(as(person), other(`page ${index}`))))
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201))
  const ids = responses.map(({ body }) => body.id).sort((a, b) => b - a)
  const first = await person.api.get('/captures?per_page=10')
  expect(first.body).toMatchObject({ count: 25, total_pages: 3 })
  const next = /<([^>]+)>; rel=next/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const second = await person.api.get(next.replace(/^.*\/api\/v1/, ''))
  const listed = [...first.body.captures, ...second.body.captures].map(({ id }) => id)
  expect(listed).toEqual(ids.slice(0, 20))
})

test('its content decides the type of a file, whatever its name', async () => {
  const { body } = await send({ ...other('named wrongly'), name: 'photo.jpg' })
  expect(body).toMatchObject({ content_type: 'application/pdf', file_name: 'photo.jpg' })
  expect((await send({ bytes: xmlFile().bytes, name: '..\\a/b\u0000c' })).body).toMatchObject({
    content_type: 'application/xml',
    file_name: 'bc.xml',
  })
  expect((await send({ bytes: pdfFile().bytes, query: { source: 'screen' } })).body).toMatchObject({ file_name: 'screen.pdf' })
})

test.each([
  ['of another kind', new TextEncoder().encode('hello'), /JPEG, PNG/],
  ['a page that a browser would run', new TextEncoder().encode('<html><script>1</script></html>'), /JPEG, PNG/],
  ['empty', new Uint8Array(), /empty/],
  ['too large', new Uint8Array(1024 * 1024 + 1), /larger than 1 MB/],
])('a file that is %s is rejected, and nothing of it stays', async (_what, bytes, text) => {
  const before = await instance.app.store.reader.db.selectFrom('captures').select('id').orderBy('id').execute()
  const { status, body } = await send({ bytes, name: 'receipt.jpg' })
  expect(status).toBe(422)
  expect(body.errors.message).toMatch(text)
  expect(await instance.app.store.reader.db.selectFrom('captures').select('id').orderBy('id').execute()).toEqual(before)
  expect(await readdir(join(instance.folder, 'incoming'))).toEqual([])
})

test('a file whose sender goes away in the middle leaves nothing', async () => {
  const before = await instance.app.store.reader.db.selectFrom('captures').select('id').orderBy('id').execute()
  const { hostname, port } = new URL(instance.url)
  const socket = connect(Number(port), hostname)
  const credentials = Buffer.from(`${instance.member.token}:`).toString('base64')
  const head = [`Host: ${hostname}:${port}`, 'User-Agent: tests', `Authorization: Basic ${credentials}`, 'Content-Length: 100000']
  socket.write(`POST /api/v1/captures?source=drop HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
  socket.write(Buffer.alloc(50_000))
  const incoming = async () => readdir(join(instance.folder, 'incoming'))
  while ((await incoming()).length === 0) await sleep(5)
  socket.destroy()
  while ((await incoming()).length > 0) await sleep(5)
  expect(await instance.app.store.reader.db.selectFrom('captures').select('id').orderBy('id').execute()).toEqual(before)
})

test('a request that does not say how the file was captured is refused', async () => {
  const { status, body } = await send({ ...other('no source'), query: { source: 'elsewhere' } })
  expect([status, body.errors]).toEqual([422, { source: ['is not included in the list'] }])
})

test('the same content captured again is reported, not rejected, and only to its owner', async () => {
  const file = other('twice')
  const first = await capture(as(instance.analyst), file)
  expect((await capture(as(instance.analyst), { ...file, name: 'again.pdf' })).repeat_of).toBe(first.id)
  expect((await capture(as(instance.manager), file)).repeat_of).toBeNull()
})

test('captures are grouped, noted, deleted and restored only by their owner', async () => {
  const { id } = await capture(as(instance.admin), other('mine'))
  const { api } = instance.admin
  expect((await api.send('PATCH', `/captures/${id}`, { group: 'trip', note: ' Taxi' })).body).toMatchObject({ group: 'trip' })
  expect((await instance.manager.api.send('PATCH', `/captures/${id}`, { note: 'x' })).status).toBe(404)
  expect((await api.send('DELETE', `/captures/${id}`)).status).toBe(204)
  expect((await api.get('/captures')).body.captures).toEqual([])
  expect((await api.send('DELETE', `/captures/${id}`)).status).toBe(404)
  expect((await api.send('PATCH', `/captures/${id}`, { deleted_at: null })).body).toMatchObject({ id, deleted_at: null, group: 'trip' })
  expect((await listProcessed(instance.admin)).map((one) => one.id)).toEqual([id])
})

test('the desktop hands a file to the server as a stream, without a socket', async () => {
  const { bytes } = await jpgFile({ width: 900 })
  const response = await instance.app.server.inject({
    method: 'POST',
    url: '/api/v1/captures?source=opened&file_name=photo.jpg',
    headers: { host: new URL(instance.url).host, 'user-agent': 'desktop', 'x-outlay-local': instance.app.local_secret },
    payload: Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)]),
  })
  expect([response.statusCode, response.json()]).toMatchObject([201, { bytes: bytes.length, source: 'opened' }])
})
