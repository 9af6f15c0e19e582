import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { attach } from '#test/support/attach'
import { recordExpense } from '#test/support/expenses'
import { type Json, type Person, startInstance } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { pngFile } from '#test/support/sample-files'

let sha256: string
const instance = await instanceOfFile()
beforeAll(async () => {
  const expense = await recordExpense(instance, instance.member)
  await attach(instance.member.api, expense.id, 'a.png')
  const [row] = await instance.app.store.reader.db.selectFrom('attachments').select('sha256').execute()
  sha256 = row?.sha256 ?? ''
})

const send = (person: Pick<Person, 'token'> | null, path: string, init: RequestInit = {}) =>
  fetch(`${instance.url}/api/v1${path}`, {
    ...init,
    headers: {
      'user-agent': 'tests',
      ...(person ? { authorization: `Basic ${Buffer.from(`${person.token}:`).toString('base64')}` } : {}),
      ...init.headers,
    },
  })
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('no one gets pokes or files without credentials', async () => {
  for (const path of ['/sync/pokes', `/sync/blobs/${sha256}`]) expect((await send(null, path)).status).toBe(401)
  expect((await send(null, `/sync/blobs/${sha256}`, { method: 'PUT' })).status).toBe(401)
})

test('a file is for those who see a record that it belongs to; for others it is not there', async () => {
  const response = await send(instance.member, `/sync/blobs/${sha256}`)
  expect(digest(new Uint8Array(await response.arrayBuffer()))).toBe(sha256)
  expect((await send(instance.analyst, `/sync/blobs/${sha256}`)).status).toBe(200)
  expect((await send(instance.stranger, `/sync/blobs/${sha256}`)).status).toBe(404)
  const part = await send(instance.member, `/sync/blobs/${sha256}`, { headers: { range: 'bytes=3-5' } })
  expect({ status: part.status, length: (await part.arrayBuffer()).byteLength }).toEqual({ status: 206, length: 3 })
})

test('a file resumes where it was interrupted, and is kept only when its hash is its name', async () => {
  const { bytes } = await pngFile('new.png')
  const name = digest(bytes)
  const put = (offset: number, body: Uint8Array<ArrayBuffer>, hash = name) =>
    send(instance.member, `/sync/blobs/${hash}?file_name=new.png&content_type=image/png`, {
      method: 'PUT',
      body,
      headers: { 'content-type': 'application/octet-stream', 'upload-offset': String(offset), 'upload-length': String(bytes.length) },
    })
  const content = new Uint8Array(bytes)
  expect((await put(0, content.slice(0, 100))).headers.get('upload-offset')).toBe('100')
  const wrong = await put(0, content)
  expect({ status: wrong.status, there: wrong.headers.get('upload-offset') }).toEqual({ status: 409, there: '100' })
  expect((await put(100, content.slice(100))).status).toBe(201)
  expect((await put(0, content, 'f'.repeat(64))).status).toBe(422)
  expect(await instance.app.store.reader.db.selectFrom('blobs').select('sha256').where('sha256', '=', 'f'.repeat(64)).execute()).toEqual([])
})

test('a poke says that something changed, and nothing of it', async () => {
  const stop = new AbortController()
  const response = await send(instance.member, '/sync/pokes', { signal: stop.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe('event: poke\ndata: {}\n\n')
  await recordExpense(instance, instance.member)
  expect((await reader?.read())?.value).toBe('event: poke\ndata: {}\n\n')
  stop.abort()
})

test('all of it is described, and where replicas are not served there is nothing of it', async () => {
  const { paths } = (await instance.member.api.get<Json>('/openapi.json')).body
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/sync/push', '/sync/pokes', '/sync/blobs/{sha256}', '/replica']))
  const plain = await startInstance({ settings: { OUTLAY_SYNC: false } })
  expect((await plain.member.api.get('/sync/checksums')).status).toBe(404)
  expect((await plain.member.api.get('/sync/pokes')).status).toBe(404)
  await plain.remove()
})

test('pokes end when their token is revoked, and those of others continue', async () => {
  const listen = async (person: Person) => {
    const reader = (await send(person, '/sync/pokes')).body?.getReader()
    await reader?.read()
    return reader
  }
  const person = await instance.addUser('Rita Revoked', 'member')
  const [revoked, other] = [await listen(person), await listen(instance.member)]
  const { body } = await person.api.get('/user/tokens')
  expect((await person.api.send('DELETE', `/user/tokens/${body.tokens[0].id}`)).status).toBe(204)
  // What it still hears is of before; then it ends.
  while (!(await revoked?.read())?.done);
  await recordExpense(instance, instance.member)
  expect(new TextDecoder().decode((await other?.read())?.value)).toContain('event: poke')
  await other?.cancel()
})
