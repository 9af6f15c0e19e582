import { expect, test } from 'vitest'
import { apiOf } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()

test('a removed member has nothing of the organization from that moment on, by token, session, batch, stream and replica', async () => {
  const { admin, organization_id, url } = instance
  const gone = await instance.addUser('Rita Removed', 'manager')
  const browser = apiOf(url, null)
  const signedIn = await browser.send('POST', '/session', { token: gone.token })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const controller = new AbortController()
  const listen = async (path: string) => {
    const { body } = await fetch(`${url}/api/v1${path}`, { headers: { cookie, 'user-agent': 'tests' }, signal: controller.signal })
    const heard: string[] = []
    const decoder = new TextDecoder()
    const reading = (async () => {
      for await (const chunk of body ?? []) heard.push(decoder.decode(chunk))
    })().catch(() => undefined)
    return { heard, reading }
  }
  const [events, pokes] = [await listen('/events'), await listen('/sync/pokes')]
  await expect.poll(() => events.heard.join('')).toContain('ready')
  expect((await gone.api.get(`/organizations/${organization_id}/tags`)).status).toBe(200)
  expect((await admin.api.send('DELETE', `/organizations/${organization_id}/members/${gone.user_id}`)).status).toBe(204)
  const operations = [{ method: 'POST', path: `/organization/${organization_id}/tags`, body: { name: 'Mine' } }]
  const statuses = [
    (await gone.api.get(`/organizations/${organization_id}/tags`)).status,
    (await browser.get(`/organizations/${organization_id}`, { cookie })).status,
    (await gone.api.send('POST', '/batch', { operations })).body.results[0].status,
  ]
  expect(statuses).toEqual([404, 404, 404])
  await expect.poll(() => events.heard.join('')).toContain('memberships')
  const before = { events: events.heard.length, pokes: pokes.heard.length }
  const { body: tag } = await admin.api.send('POST', `/organization/${organization_id}/tags`, { name: 'Secret plans' })
  // What comes next for them shows that this one did not.
  await gone.api.send('POST', '/pre_expenses', { description: 'Ride' })
  await expect.poll(() => events.heard.slice(before.events).join('')).toContain('pre_expenses')
  expect(events.heard.slice(before.events).join('')).not.toContain(tag.uid ?? '"tags"')
  expect(events.heard.slice(before.events).join('')).not.toContain('"tags"')
  expect((await gone.api.get('/session')).body.memberships).toEqual([])
  controller.abort()
  await Promise.all([events.reading, pokes.reading])
})
