import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import { getWithBody, sendRaw } from '#test/support/raw-http'
import { startInstance } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { pngFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'

const instance = await instanceOfFile()

const headersOf = (more: readonly string[] = [], token = instance.member.token) => [
  `Host: ${new URL(instance.url).host}`,
  'User-Agent: old-client',
  `Authorization: Basic ${Buffer.from(`${token}:X`).toString('base64')}`,
  ...more,
]

describe('what clients send without a body', () => {
  test.each(['GET', 'DELETE', 'POST'])('%s may name any content type where there is no content', async (method) => {
    const { id } = await recordExpense(instance, instance.member)
    const path = method === 'POST' ? '/expenses' : `/expenses/${id}`
    for (const length of [[], ['Content-Length: 0']]) {
      const headers = headersOf(['Content-Type: application/x-www-form-urlencoded', ...length])
      const { status } = await sendRaw(instance.url, { line: `${method} /api/v1${path} HTTP/1.1`, headers })
      expect(status).not.toBe(415)
    }
  })

  test('an unknown address is not found, whatever content type it names', async () => {
    expect((await instance.member.api.get('/nothing-here')).status).toBe(404)
  })
})

describe('filters that are too much', () => {
  test.each([
    ['a long list', { id_in: Array.from({ length: 40_000 }, (_, index) => index) }, 'id_in has a value of the wrong type'],
    ['a long text', { description_cont: 'a'.repeat(60_000) }, 'description_cont has a value of the wrong type'],
    ['a long search', { search: 'a '.repeat(60_000) }, 'search takes at most 10 words and 200 characters'],
  ])('%s is refused, and the server lives on', async (_what, q, message) => {
    const response = await getWithBody(instance.url, instance.member, { path: '/expenses', body: { q } })
    expect(response).toEqual({ status: 422, body: { errors: { q: [message] } } })
    expect((await instance.member.api.get('/health')).status).toBe(200)
  })

  test('an order of too many attributes is refused', async () => {
    const body = { sort: 'amount,'.repeat(3000) }
    const response = await getWithBody(instance.url, instance.member, { path: '/expenses', body })
    expect(response.status).toBe(422)
  })

  test.each(['/user/tokens', '/expenses/:id/attachments'])('%s has no filters, and says so', async (path) => {
    const { id } = await recordExpense(instance, instance.member)
    const { status, body } = await instance.member.api.get(`${path.replace(':id', id)}?q[id_eq]=1`)
    expect({ status, body }).toEqual({ status: 422, body: { errors: { q: ['id_eq is not a filter of this list'] } } })
  })
})

describe('bodies', () => {
  const nested = (depth: number) => `{"x":${'['.repeat(depth)}"]]"${']'.repeat(depth)}}`

  test('one nested out of all measure is malformed, with a key to repeat it by or without', async () => {
    const path = '/preferences'
    expect((await instance.member.api.send('PATCH', path, nested(100))).status).toBe(200)
    expect((await instance.member.api.send('PATCH', path, nested(100_000))).status).toBe(400)
    expect((await instance.member.api.send('PATCH', path, nested(100_000), { 'idempotency-key': 'deep' })).status).toBe(400)
  })

  test('a missing party is blank, by either way to name one', async () => {
    const common = { amount: 1, occurred_at: '2026-03-04' }
    for (const party of [{ payer: null }, { payer: {} }, { payer_id: null }, { payer: { id: null, type: 'Organization' } }]) {
      const { status, body } = await instance.member.api.send('POST', '/expenses', { ...common, ...party })
      expect({ status, body }).toEqual({ status: 422, body: { errors: { payer: ["can't be blank"] } } })
    }
  })

  test('a blank currency is blank and nothing else', async () => {
    const { body } = await instance.member.api.send('PATCH', '/preferences', { default_currency: '' })
    expect(body).toEqual({ errors: { default_currency: ["can't be blank"] } })
  })

  test('a move may say null for what it does not need', async () => {
    const { id } = await recordExpense(instance, instance.member)
    const nothing = { approved_amount: null, approved_amount_currency: null, ignore_noncompliant: null, comment: null }
    const move = (status: string) => instance.manager.api.send('PUT', `/expenses/${id}/status`, { status, ...nothing })
    expect((await move('analyzing')).status).toBe(200)
    expect((await move('approved')).body).toEqual({ errors: { approved_amount: ["can't be blank"] } })
    expect((await move('noncompliant')).body).toEqual({ errors: { ignore_noncompliant: ["can't be blank"] } })
  })
})

describe('the language of errors before any endpoint is reached', () => {
  test("is the user's own where no header asks for one", async () => {
    const person = await instance.addUser('Lia Lusa', 'member')
    await person.api.send('PATCH', '/preferences', { locale: 'pt' })
    const response = await sendRaw(instance.url, { line: 'GET /api/v1/nothing-here HTTP/1.1', headers: headersOf([], person.token) })
    expect(JSON.parse(response.body)).toEqual({ errors: { message: 'Recurso não encontrado.' } })
    const wrong = await sendRaw(instance.url, { line: 'PUT /api/v1/locales HTTP/1.1', headers: headersOf([], person.token) })
    expect([wrong.status, JSON.parse(wrong.body)]).toEqual([405, { errors: { message: 'Este método não é permitido aqui.' } }])
  })
})

test('the representation of an attachment may be sent back, by PUT and by PATCH', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const file = await uploadFile(instance.member, await pngFile())
  const made = await instance.member.api.send('POST', `/expenses/${id}/attachments`, { file })
  for (const method of ['PUT', 'PATCH']) {
    const { status, body } = await instance.member.api.send(method, `/expenses/${id}/attachments/${made.body.id}`, made.body)
    expect([status, body.version]).toEqual([200, made.body.version])
  }
})

test('an unknown address of the API gets an API error, not the web application', async () => {
  const web_folder = await mkdtemp(join(tmpdir(), 'outlay-web-'))
  await writeFile(join(web_folder, 'index.html'), '<p>page</p>')
  const served = await startInstance({ web_folder })
  try {
    const html = { accept: 'text/html' }
    expect((await served.member.api.get('/nothing-here', html)).body).toEqual({ errors: { message: 'Record Not Found' } })
    const { status, headers } = await served.member.api.get('/batch', html)
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
  } finally {
    await served.remove()
    await rm(web_folder, { recursive: true })
  }
})

test.each([
  ['is no HTTP', 'GET / HTP/1.1', [], 400],
  ['has two lengths', 'POST /api/v1/expenses HTTP/1.1', ['Content-Length: 2', 'Content-Length: 3'], 400],
  ['has a head out of all measure', 'GET /api/v1/health HTTP/1.1', [`X-Long: ${'a'.repeat(40_000)}`], 431],
] as const)('what %s is refused in the shape of every refusal', async (_what, line, headers, status) => {
  const response = await sendRaw(instance.url, { line, headers: headersOf(headers) })
  expect(response.status).toBe(status)
  expect(JSON.parse(response.body)).toEqual({ errors: { message: 'The request is not valid HTTP.' } })
  expect(response.headers.get('x-request-id')).toEqual(expect.any(String))
})
