import { describe, expect, test } from 'vitest'
import { startInstance } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { newExpense, recordExpense } from '#test/support/expenses'
import { sendRaw } from '#test/support/raw-http'

const instance = await instanceOfFile()

const api = () => instance.member.api

describe('a body that cannot be read', () => {
  test.each(['{', '{"a":}', 'nonsense', '{"a":1}x'])('malformed JSON %j is 400', async (text) => {
    const { status, body } = await api().send('POST', '/expenses', text)
    expect(status).toBe(400)
    expect(body).toEqual({ errors: { message: 'The request body is not valid JSON.' } })
  })

  test.each(['[]', '1', '"text"', 'true'])('JSON that is no object, %s, is 400', async (text) => {
    for (const [method, path] of [
      ['POST', '/expenses'],
      ['PATCH', '/preferences'],
      ['POST', '/batch'],
    ] as const) {
      const { status, body } = await api().send(method, path, text)
      expect(status).toBe(400)
      expect(body.errors.message).toBe('The request body must be a JSON object.')
    }
  })

  test('more than a mebibyte is 413', async () => {
    const { status, body } = await api().send('POST', '/expenses', { description: 'x'.repeat(1024 * 1024) })
    expect(status).toBe(413)
    expect(body.errors.message).toBe('The request body is too large.')
  })

  test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    '%s is 415',
    async (type) => {
      const { status, body } = await api().send('POST', '/expenses', 'a=1', { 'content-type': type })
      expect(status).toBe(415)
      expect(body.errors.message).toBe('The request body must be JSON.')
    },
  )

  test('a charset is part of JSON, not another type', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    expect((await api().send('POST', '/expenses', newExpense(instance), headers)).status).toBe(201)
  })
})

describe('a path or method that is not there', () => {
  test.each([
    ['DELETE', '/expenses', ['GET', 'HEAD', 'POST']],
    ['POST', '/expenses/1', ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']],
    ['GET', '/batch', ['POST']],
    ['PATCH', '/expenses/1/status', ['GET', 'HEAD', 'PUT']],
    ['OPTIONS', '/expenses', ['GET', 'HEAD', 'POST']],
  ])('%s %s is 405 and says what is allowed', async (method, path, allowed) => {
    const { status, headers, body } = await api().send(method, path)
    expect(status).toBe(405)
    expect(headers.get('allow')?.split(', ').sort()).toEqual([...allowed].sort())
    expect(body.errors.message).toBe('This method is not allowed here.')
  })

  test.each([
    '/nowhere',
    '/expenses/1/nothing',
    '/expenses/abc',
    '/expenses/999999',
    '/expenses/9999999999999999999',
    `/expenses/${'x'.repeat(300)}`,
    '/%zz',
  ])('%s is 404 or unreadable, with the contract’s error body', async (path) => {
    const { status, headers, body } = await api().get(path)
    expect([400, 404]).toContain(status)
    expect(body).toEqual({ errors: { message: expect.any(String) } })
    expect(headers.get('x-request-id')).toMatch(/./)
  })

  test.each([
    ['en', 'Record Not Found'],
    ['pt', 'Recurso não encontrado.'],
    ['pt-BR,pt;q=0.9', 'Recurso não encontrado.'],
    ['en;q=0.1, pt;q=0.8', 'Recurso não encontrado.'],
    ['pt;q=0.2, en;q=0.3', 'Record Not Found'],
    ['de, fr;q=0.9, pt;q=0.1', 'Recurso não encontrado.'],
    ['pt;q=0, en', 'Record Not Found'],
    ['de', 'Record Not Found'],
  ])('Accept-Language %j is worded %j', async (language, message) => {
    for (const path of ['/expenses/999999', '/nowhere'])
      expect((await api().get(path, { 'accept-language': language })).body).toEqual({ errors: { message } })
  })

  test('without Accept-Language the user’s own language is spoken', async () => {
    const person = await instance.addUser('Paula Portuguesa', 'member')
    const actor = { user_id: person.user_id, origin: 'test', request_id: null, if_match: null }
    await instance.app.store.transact(actor, async (tx) => {
      await tx.db.updateTable('users').set({ locale: 'pt' }).where('id', '=', person.user_id).execute()
    })
    const headers = [
      `Host: ${new URL(instance.url).host}`,
      'User-Agent: tests',
      `Authorization: Basic ${Buffer.from(`${person.token}:`).toString('base64')}`,
    ]
    const { body } = await sendRaw(instance.url, { line: 'GET /api/v1/expenses/999999 HTTP/1.1', headers })
    expect(JSON.parse(body)).toEqual({ errors: { message: 'Recurso não encontrado.' } })
  })
})

test('an unexpected failure is 500 with the request id, and says nothing else', async () => {
  const broken = await startInstance()
  try {
    const expense = await recordExpense(broken, broken.member)
    const actor = { user_id: broken.member.user_id, origin: 'test', request_id: null, if_match: null }
    await broken.app.store.transact(actor, async (tx) => {
      await tx.db.schema.alterTable('expense_tags').renameTo('expense_tags_gone').execute()
    })
    const { status, body } = await broken.member.api.get(`/expenses/${expense.id}`, { 'x-request-id': 'abc' })
    expect(status).toBe(500)
    expect(body).toEqual({ errors: { message: 'Something went wrong. Nothing was changed.', request_id: 'abc' } })
  } finally {
    await broken.remove()
  }
})

describe('X-Request-Id', () => {
  test.each(['abc', 'x'.repeat(64), '!~#'])('%j comes back', async (id) => {
    for (const path of ['/expenses', '/nowhere', '/health', '/expenses/0'])
      expect((await api().get(path, { 'x-request-id': id })).headers.get('x-request-id')).toBe(id)
  })

  test.each(['x'.repeat(65), 'two words', 'tab\tbed', 'é'])('%j is replaced', async (id) => {
    const answered = (await api().get('/expenses', { 'x-request-id': id })).headers.get('x-request-id')
    expect(answered).not.toBe(id)
    expect(answered).toMatch(/^[\x21-\x7e]{1,64}$/)
  })

  test('every response has a separate one', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, async () => (await api().get('/expenses')).headers.get('x-request-id')))
    expect(new Set(ids).size).toBe(5)
  })
})

test('a trailing slash makes no difference', async () => {
  expect((await api().get('/expenses/')).status).toBe(200)
})

test('an empty body of type JSON is no body', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const json = { 'content-type': 'application/json' }
  expect((await api().get('/expenses', json)).status).toBe(200)
  expect((await api().send('DELETE', `/expenses/${id}`, undefined, json)).status).toBe(204)
})

test('HEAD responds like GET without a body', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const { status, headers, body } = await api().send('HEAD', `/expenses/${id}`)
  expect(status).toBe(200)
  expect(body).toBeNull()
  expect(headers.get('etag')).toBe((await api().get(`/expenses/${id}`)).headers.get('etag'))
  expect((await api().send('HEAD', '/expenses/999999')).status).toBe(404)
})
