import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Instance, startInstance } from '#test/support/instance'
import { sendRaw } from '#test/support/raw-http'

let instance: Instance
beforeAll(async () => {
  instance = await startInstance({ settings: { OUTLAY_PUBLIC_URL: 'https://books.example.org' } })
})
afterAll(() => instance.remove())

const hostOf = async (host: string) => {
  const credentials = Buffer.from(`${instance.member.token}:`).toString('base64')
  const headers = [`Host: ${host}`, `Authorization: Basic ${credentials}`, 'User-Agent: tests', 'Connection: close']
  const answer = await sendRaw(instance.url, { line: 'GET /api/v1/uploads/new HTTP/1.1', headers })
  return { status: answer.status, host: JSON.parse(answer.body).host }
}

test('behind a proxy, addresses begin with the public one; beside it, with the one that was called', async () => {
  expect(await hostOf('books.example.org')).toEqual({ status: 200, host: 'https://books.example.org/uploads' })
  expect(await hostOf(new URL(instance.url).host)).toEqual({ status: 200, host: `${instance.url}/uploads` })
  expect((await hostOf('elsewhere.example.org')).status).toBe(421)
})
