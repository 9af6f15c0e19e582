import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { whileExpired } from '#test/support/expiry'
import { startInstance } from '#test/support/instance'
import { InvitationDesk } from '#test/support/invitations'
import { secretIn } from '#test/support/mailbox'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const desk = await InvitationDesk.open()
const instance = desk.instance
afterAll(() => desk.close())

test.each([
  ['es', 'te invita a unirte a', 'Te unirás como miembro'],
  ['pt', 'convida você a participar de', 'Você entrará como membro'],
  ['en', 'invites you to', 'You will join as a member'],
])('an invitation reads as a letter in %s', async (language, subject, role) => {
  await instance.admin.api.send('PATCH', '/preferences', { language })
  await desk.invited(`${language}@example.org`, 'member')
  const mail = await desk.mailbox.waitFor(`${language}@example.org`)
  expect([mail.subject, mail.text]).toEqual([`Ada Admin ${subject} Acme`, expect.stringContaining(role)])
})

test('sending stops at once where the address does not exist, and says why', async () => {
  desk.mailbox.unknown.add('nobody@example.org')
  await desk.invite(instance.admin, 'nobody@example.org')
  await expect.poll(() => desk.listed('nobody@example.org')).toMatchObject({ state: 'failed', sent_at: null })
  expect((await desk.listed('nobody@example.org')).last_error).toContain('No such user here')
  desk.mailbox.unknown.delete('nobody@example.org')
  await desk.pass(2 * dayMs)
  const { id } = await desk.listed('nobody@example.org')
  expect(desk.mailbox.mails.some(({ to }) => to?.[0]?.address === 'nobody@example.org')).toBe(false)
  await instance.admin.api.send('POST', `${desk.path}/${id}/resend`)
  await desk.mailbox.waitFor('nobody@example.org')
  await expect.poll(() => desk.listed('nobody@example.org')).toMatchObject({ state: 'sent', last_error: null })
})

test('sending waits longer and longer for a mail server that is down, and gives up after eight tries', async () => {
  await desk.mailbox.close()
  await desk.invite(instance.admin, 'down@example.org')
  const row = () =>
    instance.app.store.reader.db.selectFrom('invitations').selectAll().where('email', '=', 'down@example.org').executeTakeFirst()
  await expect.poll(() => row()).toMatchObject({ attempts: 1, last_error: expect.any(String) })
  expect(await desk.listed('down@example.org')).toMatchObject({ state: 'waiting', sent_at: null })
  for (let attempts = 2; attempts <= 8; attempts += 1) {
    await desk.pass(13 * hourMs)
    await expect.poll(() => row()).toMatchObject({ attempts })
  }
  await expect.poll(() => desk.listed('down@example.org')).toMatchObject({ state: 'failed' })
  await desk.restartMailbox()
  await desk.invite(instance.admin, 'down@example.org')
  await desk.mailbox.waitFor('down@example.org')
})

test('sending continues once the mail server is back, and after a restart', async () => {
  await desk.mailbox.close()
  await desk.invite(instance.admin, 'back@example.org')
  await expect.poll(() => desk.listed('back@example.org')).toMatchObject({ last_error: expect.any(String) })
  await desk.restartMailbox()
  await desk.pass(2 * 60_000)
  const secret = secretIn(await desk.mailbox.waitFor('back@example.org'))
  expect((await desk.accept(secret)).status).toBe(201)
})

test('sending waits while the organization is read-only', async () => {
  await desk.mailbox.close()
  await desk.invite(instance.admin, 'paused@example.org')
  await expect.poll(() => desk.listed('paused@example.org')).toMatchObject({ last_error: expect.any(String) })
  await desk.restartMailbox()
  await whileExpired(instance, async () => {
    await desk.pass(hourMs)
    await instance.stranger.api
      .send('POST', '/organizations', { name: 'Busy' })
      .then(({ body }) => instance.stranger.api.send('POST', `/organizations/${body.id}/members`, { user: { email: 'busy@example.org' } }))
    await desk.mailbox.waitFor('busy@example.org')
    const told = desk.mailbox.mails.flatMap(({ to = [] }) => to.map(({ address }) => address))
    expect(told).not.toContain('paused@example.org')
  })
  await desk.mailbox.waitFor('paused@example.org')
})

test('an invitation is too old after thirty days, until it is sent again', async () => {
  const secret = await desk.invited('old@example.org')
  const { id } = await desk.listed('old@example.org')
  await desk.pass(31 * dayMs)
  expect((await desk.accept(secret)).status).toBe(404)
  expect(await desk.listed('old@example.org')).toMatchObject({ state: 'expired' })
  await instance.admin.api.send('POST', `${desk.path}/${id}/resend`)
  const fresh = secretIn(await desk.mailbox.waitFor('old@example.org', 2))
  expect((await desk.accept(fresh)).status).toBe(201)
})

test('without a mail server the invitation is in the outbox of the data folder', async () => {
  const local = await startInstance()
  try {
    await local.admin.api.send('POST', `/organizations/${local.organization_id}/members`, { user: { email: 'box@example.org' } })
    const folder = join(local.folder, 'outbox')
    const [file = ''] = await vi.waitFor(async () => {
      const files = (await readdir(folder)).filter((name) => name.endsWith('.eml'))
      expect(files).toHaveLength(1)
      return files
    }, 60_000)
    expect(await readFile(join(folder, file), 'utf8')).toContain(`${local.url}/join#`)
    const path = `/organizations/${local.organization_id}/invitations`
    await expect
      .poll(async () => (await local.admin.api.get(path)).body.invitations)
      .toMatchObject([{ email: 'box@example.org', state: 'not_sent', sent_at: null, last_error: null }])
    expect((await local.admin.api.get('/notification_preferences')).body.mail_server).toBe(false)
    expect((await instance.admin.api.get('/notification_preferences')).body.mail_server).toBe(true)
  } finally {
    await local.remove()
  }
})
