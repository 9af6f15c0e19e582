import { afterEach, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { recordExpense } from '#test/support/expenses'
import { type Instance, type Json, type Person, startInstance } from '#test/support/instance'
import { eventually, notificationsOf, untilNotified } from '#test/support/notifications'
import { type PushService, isSignedBy, makeBrowser, startPushService } from '#test/support/push-service'

const open: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

let aheadMs = 0
const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) }

async function start(settings: Record<string, unknown> = {}): Promise<{ instance: Instance; service: PushService }> {
  const service = await startPushService()
  const instance = await startInstance({ clock, settings: { OUTLAY_MAIL_DIGEST_MS: 1, OUTLAY_WEBHOOK_ALLOW_PRIVATE: true, ...settings } })
  open.push(
    () => service.close(),
    () => instance.remove(),
  )
  return { instance, service }
}

const browser = makeBrowser(7)

async function subscribe({ api }: Person, { url }: PushService, path = '/one'): Promise<Json> {
  const { status, body } = await api.send('POST', '/devices', { name: 'Laptop', endpoint: `${url}${path}`, keys: browser.keys })
  expect(status).toBe(201)
  return body
}

const forMember = (instance: Instance, attributes: Record<string, unknown> = {}): Promise<Json> =>
  recordExpense(instance, instance.analyst, { receiver: { id: instance.member.user_id, type: 'User' }, ...attributes })

const arrivedAt = (service: PushService, count: number) =>
  eventually(() => (service.arrived.length >= count ? service.arrived : undefined), `push ${count}`)

const mobileOf = async (instance: Instance) =>
  (await notificationsOf(instance, instance.member.user_id)).filter(({ channel }) => channel === 'mobile')

test('a push is sealed for its device, signed by the instance, and words what happened', async () => {
  const { instance, service } = await start()
  await instance.member.api.send('PATCH', '/preferences', { locale: 'pt' })
  await subscribe(instance.member, service)
  const { id } = await forMember(instance, { description: 'Táxi', amount: 62.5 })
  const [push] = await arrivedAt(service, 1)
  if (!push) throw new Error('Nothing arrived.')
  expect(push.body.includes('Táxi')).toBe(false)
  const { title, ...rest } = browser.read(push.body)
  expect(title.replaceAll('\u00a0', ' ')).toBe('Táxi · BRL 62,50')
  expect(rest.body.replaceAll('\u00a0', ' ')).toBe('Ann Analyst criou a despesa de BRL 62,50.')
  expect(rest).toMatchObject({ url: `/expenses/${id}`, tag: `Expense ${id}` })
  const { public_key } = (await instance.member.api.get('/devices/key')).body
  expect(isSignedBy(public_key, push, service.url)).toBe(true)
  expect(push.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' })
  await eventually(async () => (await mobileOf(instance)).find(({ state }) => state === 'sent'), 'sent push')
})

test('what comes close together is one push from the fourth on', async () => {
  const { instance, service } = await start({ OUTLAY_MAIL_DIGEST_MS: 7_500 })
  await subscribe(instance.member, service)
  const { id } = await forMember(instance, { description: 'Taxi' })
  for (let amount = 1; amount <= 5; amount += 1) await instance.analyst.api.send('PATCH', `/expenses/${id}`, { amount })
  const [push] = await arrivedAt(service, 1)
  expect(browser.read(push?.body ?? Buffer.of())).toEqual({ title: '6 changes', body: 'Taxi', url: `/expenses/${id}`, tag: 'changes' })
  await eventually(async () => ((await mobileOf(instance)).every(({ state }) => state === 'sent') ? true : undefined), 'end')
  expect(service.arrived).toHaveLength(1)
})

test.each([404, 410])('a device whose subscription has ended (%i) gets no more', async (status) => {
  const { instance, service } = await start()
  service.answers.set('/one', status)
  await subscribe(instance.member, service)
  await forMember(instance)
  await eventually(async () => (await mobileOf(instance)).find(({ state }) => state === 'failed'), 'failed push')
  const { body } = await instance.member.api.get('/devices')
  expect(body.devices[0].gone_at).toEqual(expect.any(String))
  await forMember(instance)
  await untilNotified(instance)
  expect(await mobileOf(instance)).toHaveLength(1)
  service.answers.clear()
  expect((await subscribe(instance.member, service)).gone_at).toBeNull()
  await forMember(instance)
  await arrivedAt(service, 2)
})

test.each([429, 503])('a push service that cannot just now (%i) is asked again later', async (status) => {
  const { instance, service } = await start()
  service.answers.set('/one', status)
  await subscribe(instance.member, service)
  await forMember(instance)
  const row = await eventually(async () => (await mobileOf(instance)).find(({ attempts }) => attempts === 1), 'first try')
  expect(row).toMatchObject({ state: 'waiting', last_error: `the push service answered ${status}` })
  service.answers.clear()
  aheadMs += 61_000
  await instance.admin.api.send('PATCH', '/preferences', { default_currency: 'USD' })
  await arrivedAt(service, 2)
  await eventually(async () => (await mobileOf(instance)).find(({ state }) => state === 'sent'), 'sent push')
})

test('what waits for one device does not wait for another', async () => {
  const { instance, service } = await start()
  service.answers.set('/one', 500)
  await subscribe(instance.member, service, '/one')
  await subscribe(instance.member, service, '/two')
  await forMember(instance)
  await eventually(() => service.arrived.find(({ path }) => path === '/two'), 'push to the second device')
})

test('a name that leads inside is refused when something is sent', async () => {
  const { instance } = await start({ OUTLAY_WEBHOOK_ALLOW_PRIVATE: false })
  const endpoint = 'https://localhost.localdomain/one'
  const made = await instance.member.api.send('POST', '/devices', { name: 'Laptop', endpoint, keys: browser.keys })
  expect(made.status).toBe(201)
  await forMember(instance)
  const row = await eventually(async () => (await mobileOf(instance)).find(({ last_error }) => last_error !== null), 'refused push')
  // A machine that does not know the name at all finds nothing to refuse.
  expect(row.last_error).toMatch(/^the address leads inside$|ENOTFOUND|EAI_AGAIN/)
})
