import { afterAll, describe, expect, test } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import { type Instance, startInstance } from '#test/support/instance'
import { sendRaw } from '#test/support/raw-http'
import { xmlFile } from '#test/support/sample-files'
import { elementOf, fieldsFor, toForm } from '#test/support/upload'

const behind = 'books.example.org'
const settings = { OUTLAY_ALLOWED_HOSTS: [behind], OUTLAY_LOGIN_THROTTLE: 2 }
const trusting = await startInstance({ settings: { ...settings, OUTLAY_TRUSTED_PROXIES: ['10.0.0.0/8', '127.0.0.1'] } })
const wary = await startInstance({ settings: { ...settings, OUTLAY_TRUSTED_PROXIES: ['10.0.0.0/8'] } })
await Promise.all([trusting, wary].map((instance) => recordExpense(instance, instance.member)))
afterAll(() => Promise.all([trusting.remove(), wary.remove()]))

const basic = (token: string) => `Authorization: Basic ${Buffer.from(`${token}:`).toString('base64')}`

async function ask(instance: Instance, line: string, headers: readonly string[], body = '') {
  const host = headers.some((header) => header.startsWith('Host:')) ? [] : [`Host: ${new URL(instance.url).host}`]
  const content = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]
  return sendRaw(instance.url, { line: `${line} HTTP/1.1`, headers: [...host, 'User-Agent: tests', ...content, ...headers], body })
}
async function selfOf(instance: Instance, headers: readonly string[]): Promise<string> {
  const { body } = await ask(instance, 'GET /api/v1/expenses/1', [basic(instance.member.token), ...headers])
  return JSON.parse(body)._links[0].href
}
async function cookieOf(instance: Instance, headers: readonly string[]): Promise<string> {
  const body = JSON.stringify({ token: instance.member.token })
  const { headers: given } = await ask(instance, 'POST /api/v1/session', headers, body)
  return given.get('set-cookie') ?? ''
}

const ways = [
  ['X-Forwarded-*', [`X-Forwarded-Proto: https`, `X-Forwarded-Host: ${behind}`, 'X-Forwarded-For: 203.0.113.7']],
  ['Forwarded', [`Forwarded: for=203.0.113.7;proto=https;host=${behind}`]],
  ['both, of one mind', [`Forwarded: for="203.0.113.7:4711";proto=https;host="${behind}"`, 'X-Forwarded-For: 203.0.113.7']],
  ['a chain of proxies', [`Forwarded: for=203.0.113.7;proto=https;host=${behind}, for=10.1.2.3;proto=http`]],
] as const

describe.each(ways)('%s', (_way, headers) => {
  test('of a trusted proxy make the links and the cookie', async () => {
    expect(await selfOf(trusting, headers)).toBe(`https://${behind}/api/v1/expenses/1`)
    expect(await cookieOf(trusting, headers)).toMatch(/^__Host-outlay_session=.*; Secure;/)
  })

  test('of anyone else change nothing', async () => {
    expect(await selfOf(wary, headers)).toBe(`${wary.url}/api/v1/expenses/1`)
    expect(await cookieOf(wary, headers)).toMatch(/^outlay_session=(?!.*Secure)/)
  })
})

test('failed sign-ins count for the address that a trusted proxy names, and no other', async () => {
  const tries = async (instance: Instance, ...headers: string[]) => {
    const statuses: number[] = []
    for (let sent = 0; sent < 3; sent += 1) statuses.push((await ask(instance, 'GET /api/v1/session', [basic('guess'), ...headers])).status)
    return statuses
  }
  expect(await tries(trusting, 'X-Forwarded-For: 203.0.113.8')).toEqual([401, 401, 429])
  expect(await tries(trusting, 'Forwarded: for="[2001:db8::8]:99"')).toEqual([401, 401, 429])
  // What the client of the proxy claims lies further out than the first address that is no proxy's.
  expect(await tries(trusting, 'X-Forwarded-For: 198.51.100.1, 203.0.113.8')).toEqual([429, 429, 429])
  expect(await tries(wary, 'X-Forwarded-For: 203.0.113.9')).toEqual([401, 401, 401])
})

test('a host that the server does not accept is rejected, whichever proxy forwards it', async () => {
  const headers = [basic(trusting.member.token), 'X-Forwarded-Host: elsewhere.example.org']
  expect((await ask(trusting, 'GET /api/v1/session', headers)).status).toBe(421)
  expect((await ask(wary, 'GET /api/v1/session', [...headers, basic(wary.member.token)].slice(1))).status).toBe(200)
})

test('pages of the forwarded host are our own, and those of the host between are not', async () => {
  const from = (origin: string) =>
    ask(trusting, 'GET /api/v1/session', [basic(trusting.member.token), `X-Forwarded-Host: ${behind}`, `Origin: ${origin}`])
  expect((await from(`https://${behind}`)).status).toBe(200)
  expect((await from(trusting.url)).status).toBe(403)
})

test('two kinds of headers that contradict each other, and what cannot be read, are not heard', async () => {
  const own = `${trusting.url}/api/v1/expenses/1`
  const usual = ['X-Forwarded-For: 203.0.113.7', 'X-Forwarded-Proto: https', `X-Forwarded-Host: ${behind}`]
  expect(await selfOf(trusting, [...usual, 'Forwarded: for=198.51.100.1'])).toBe(own)
  expect(await selfOf(trusting, ['Forwarded: proto=https; host'])).toBe(own)
  expect(await selfOf(trusting, ['X-Forwarded-Proto: gopher'])).toBe(own)
})

test('the Location of an upload is an address outside the proxy, and can be attached', async () => {
  const { api } = trusting.member
  const receipt = xmlFile()
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': behind }
  const { body: credentials } = await api.get('/uploads/new', headers)
  expect(credentials.host).toBe(`https://${behind}/uploads`)
  const form = toForm(fieldsFor(credentials, receipt), receipt)
  const stored = await fetch(`${trusting.url}/uploads`, { method: 'POST', body: form, headers })
  const file = elementOf(await stored.text(), 'Location')
  expect(file).toMatch(new RegExp(`^https://${behind}/uploads/`))
  expect((await api.send('POST', '/expenses/1/attachments', { file }, headers)).status).toBe(201)
})
