import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { initFolder } from '#test/support/built-program'
import { type BuiltServer, clientOf, isBuilt, runBuilt, startBuilt } from '#test/support/built-server'
import { inForm } from '#test/support/form'
import { type Mailbox, startMailbox } from '#test/support/mailbox'
import { eventually } from '#test/support/notifications'

let data: string
let mailbox: Mailbox
let server: BuiltServer | undefined
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'outlay-told-'))
  mailbox = await startMailbox()
})
afterEach(async () => {
  await server?.kill()
  await mailbox.close()
  await rm(data, { recursive: true, force: true })
})

test.skipIf(!isBuilt)('a process that is killed again and again loses no notification and doubles none', async () => {
  const { organization_id, token } = await initFolder(data)
  const email = 'mel@example.org'
  const organization = String(organization_id)
  const { user_id } = await runBuilt<{ user_id: number }>(
    ...['user', 'add', '--data', data, '--organization', organization, '--name', 'Mel', '--email', email, '--role', 'member'],
  )
  const rides: string[] = []
  for (let life = 1; life <= inForm(2, 4); life += 1) {
    // Its messages never get quiet in these lives: whatever it wrote down waits when it is killed.
    server = await startBuilt(data, { OUTLAY_SMTP_URL: mailbox.url, OUTLAY_MAIL_DIGEST_MS: '600000' })
    const { api } = clientOf(server, token)
    for (let ride = 1; ride <= 5; ride += 1) {
      const description = `Ride ${life}.${ride}`
      const body = { payer_id: organization_id, receiver_id: user_id, amount: 5, occurred_at: '2026-03-04', description }
      expect((await api.send('POST', '/expenses', body)).status).toBe(201)
      rides.push(description)
      // Killed at another moment of the writing down each time, the first time before it.
      await new Promise((resolve) => setTimeout(resolve, (life - 1) * 15))
    }
    await server.kill()
  }
  expect(mailbox.mails).toEqual([])
  server = await startBuilt(data, { OUTLAY_SMTP_URL: mailbox.url, OUTLAY_MAIL_DIGEST_MS: '1' })
  const told = () => mailbox.mails.flatMap(({ text = '' }) => [...text.matchAll(/^(Ride [\d.]+), /gm)].map(([, name]) => name))
  await eventually(() => (told().length >= rides.length ? true : undefined), 'message of every ride')
  expect(told().toSorted()).toEqual(rides.toSorted())
})
