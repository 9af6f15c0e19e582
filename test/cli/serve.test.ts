import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { makeBuiltFolder, makeTemporaryFolder, serveFolder, startProgram } from '#test/support/built-program'
import { capture } from '#test/support/captures'
import { apiOf } from '#test/support/instance'

const folder = await makeBuiltFolder()
afterAll(() => folder.remove())

/** A request whose headers the server has read and whose body is still to come. */
async function beginRequest(url: string) {
  const { hostname, port, host } = new URL(url)
  const body = JSON.stringify({ payer: { id: 1, type: 'Organization' }, amount: 12.5, occurred_at: '2024-05-01' })
  const socket = connect(Number(port), hostname)
  socket.setEncoding('utf8')
  let response = ''
  socket.on('data', (text: string) => (response += text))
  const head = [
    'POST /api/v1/expenses HTTP/1.1',
    `Host: ${host}`,
    `Authorization: Basic ${Buffer.from(`${folder.token}:`).toString('base64')}`,
    'User-Agent: tests',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  while (!response.includes('100 Continue')) await once(socket, 'data')
  const finish = async () => {
    const closed = once(socket, 'close')
    socket.write(body)
    await closed
    return response.slice(response.indexOf('\r\n\r\n') + 4)
  }
  return { socket, finish }
}

async function isRefused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const outcome = await Promise.race([once(socket, 'connect').then(() => false), once(socket, 'error').then(() => true)]).catch(() => true)
  socket.destroy()
  return outcome
}

describe('serve', () => {
  test('asked to stop, ends running requests, rejects new ones and exits with 0', async () => {
    const served = await serveFolder(folder)
    const request = await beginRequest(served.url)
    const stopped = served.stop('SIGTERM')
    while (!(await isRefused(served.url))) await sleep(10)
    // A signal that comes twice at once, from a terminal and from npm, is one.
    served.child.kill('SIGINT')
    const response = await request.finish()
    expect(response).toMatch(/^HTTP\/1\.1 201 /)
    expect(await stopped).toMatchObject({ code: 0 })
    expect((await folder.run('export', 'expenses', '--format', 'json')).result).toHaveLength(1)
  })

  test('serves a folder alone, writes one line, and asked to stop while the process that read a report rests, closes the database', async () => {
    const served = await serveFolder(folder)
    const second = await startProgram(['serve', '--port', '0', '--data', folder.path]).ended
    expect(second).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Another Outlay is already serving this data folder\..+\n$/),
    })
    expect((await served.api.get(`/reports/spending?group_by=month&q[payer_id_eq]=${folder.organization_id}`)).status).toBe(200)
    const { code, stdout, result } = await served.stop('SIGINT')
    expect(code).toBe(0)
    // The line has the process to stop.
    expect(result).toEqual({ url: served.url, api: `${served.url}/api/v1`, version: expect.any(String), pid: served.child.pid })
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(existsSync(join(folder.path, 'outlay.db-wal'))).toBe(false)
  })

  test('asked to stop while captures are processed, leaves them for the next start and reports no fault', async () => {
    const own = await makeBuiltFolder()
    const served = await serveFolder(own, { OUTLAY_LOG: 'error' })
    const bytes = await sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: '#b08040' } })
      .png()
      .toBuffer()
    const all = 3
    for (let index = 0; index < all; index++) await capture({ url: served.url, token: own.token }, { bytes })
    const processing = () => {
      const db = new Database(join(own.path, 'outlay.db'), { readonly: true })
      const count = db.prepare<[], number>(`SELECT count(*) FROM captures WHERE state = 'processing'`).pluck().get() ?? 0
      db.close()
      return count
    }
    await expect.poll(processing, { interval: 20 }).toBeLessThan(all)
    const left = processing()
    const { code, stderr } = await served.stop()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    // Two are processed at a time: the second may have been ready with the first.
    expect(processing()).toBeGreaterThanOrEqual(Math.max(1, left - 1))
    const again = await serveFolder(own)
    await expect.poll(processing, { interval: 100 }).toBe(0)
    await again.stop()
    await own.remove()
  })

  test('rejects a port in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const address = blocker.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const blocked = await startProgram(['serve', '--port', String(port), '--data', folder.path]).ended
    expect(blocked).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`127.0.0.1:${port} is in use`) })
    const unused = join(folder.path, 'unused')
    expect((await startProgram(['serve', '--port', String(port), '--data', unused]).ended).code).toBe(1)
    expect(existsSync(unused)).toBe(false)
    blocker.close()
  })

  test('prints an address that signs in instead, when asked to', async () => {
    const running = startProgram(['serve', '--port', '0', '--open-link', '--data', folder.path])
    await running.wrote('stderr', '/welcome#')
    running.child.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 0, stdout: '' })
  })

  test('sets a new folder up with the demo, for who carries the code to a browser', async () => {
    const path = await makeTemporaryFolder()
    const running = startProgram(['serve', '--port', '0', '--open-link', '--data', path])
    let said = ''
    running.child.stderr?.on('data', (text: string) => (said += text))
    await running.wrote('stderr', '/welcome#')
    const [, url = '', code] = /(http:\S+)\/welcome#(\S+)/.exec(said) ?? []
    const { status, body } = await apiOf(url, null).send('POST', '/setup', { kind: 'demo', code })
    expect({ status, name: body.memberships[0].organization.name, role: body.memberships[0].role }).toEqual({
      status: 201,
      name: 'Instituto Aurora',
      role: 'admin',
    })
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(0)
    await rm(path, { recursive: true })
  })

  test('asked a second time, does not wait', async () => {
    const served = await serveFolder(folder)
    const request = await beginRequest(served.url)
    served.child.kill('SIGTERM')
    await sleep(700)
    const { code, stderr } = await served.stop('SIGTERM')
    request.socket.destroy()
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'Stopped before running requests had ended.\n' })
    expect((await folder.run('doctor')).result).toEqual({ ok: true, problems: [] })
  })
})
