import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { type Respond, type Received, type Receiver, startReceiver } from '#test/support/receiver'

const receivers: Receiver[] = []
const instance = await instanceOfFile({
  settings: { OUTLAY_WEBHOOK_ALLOW_PRIVATE: true, OUTLAY_WEBHOOK_BACKOFF_MS: 1, OUTLAY_WEBHOOK_TIMEOUT_MS: 400 },
})
afterEach(async () => {
  const { body } = await instance.manager.api.get(base())
  for (const { id } of body.webhooks) await instance.manager.api.send('DELETE', `${base()}/${id}`)
  await Promise.all(receivers.splice(0).map((one) => one.close()))
})

const base = () => `/organizations/${instance.organization_id}/integrations/webhooks`

async function receive(answer?: Respond) {
  const receiver = await startReceiver(answer)
  receivers.push(receiver)
  return receiver
}

async function makeWebhook(url: string, attributes: object = {}): Promise<Json> {
  const { status, body } = await instance.manager.api.send('POST', base(), { url, ...attributes })
  expect(status).toBe(201)
  return body
}

async function listDeliveries(webhook: Json): Promise<Json[]> {
  return (await instance.manager.api.get(`${base()}/${webhook.id}/deliveries`)).body.deliveries
}

/** The deliveries of a webhook once none of them waits, oldest first. */
function finished(webhook: Json, count: number): Promise<Json[]> {
  return vi.waitFor(
    async () => {
      const deliveries = await listDeliveries(webhook)
      expect(deliveries.filter(({ state }) => state !== 'waiting')).toHaveLength(count)
      return deliveries.toReversed()
    },
    { timeout: 60_000, interval: 10 },
  )
}

function expectSigned({ headers, text }: Received, secret: string): void {
  const request_id = String(headers['x-service-requestid'])
  const signature = createHmac('sha256', secret).update(`${request_id}${text}`).digest('hex')
  expect(headers['x-service-signature']).toBe(signature)
}

const fail = (response: Parameters<Respond>[0], status = 500) => {
  response.statusCode = status
  response.end('kept out of sight')
}

test('sends a receiver the event, signed, in the words of the contract', async () => {
  const receiver = await receive()
  const webhook = await makeWebhook(receiver.url, { secret: 'of my own' })
  const expense = await recordExpense(instance, instance.member)
  const comment = await instance.member.api.send('POST', `/expenses/${expense.id}/comments`, { content: 'Late' })
  await instance.analyst.api.send('PUT', `/expenses/${expense.id}/status`, { status: 'analyzing' })
  await instance.admin.api.send('DELETE', `/expenses/${expense.id}/comments/${comment.body.id}`)
  const received = await receiver.got(4)
  expect(received.map(({ body }) => body.event)).toEqual([
    'expense_created',
    'comment_created',
    'expense_updated_status',
    'comment_destroyed',
  ])
  for (const one of received) expectSigned(one, 'of my own')
  expect(new Set(received.map(({ headers }) => headers['x-service-requestid'])).size).toBe(4)
  expect(received[0]?.headers['content-type']).toBe('application/json')
  expect(received[1]?.body).toEqual({
    event: 'comment_created',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    expense: { id: expense.id, _links: [{ rel: 'self', method: 'GET', url: `${instance.url}/api/v1/expenses/${expense.id}` }] },
    event_source: {
      id: comment.body.id,
      type: 'Comment',
      _links: [{ rel: 'self', method: 'GET', url: `${instance.url}/api/v1/expenses/${expense.id}/comments/${comment.body.id}` }],
    },
  })
  expect(
    (await finished(webhook, 4)).every(
      ({ state, attempts, last_status }) => state === 'delivered' && attempts === 1 && last_status === 200,
    ),
  ).toBe(true)
})

test('a receiver that fails four times gets the event at the fifth, by a new request each time', async () => {
  const receiver = await receive((response, count) => (count < 4 ? fail(response, [500, 404, 201, 204][count]) : void response.end()))
  const webhook = await makeWebhook(receiver.url)
  await recordExpense(instance, instance.member)
  const [delivery] = await finished(webhook, 1)
  expect(delivery).toMatchObject({ state: 'delivered', attempts: 5, last_status: 200, last_error: null, next_attempt_at: null })
  expect(receiver.received).toHaveLength(5)
  for (const one of receiver.received) expectSigned(one, webhook.secret)
  const distinct = (name: string) => new Set(receiver.received.map(({ headers }) => headers[name])).size
  expect([distinct('x-service-requestid'), distinct('x-service-deliveryid')]).toEqual([5, 1])
})

test('a receiver that never returns 200 gets the event six times; then it is dropped, and the next event gets its own six', async () => {
  const receiver = await receive((response) => fail(response, 503))
  const webhook = await makeWebhook(receiver.url)
  const first = await recordExpense(instance, instance.member)
  const second = await recordExpense(instance, instance.member)
  const deliveries = await finished(webhook, 2)
  for (const one of deliveries) expect(one).toMatchObject({ state: 'dropped', attempts: 6, last_status: 503, last_error: 'status' })
  const ids = receiver.received.map(({ body }) => body.expense.id)
  expect(ids).toEqual([...Array.from({ length: 6 }, () => first.id), ...Array.from({ length: 6 }, () => second.id)])
})

