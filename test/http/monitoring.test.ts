import { createServer } from 'node:http'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createHealth } from '#main/monitoring/health'
import { isOnPostgres } from '#test/support/databases/database-of'
import { type Instance, startInstance } from '#test/support/instance'

let instance: Instance
afterEach(() => instance.remove())

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || !address) throw new Error('No port.')
  return address.port
}

/** Sends the text of a request; answers all that comes back. */
async function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write(text)
  let received = ''
  for await (const chunk of socket) received += String(chunk)
  return received
}

/** Has someone listen while someone else records an expense. */
async function hearOfAnExpense({ url, member, manager, organization_id }: Instance): Promise<void> {
  const abort = new AbortController()
  const authorization = `Basic ${Buffer.from(`${manager.token}:`).toString('base64')}`
  const { body } = await fetch(`${url}/api/v1/events`, { headers: { authorization, 'user-agent': 't' }, signal: abort.signal })
  await member.api.send('POST', '/expenses', { payer: { id: organization_id, type: 'Organization' }, amount: 1, occurred_at: '2026-03-04' })
  let heard = ''
  for await (const chunk of body ?? []) {
    heard += Buffer.from(chunk).toString()
    if (heard.includes('"kind":"changes"')) break
  }
  abort.abort()
}

test('probes are answered without a token and by any host name, other addresses are not', async () => {
  instance = await startInstance()
  for (const path of ['/health/live', '/health/ready', '/health/ready?from=proxy']) {
    const response = await fetch(`${instance.url}${path}`)
    expect({ status: response.status, body: await response.json() }).toEqual({ status: 200, body: { status: 'ok' } })
    expect(response.headers.get('cache-control')).toBe('no-store')
  }
  const probe = (line: string) => sendRaw(instance.url, `${line} HTTP/1.1\r\nHost: 10.1.2.3\r\nConnection: close\r\n\r\n`)
  expect(await probe('GET /health/ready')).toMatch(/^HTTP\/1\.1 200 /)
  expect(await probe('HEAD /health/ready')).toMatch(/\r\n\r\n$/)
  expect(await probe('POST /health/ready')).toMatch(/^HTTP\/1\.1 421 /)
  expect(await probe('GET /api/v1/health')).toMatch(/^HTTP\/1\.1 421 /)
})

test('a server that is about to stop, or cannot read its database, says so', async () => {
  instance = await startInstance()
  const ready = async () => {
    const response = await fetch(`${instance.url}/health/ready`)
    return { status: response.status, body: await response.json() }
  }
  instance.app.stopSoon()
  expect(await ready()).toEqual({ status: 503, body: { status: 'unavailable', troubles: ['stopping'] } })
  expect((await instance.member.api.get('/session')).status).toBe(200)
  expect((await fetch(`${instance.url}/health/live`)).status).toBe(200)
  await instance.close()
  const unreadable = createHealth({ store: instance.app.store, data_folder: instance.folder })
  expect(await unreadable.troubles()).toEqual(['database'])
})

test('figures are served at a port of their own only where one is set', async () => {
  const port = await freePort()
  instance = await startInstance({ settings: { OUTLAY_METRICS_PORT: port } })
  await instance.member.api.get('/expenses/987654')
  await instance.member.api.send('POST', '/webhooks', { url: 'http://127.0.0.1:9/none' })
  await hearOfAnExpense(instance)
  const figures = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  await expect.poll(figures).toMatch(/^outlay_feed_delay_seconds_count\{feed="pages"\} [1-9]/m)
  const text = await figures()
  expect(text).toMatch(/outlay_http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/expenses\/:id",status="404"\} 1/)
  expect(text).toMatch(/^outlay_snapshot_failures_total 0$/m)
  expect(text).toMatch(/^outlay_commits_total \d+$/m)
  expect(text).toMatch(/^outlay_queue_waiting\{queue="webhook_deliveries"\} 0$/m)
  expect(text).toMatch(/^outlay_queue_oldest_seconds\{queue="emails"\} /m)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  expect(text).not.toContain('987654')
  const ofPostgres = [
    /^outlay_database_retries_total \d+$/m,
    /^outlay_database_connections\{state="waiting"\} \d+$/m,
    /^outlay_background_work\{work="webhooks"\} 1$/m,
  ]
  for (const figure of ofPostgres) expect(figure.test(text)).toBe(isOnPostgres)
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  expect((await fetch(`${instance.url}/metrics`, { headers: { 'user-agent': 't' } })).headers.get('content-type')).not.toMatch(/version=/)
  await expect(startInstance({ settings: { OUTLAY_METRICS_PORT: port } })).rejects.toThrow(/OUTLAY_METRICS_PORT is not valid: .*EADDRINUSE/)
  await instance.close()
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
})
