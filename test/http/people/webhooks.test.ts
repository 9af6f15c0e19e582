import { describe, expect, test } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import { checkedInstance } from '#test/support/contract'
import { type Json, startInstance } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { pngFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'

const instance = checkedInstance(await instanceOfFile())
const path = `/organizations/${instance.organization_id}/integrations/webhooks`

const url = 'https://hooks.example.org/outlay'
const create = async (body: object = { url }): Promise<Json> => (await instance.manager.api.send('POST', path, body)).body

describe('a webhook', () => {
  test('is made with a secret, which create and update show and nothing else does', async () => {
    const made = await create({ url, description: 'Books', secret: 'a secret of mine' })
    expect(made).toMatchObject({ url, description: 'Books', secret: 'a secret of mine' })
    const changed = await instance.manager.api.send('PUT', `${path}/${made.id}`, { secret: 'another', url: 'https://other.example' })
    expect([changed.status, changed.body]).toMatchObject([200, { url, description: 'Books', secret: 'another' }])
    const shown = await instance.manager.api.get(`${path}/${made.id}`)
    expect(shown.body).not.toHaveProperty('secret')
    const list = await instance.admin.api.get(path)
    expect(list.body.count).toBe(list.body.webhooks.length)
    expect(JSON.stringify(list.body)).not.toContain('another')
  })

  test('gets a random secret if none is given', async () => {
    const [first, second] = [await create(), await create({ url, secret: ' ' })]
    expect(first.secret).toMatch(/^[0-9a-f]{64}$/)
    expect(second.secret).toMatch(/^[0-9a-f]{64}$/)
    expect(second.secret).not.toBe(first.secret)
  })

  test('shows its secret once: a repeat says null for it, and it is kept nowhere else', async () => {
    const send = () => instance.manager.api.send('POST', path, { url, secret: 'only once' }, { 'idempotency-key': 'hook-1' })
    const [first, second] = [await send(), await send()]
    expect(second.body).toEqual({ ...first.body, secret: null })
    const kept = await instance.app.store.reader.db.selectFrom('idempotency_keys').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain('only once')
    expect(JSON.stringify((await instance.admin.api.get('/activities')).body)).not.toContain('only once')
  })

  test.each([
    [{}, { url: ["can't be blank"] }],
    [{ url: 'nonsense' }, { url: ['is invalid'] }],
    [{ url: 'ftp://example.org' }, { url: ['is invalid'] }],
    [{ url: 'https://user:secret@example.org' }, { url: ['is invalid'] }],
    [{ url: 'http://127.0.0.1/hook' }, { url: ['must lead to a public address'] }],
    [{ url: 'http://2130706433/' }, { url: ['must lead to a public address'] }],
    [{ url: 'http://0x7f.1/' }, { url: ['must lead to a public address'] }],
    [{ url: 'http://[::ffff:127.0.0.1]/' }, { url: ['must lead to a public address'] }],
    [{ url: 'http://169.254.169.254/latest' }, { url: ['must lead to a public address'] }],
    [{ url: 'http://[64:ff9b::7f00:1]/' }, { url: ['must lead to a public address'] }],
    [{ url: 'http://localhost./' }, { url: ['must lead to a public address'] }],
  ])('is refused: %j', async (body, errors) => {
    const response = await instance.manager.api.send('POST', path, body)
    expect([response.status, response.body]).toEqual([422, { errors }])
  })

  test('may lead inside where the operator allows it', async () => {
    const open = await startInstance({ settings: { OUTLAY_WEBHOOK_ALLOW_PRIVATE: true } })
    const { organization_id, manager } = open
    const hooks = `/organizations/${organization_id}/integrations/webhooks`
    expect((await manager.api.send('POST', hooks, { url: 'http://127.0.0.1:9/' })).status).toBe(201)
    await open.remove()
  })

  test('is for managers and above; strangers get a 404 with its own message', async () => {
    const { id } = await create()
    for (const person of [instance.member, instance.analyst]) {
      expect((await person.api.get(path)).status).toBe(403)
      expect((await person.api.send('DELETE', `${path}/${id}`)).status).toBe(403)
    }
    for (const response of [await instance.stranger.api.get(`${path}/${id}`), await instance.manager.api.get(`${path}/999999`)])
      expect([response.status, response.body]).toEqual([404, { errors: { message: 'Resource not Found.' } }])
  })

  test('is final when deleted, and its log with it', async () => {
    const { id } = await create()
    expect((await instance.manager.api.send('DELETE', `${path}/${id}`)).status).toBe(204)
    expect((await instance.manager.api.get(`${path}/${id}`)).status).toBe(404)
    expect((await instance.manager.api.get(`${path}/${id}/deliveries`)).status).toBe(404)
  })

  test('that has changed since is not overwritten', async () => {
    const { id } = await create()
    const stale = { 'if-match': '"stale"' }
    expect((await instance.manager.api.send('PUT', `${path}/${id}`, { description: 'x' }, stale)).status).toBe(412)
    expect((await instance.manager.api.send('DELETE', `${path}/${id}`, undefined, stale)).status).toBe(412)
  })
})

describe('the outbox', () => {
  const eventsOf = async (id: number): Promise<string[]> =>
    (await instance.manager.api.get(`${path}/${id}/deliveries?per_page=100`)).body.deliveries.map(({ event }: Json) => event).reverse()

  test('holds each event of the contract, once for each webhook, with what it is about', async () => {
    const [one, other] = [await create(), await create()]
    const { id } = await recordExpense(instance, instance.member)
    await instance.member.api.send('PATCH', `/expenses/${id}`, { description: 'Taxi' })
    const comment = (await instance.member.api.send('POST', `/expenses/${id}/comments`, { content: 'Here' })).body
    await instance.member.api.send('PUT', `/expenses/${id}/comments/${comment.id}`, { content: 'There' })
    await instance.member.api.send('DELETE', `/expenses/${id}/comments/${comment.id}`)
    await instance.manager.api.send('PUT', `/expenses/${id}/status`, { status: 'analyzing' })
    const expected = [
      ...['expense_created', 'expense_updated', 'comment_created', 'comment_updated', 'comment_destroyed'],
      'expense_updated_status',
    ]
    expect(await eventsOf(one.id)).toEqual(expected)
    expect(await eventsOf(other.id)).toEqual(expected)
    const { deliveries } = (await instance.manager.api.get(`${path}/${one.id}/deliveries`)).body
    expect(deliveries.find(({ event }: Json) => event === 'comment_created').body).toEqual({
      event: 'comment_created',
      created_at: expect.stringMatching(/Z$/),
      expense: { id, _links: [{ rel: 'self', method: 'GET', url: `${instance.url}/api/v1/expenses/${id}` }] },
      event_source: {
        id: comment.id,
        type: 'Comment',
        _links: [{ rel: 'self', method: 'GET', url: `${instance.url}/api/v1/expenses/${id}/comments/${comment.id}` }],
      },
    })
  })

  test('a receipt causes events when it comes, changes and goes', async () => {
    const { id: webhook_id } = await create()
    const { id } = await recordExpense(instance, instance.member)
    const file = await uploadFile(instance.member, await pngFile())
    const attached = await instance.member.api.send('POST', `/expenses/${id}/attachments`, { file })
    const one = `/expenses/${id}/attachments/${attached.body.id}`
    await instance.member.api.send('PATCH', one, { description: 'The receipt' })
    await instance.member.api.send('DELETE', one)
    const events = ['expense_created', 'attachment_created', 'attachment_updated', 'attachment_destroyed']
    expect(await eventsOf(webhook_id)).toEqual(events)
    const { deliveries } = (await instance.manager.api.get(`${path}/${webhook_id}/deliveries?per_page=1`)).body
    expect(deliveries[0].body.event_source).toEqual({
      id: attached.body.id,
      type: 'Attachment',
      _links: [{ rel: 'self', method: 'GET', url: `${instance.url}/api/v1${one}` }],
    })
  })

  test('has nothing of rejected writes, other records or other organizations', async () => {
    const { id } = await create()
    await instance.member.api.send('POST', '/expenses', { payer_id: instance.organization_id })
    const operations = [
      {
        method: 'POST',
        path: '/expenses',
        body: { payer_id: instance.organization_id, amount: 1, occurred_at: '2026-01-05', currency: 'BRL' },
      },
      { method: 'POST', path: '/expenses', body: {} },
    ]
    await instance.member.api.send('POST', '/batch', { atomic: true, operations })
    const settled = {
      payer_id: instance.organization_id,
      receiver_id: instance.member.user_id,
      amount: 5,
      currency: 'BRL',
      date: '2026-01-05',
    }
    await instance.manager.api.send('POST', '/advancements', settled)
    const elsewhere = (await instance.member.api.send('POST', '/organizations', { name: 'Other' })).body
    await instance.member.api.send('POST', '/expenses', { payer_id: elsewhere.id, amount: 1, occurred_at: '2026-01-05', currency: 'BRL' })
    expect(await eventsOf(id)).toEqual([])
  })
})
