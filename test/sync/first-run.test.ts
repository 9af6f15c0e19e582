import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createApp, createLog } from '#main/app'
import { recordExpense } from '#test/support/expenses'
import { type Instance, apiOf, startInstance, testSettings } from '#test/support/instance'

let remote: Instance
let folder: string
beforeEach(async () => {
  remote = await startInstance()
  folder = await mkdtemp(join(tmpdir(), 'outlay-first-run-'))
})
afterEach(async () => {
  await remote.close()
  await rm(folder, { recursive: true, force: true })
})

/** A new instance that has nobody yet, served. */
async function serveEmpty() {
  const settings = testSettings(folder)
  const app = await createApp({ data_folder: folder, settings, web_folder: null, log: createLog(settings) })
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const connect = (body: object) =>
    fetch(`${url}/api/v1/setup/remote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'test', origin: url },
      body: JSON.stringify(body),
    })
  return { app, url, connect }
}

test('a new instance connects to a server as its first step and signs its user in', async () => {
  const { id } = await recordExpense(remote, remote.admin, { description: 'Hotel' })
  const { app, url, connect } = await serveEmpty()
  const code = await app.entry_codes.issue()
  const token = remote.admin.token
  expect((await connect({ url: remote.url, token, code: 'guess' })).status).toBe(422)
  const mistyped = await connect({ url: remote.url, token: 'mistyped', code })
  expect(await mistyped.json()).toEqual({ errors: { token: ['The remote does not accept this token.'] } })
  const connected = await connect({ url: remote.url, token, code })
  expect(connected.status).toBe(201)
  const cookie = connected.headers.get('set-cookie')?.split(';')[0] ?? ''
  await app.replica.sync()
  const seen = await fetch(`${url}/api/v1/expenses/${id}`, { headers: { cookie, 'user-agent': 'test' } })
  expect(await seen.json()).toMatchObject({ id, description: 'Hotel' })
  expect((await connect({ url: remote.url, token, code })).status).toBe(422)
  expect((await apiOf(url, token).get(`/expenses/${id}`)).status).toBe(200)
  await app.close()
})
