import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { makeBuiltFolder, serveMeanwhile } from '#test/support/built-program'

test('the keys by which push services know an instance are made with it, and stay', async () => {
  const folder = await makeBuiltFolder()
  const database = new Database(join(folder.path, 'outlay.db'), { readonly: true })
  const stored = database.prepare("SELECT value FROM instance_settings WHERE key = 'vapid_keys'").pluck().get()
  database.close()
  const { public_key } = JSON.parse(String(stored))
  expect(public_key).toMatch(/^[\w-]{87}$/)
  const served = await serveMeanwhile(folder)
  expect((await served.api.get('/devices/key')).body).toMatchObject({ public_key })
  await served.stop()
  await folder.remove()
})
