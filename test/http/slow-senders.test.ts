import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBlobStore } from '#main/files/blob-store'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile({
  settings: { OUTLAY_REQUEST_TIMEOUT_MS: 400, OUTLAY_PARTIAL_UPLOADS: 2, OUTLAY_PARTIAL_UPLOAD_BYTES: 1000, OUTLAY_UPLOAD_MAX_BYTES: 900 },
})

const basic = () => `Basic ${Buffer.from(`${instance.member.token}:`).toString('base64')}`

/** Sends a byte of `rest` now and then, for as long as the connection is open; answers what came back. */
function trickle(head: string, rest: string): Promise<string> {
  const { hostname, port, host } = new URL(instance.url)
  const start = head.replace('HOST', host)
  return new Promise((resolve) => {
    let [received, at] = ['', 0]
    let timer: NodeJS.Timeout | undefined
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(start)
      timer = setInterval(() => socket.write(rest[at++ % rest.length] ?? ''), 20)
    })
    socket.on('data', (chunk) => (received += chunk.toString('utf8')))
    // The server may close while a byte is on its way.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(timer)
      resolve(received)
    })
  })
}

/** Requests that are not whole yet; HOST stands for the server's. */
const begun: Array<[string, () => string]> = [
  ['headers', () => 'GET /api/v1/health HTTP/1.1\r\nHost: HOST\r\nX-Slow: '],
  [
    'a JSON body',
    () =>
      `POST /api/v1/expenses HTTP/1.1\r\nHost: HOST\r\nUser-Agent: t\r\nAuthorization: ${basic()}\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n{`,
  ],
  [
    'a file',
    () =>
      `POST /uploads HTTP/1.1\r\nHost: HOST\r\nUser-Agent: t\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n--b\r\n`,
  ],
]

test.each(begun)('a request that trickles %s ends after the limit, and others are served', async (_what, head) => {
  const answered = trickle(head(), 'a')
  expect((await instance.member.api.get('/session')).status).toBe(200)
  expect(await answered).toMatch(/^HTTP\/1\.1 408 /)
  expect(await readdir(join(instance.folder, 'incoming')).catch(() => [])).toEqual([])
})

test.each(begun)('a request that is cut in %s is answered with 408, as nothing is wrong with it', async (_what, head) => {
  const { hostname, port, host } = new URL(instance.url)
  let received = ''
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () => socket.end(head().replace('HOST', host)))
  socket.on('data', (chunk) => (received += chunk.toString('utf8')))
  await once(socket, 'close')
  expect(received).toMatch(/^HTTP\/1\.1 408 /)
  expect(received).toContain('"message":"The request ended before it was complete. Send it again."')
})

const put = async (name: string, { total = 300, person = instance.member, bytes = 10, offset = 0 } = {}) => {
  const sha256 = createHash('sha256').update(name).digest('hex')
  const response = await fetch(`${instance.url}/api/v1/sync/blobs/${sha256}?file_name=a.pdf&content_type=application/pdf`, {
    method: 'PUT',
    headers: {
      authorization: `Basic ${Buffer.from(`${person.token}:`).toString('base64')}`,
      ...{ 'user-agent': 'tests', 'content-type': 'application/octet-stream' },
      ...{ 'upload-offset': String(offset), 'upload-length': String(total) },
    },
    body: new Uint8Array(bytes),
  })
  return response.status
}

test('files that have not come whole are limited in number and bytes, for each user', async () => {
  expect(await put('one')).toBe(200)
  const together = await Promise.all(['two', 'three', 'four'].map((name) => put(name)))
  expect(together.filter((status) => status === 200).length).toBeLessThanOrEqual(1)
  expect(together.every((status) => [200, 429].includes(status))).toBe(true)
  expect((await readdir(join(instance.folder, 'incoming'))).length).toBeLessThanOrEqual(2)
  const { manager } = instance
  expect(await put('one', { person: manager, total: 900, bytes: 800 })).toBe(200)
  expect(await put('two', { person: manager, total: 300 })).toBe(429)
  expect(await put('two', { person: manager, total: 200 })).toBe(200)
  // What was begun can go on.
  expect(await put('one', { person: manager, total: 900, bytes: 10, offset: 800 })).toBe(200)
})

test('what never came whole is removed after a day', async () => {
  const blobs = createBlobStore(instance.folder, { randomId: () => 'x' })
  const later = (hours: number) => new Date(Date.now() + hours * 60 * 60 * 1000)
  expect(await blobs.sweepIncoming(24 * 60 * 60 * 1000, later(23))).toBe(0)
  expect(await blobs.sweepIncoming(24 * 60 * 60 * 1000, later(25))).toBeGreaterThan(0)
  expect(await readdir(join(instance.folder, 'incoming'))).toEqual([])
})
