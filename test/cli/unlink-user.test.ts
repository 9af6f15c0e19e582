import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { makeBuiltFolder, serveMeanwhile } from '#test/support/built-program'
import { startLiar } from '#test/support/doors/openid-liar'

test('user unlink lets the next sign-in connect another account with a user', async () => {
  const [liar, folder] = [await startLiar(), await makeBuiltFolder()]
  const server = await serveMeanwhile(folder, liar.settings)
  const signIn = (sub: string) => liar.signIn(server.url, { sub, email: 'ada@example.org', email_verified: true })
  expect((await signIn('first')).status).toBe(201)
  expect((await signIn('second')).status).toBe(422)
  const unlink = (email: string) => folder.run('user', 'unlink', '--email', email)
  expect((await unlink('nobody@example.org')).code).not.toBe(0)
  expect((await unlink('ada@example.org')).result).toMatchObject({ unlinked: 1 })
  expect((await signIn('second')).status).toBe(201)
  await server.stop()
  const db = new Database(join(folder.path, 'outlay.db'), { readonly: true })
  const trail = db.prepare("SELECT event, user_id, origin FROM activities WHERE event LIKE '%linked' ORDER BY id").all()
  db.close()
  const { user_id } = folder
  expect(trail).toEqual([
    { event: 'openid_linked', user_id, origin: 'openid' },
    { event: 'openid_unlinked', user_id, origin: 'cli' },
    { event: 'openid_linked', user_id, origin: 'openid' },
  ])
  await folder.remove()
  await liar.close()
})