test('what comes later waits until what failed is through: the order holds', async () => {
  const receiver = await receive((response, count) => (count % 3 === 0 ? fail(response) : void response.end()))
  const webhook = await makeWebhook(receiver.url)
  const ids: number[] = []
  for (let count = 0; count < 12; count += 1) ids.push((await recordExpense(instance, instance.member)).id)
  await finished(webhook, 12)
  const told = receiver.received.filter((_, count) => count % 3 !== 0).map(({ body }) => body.expense.id)
  expect(told).toEqual(ids)
})

test.each<[string, Respond, object]>([
  ['answers nothing', () => undefined, { last_error: 'timed_out', last_status: null }],
  ['hangs up', (response) => response.destroy(), { last_error: 'no_answer', last_status: null }],
  [
    'points elsewhere',
    (response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
    { last_error: 'redirected', last_status: 302 },
  ],
])('a receiver that %s has not been notified', async (_what, answer, noted) => {
  const receiver = await receive((response, count, request) => (count === 0 ? answer(response, count, request) : void response.end()))
  const webhook = await makeWebhook(receiver.url)
  const seen: Json[] = []
  await recordExpense(instance, instance.member)
  await vi.waitFor(
    async () => {
      const [delivery] = await listDeliveries(webhook)
      seen.push(delivery)
      expect(delivery?.state).toBe('delivered')
    },
    { timeout: 60_000, interval: 1 },
  )
  const states = await instance.app.store.reader.db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhook.id)
    .execute()
  expect(states).toMatchObject([{ attempts: 2, state: 'delivered' }])
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook'])
  const failed = seen.find(({ attempts } = {}) => attempts === 1)
  if (failed) expect(failed).toMatchObject(noted)
})

test('a closed port is a failed try like any other', async () => {
  const receiver = await startReceiver()
  await receiver.close()
  const webhook = await makeWebhook(receiver.url)
  await recordExpense(instance, instance.member)
  const [delivery] = await finished(webhook, 1)
  expect(delivery).toMatchObject({ state: 'dropped', attempts: 6, last_status: null, last_error: 'connection_refused' })
})

test("nothing of a receiver's response is kept, and an endless response is cut off", async () => {
  const receiver = await receive((response) => {
    response.writeHead(200, { 'x-secret': 'inside knowledge' })
    const more = () => {
      while (response.writable && response.write('inside knowledge '.repeat(1000)));
    }
    response.on('drain', more)
    more()
  })
  const webhook = await makeWebhook(receiver.url)
  await recordExpense(instance, instance.member)
  await finished(webhook, 1)
  const { body } = await instance.manager.api.get(`${base()}/${webhook.id}/deliveries`)
  const rows = await instance.app.store.reader.db.selectFrom('webhook_deliveries').selectAll().execute()
  expect(JSON.stringify([body, rows])).not.toContain('inside knowledge')
  expect(body.deliveries[0].state).toBe('delivered')
})

test('one receiver that fails does not hold up another', async () => {
  const [bad, good] = [await receive(() => undefined), await receive()]
  await makeWebhook(bad.url)
  await makeWebhook(good.url)
  const ids: number[] = []
  for (let count = 0; count < 5; count += 1) ids.push((await recordExpense(instance, instance.member)).id)
  expect((await good.got(5)).map(({ body }) => body.expense.id)).toEqual(ids)
  expect(bad.received.length).toBeLessThan(6)
})

test('what waits for a deleted webhook is dropped and not sent', async () => {
  const receiver = await receive((response) => fail(response))
  const webhook = await makeWebhook(receiver.url)
  await recordExpense(instance, instance.member)
  await instance.manager.api.send('DELETE', `${base()}/${webhook.id}`)
  const states = () =>
    instance.app.store.reader.db.selectFrom('webhook_deliveries').select(['state']).where('webhook_id', '=', webhook.id).execute()
  await expect.poll(states).toEqual([{ state: 'dropped' }])
})

test('a finished delivery is sent once more as a new one', async () => {
  const receiver = await receive()
  const webhook = await makeWebhook(receiver.url)
  await recordExpense(instance, instance.member)
  const [first] = await finished(webhook, 1)
  const again = await instance.manager.api.send('POST', `${base()}/${webhook.id}/deliveries/${first.id}/redeliver`)
  expect([again.status, again.body.redelivery_of]).toEqual([201, first.id])
  const [one, two] = await receiver.got(2)
  expect(two?.text).toBe(one?.text)
  expect(two?.headers['x-service-requestid']).not.toBe(one?.headers['x-service-requestid'])
  expect(two && expectSigned(two, webhook.secret)).toBeUndefined()
})

describe('the outbox', () => {
  test('holds nothing of what was undone', async () => {
    const receiver = await receive()
    await makeWebhook(receiver.url)
    const create = {
      method: 'POST',
      path: '/expenses',
      body: { payer: { id: instance.organization_id }, amount: 1, occurred_at: '2026-01-01' },
    }
    const count = async () =>
      (
        await instance.app.store.reader.db
          .selectFrom('webhook_deliveries')
          .select(({ fn }) => fn.countAll().as('all'))
          .executeTakeFirst()
      )?.all
    const before = await count()
    await instance.member.api.send('POST', '/batch', { atomic: true, operations: [create, { ...create, body: {} }] })
    expect(await count()).toBe(before)
    await instance.member.api.send('POST', '/batch', { operations: [create, { ...create, body: {} }] })
    expect(await count()).toBe(Number(before) + 1)
  })
})
