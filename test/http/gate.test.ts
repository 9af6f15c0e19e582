import { describe, expect, test } from 'vitest'
import { instanceOfFile } from '#test/support/of-file'
import { sendRaw } from '#test/support/raw-http'

const instance = await instanceOfFile({ settings: { OUTLAY_ALLOWED_HOSTS: ['expenses.example.org'] } })
const host: string = new URL(instance.url).host

const get = (headers: readonly string[], asked = 'GET /api/v1/health') =>
  sendRaw(instance.url, { line: `${asked} HTTP/1.1`, headers: ['User-Agent: tests', ...headers] })

describe('a request is not looked at', () => {
  test.each([
    ['without a Host', () => []],
    ['with two Hosts', () => [`Host: ${host}`, `Host: ${host}`]],
    ['for a foreign Host', () => ['Host: evil.example']],
    ['for a name that only begins like ours', () => [`Host: localhost.evil.example:${new URL(instance.url).port}`]],
  ])('%s: 421', async (_name, headers) => {
    const { status, headers: answered, body } = await get(headers())
    expect(status).toBe(421)
    expect(JSON.parse(body)).toEqual({ errors: { message: 'This server does not serve that host.' } })
    expect(answered.get('x-request-id')).toMatch(/^[\x21-\x7e]{1,64}$/)
  })

  test.each([
    ['from a foreign origin', ['Origin: https://evil.example']],
    ['from an opaque origin', ['Origin: null']],
    ['from the same name on another port', ['Origin: http://127.0.0.1:1']],
    ['from another site', ['Sec-Fetch-Site: cross-site']],
  ])('%s: 403', async (_name, headers) => {
    const { status, body } = await get([`Host: ${host}`, ...headers, 'Accept-Language: pt'])
    expect(status).toBe(403)
    expect(JSON.parse(body)).toEqual({ errors: { message: expect.stringMatching(/recusad/) } })
  })
})

test.each([
  ['by its loopback address', () => [`Host: ${host}`]],
  ['as localhost', () => [`Host: LocalHost:${new URL(instance.url).port}`]],
  ['through a tunnel with another port', () => ['Host: localhost:1', 'Origin: http://localhost:1', 'Sec-Fetch-Site: same-origin']],
  ['through a tunnel with the port that addresses leave out', () => ['Host: 127.0.0.1']],
  ['by a name that its operator set', () => ['Host: expenses.example.org']],
  ['from its own origin', () => [`Host: ${host}`, `Origin: http://${host}`, 'Sec-Fetch-Site: same-origin']],
])('a request passes %s', async (_name, headers) => {
  expect((await get(headers())).status).toBe(200)
})

test('a link on another site opens a page of ours in a tab, and nothing else', async () => {
  const fetched = (destination: string) => [
    `Host: ${host}`,
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Mode: navigate',
    `Sec-Fetch-Dest: ${destination}`,
  ]
  const opened = async (asked: string, destination = 'document') => (await get(fetched(destination), asked)).status
  // This instance serves no pages: what passes is not found.
  for (const page of ['/', '/review/12?q=1', '/sign-in/openid?code=a&state=b']) expect(await opened(`GET ${page}`)).toBe(404)
  for (const path of ['/api/v1/health', '/API/v1/health', '/%61pi/v1/health', '/files/x', '/uploads', '/a/../api/v1/health'])
    expect(await opened(`GET ${path}`)).toBe(403)
  expect(await opened('POST /review')).toBe(403)
  expect(await opened('GET /review', 'iframe')).toBe(403)
})

test('no response has a CORS header', async () => {
  const lines = ['GET /api/v1/health HTTP/1.1', 'OPTIONS /api/v1/expenses HTTP/1.1', 'OPTIONS /api/v1/health HTTP/1.1']
  for (const line of lines)
    for (const origin of [`http://${host}`, 'https://evil.example']) {
      const headers = [`Host: ${host}`, 'User-Agent: tests', `Origin: ${origin}`, 'Access-Control-Request-Method: GET']
      const response = await sendRaw(instance.url, { line, headers })
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
})
