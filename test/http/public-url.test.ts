import { expect, test } from 'vitest'
import { instanceOfFile } from '#test/support/of-file'
import { sendRaw } from '#test/support/raw-http'

const instance = await instanceOfFile({ settings: { OUTLAY_PUBLIC_URL: 'https://books.example.org' } })

const hostOf = async (host: string) => {
  const credentials = Buffer.from(`${instance.member.token}:`).toString('base64')
  const headers = [`Host: ${host}`, `Authorization: Basic ${credentials}`, 'User-Agent: tests', 'Connection: close']
  const response = await sendRaw(instance.url, { line: 'GET /api/v1/uploads/new HTTP/1.1', headers })
  return { status: response.status, host: JSON.parse(response.body).host }
}

test('addresses begin with the public one behind a proxy, and otherwise with the one that was called', async () => {
  expect(await hostOf('books.example.org')).toEqual({ status: 200, host: 'https://books.example.org/uploads' })
  expect(await hostOf(new URL(instance.url).host)).toEqual({ status: 200, host: `${instance.url}/uploads` })
  expect((await hostOf('elsewhere.example.org')).status).toBe(421)
})

test('a session over https is in a cookie that only this host can set and that is sent only encrypted', async () => {
  const signIn = async (host: string) => {
    const body = JSON.stringify({ token: instance.member.token })
    const headers = [`Host: ${host}`, 'User-Agent: tests', 'Content-Type: application/json', `Content-Length: ${body.length}`]
    const response = await sendRaw(instance.url, { line: 'POST /api/v1/session HTTP/1.1', headers, body })
    return { cookie: response.headers.get('set-cookie') ?? '', cached: response.headers.get('cache-control') }
  }
  const statusWith = async (host: string, cookie: string) => {
    const headers = [`Host: ${host}`, 'User-Agent: tests', `Cookie: ${cookie}`]
    return (await sendRaw(instance.url, { line: 'GET /api/v1/session HTTP/1.1', headers })).status
  }
  const secure = await signIn('books.example.org')
  expect(secure.cookie).toMatch(/^__Host-outlay_session=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Strict; /)
  expect(secure.cached).toBe('no-store')
  const [pair = ''] = secure.cookie.split(';')
  expect(await statusWith('books.example.org', pair)).toBe(200)
  expect(await statusWith('books.example.org', pair.replace('__Host-', ''))).toBe(401)
  const plainHost = new URL(instance.url).host
  const plain = await signIn(plainHost)
  expect(plain.cookie).toMatch(/^outlay_session=[^;]+; Path=\/; HttpOnly; /)
  expect(await statusWith(plainHost, plain.cookie.split(';')[0] ?? '')).toBe(200)
})

test.each(['/user/tokens', '/session', '/uploads/new', '/devices'])('no cache keeps the response of %s', async (path) => {
  expect((await instance.member.api.get(path)).headers.get('cache-control')).toBe('no-store')
})
