import { expect, test } from 'vitest'
import { feedStreams } from '#shared/contract/instance/feed'
import { syncStreams } from '#shared/contract/sync'
import { endpoints } from '#main/http/endpoints'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()
const document: Json = (await instance.stranger.api.get('/openapi.json')).body

const methods = ['get', 'post', 'put', 'patch', 'delete']
const operations = (): Array<{ path: string; method: string; operation: Json }> =>
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({ path, method, operation })),
  )

test('is OpenAPI 3.1, without credentials', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d+$/)
  expect(document.info).toMatchObject({ title: expect.any(String), version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
  expect(document.servers).toEqual([{ url: '/api/v1' }])
})

test('names every endpoint by each of its paths, and nothing else', () => {
  const routes = [...endpoints.map(({ route }) => route), ...Object.values(feedStreams), ...Object.values(syncStreams)]
  const served = routes.flatMap((route) =>
    [route.path, ...(route.aliases ?? [])].map((path) => `${route.method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`),
  )
  expect(
    operations()
      .map(({ path, method }) => `${method} ${path}`)
      .sort(),
  ).toEqual(served.toSorted())
})

test('every operation has a unique id, a summary, responses, and a parameter for each place in its path', () => {
  const ids = operations().map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { path, method, operation } of operations()) {
    expect(methods).toContain(method)
    expect(operation.summary).toMatch(/./)
    expect(Object.keys(operation.responses).every((status) => /^[1-5](\d\d|XX)$/.test(status))).toBe(true)
    for (const response of Object.values<Json>(operation.responses)) expect(response.description ?? response.$ref).toMatch(/./)
    const inPath = operation.parameters.filter((one: Json) => one.in === 'path')
    expect(inPath.map(({ name }: Json) => name).sort()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort())
    expect(inPath.every(({ required }: Json) => required === true)).toBe(true)
    const names = operation.parameters.map((one: Json) => `${one.in} ${one.name}`)
    expect(new Set(names).size).toBe(names.length)
    for (const { schema } of Object.values<Json>(operation.requestBody?.content ?? {})) expect(schema).toBeTypeOf('object')
  }
})

test('the list of expenses names its filters by findings, month and what an expense counts for', () => {
  const { parameters } = document.paths['/expenses'].get
  const { schema } = parameters.find(({ name }: Json) => name === 'q')
  for (const name of [
    'queue',
    'flag_conditions',
    'flag_policy_ids',
    'booked_month_eq',
    'counted_currency',
    'supplier',
    'handed_over',
    'responsible_is_me',
  ])
    expect(schema.properties).toHaveProperty(name)
})

test('every reference resolves, and every component is allowed where it is used', () => {
  const references: string[] = []
  JSON.stringify(document, (key, value) => {
    if (key === '$ref') references.push(value)
    expect(['$defs', '$schema']).not.toContain(key)
    return value
  })
  expect(references.length).toBeGreaterThan(0)
  for (const reference of references) {
    const [, kind = '', name = ''] = /^#\/components\/(schemas|responses)\/([\w.-]+)$/.exec(reference) ?? []
    expect(document.components[kind], reference).toHaveProperty([name])
  }
  expect(document.components.schemas).toHaveProperty('Expense.properties.amount.type', 'number')
})

test('endpoints without credentials are marked, and all others require the token', () => {
  expect(document.security).toEqual([{ token: [] }])
  expect(document.components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'basic' })
  const open = operations().filter(({ operation }) => operation.security !== undefined)
  expect(open.every(({ operation }) => operation.security.length === 0)).toBe(true)
  expect(open.map(({ path }) => path)).toContain('/health')
})

test('responses may have further attributes, and the document names its license', () => {
  const answers = operations().flatMap(({ operation }) => Object.values<Json>(operation.responses))
  const texts = JSON.stringify([answers, document.components])
  expect(texts).not.toContain('"additionalProperties":false')
  expect(document.info.license).toEqual({ name: 'MIT', identifier: 'MIT' })
})

test('describes the plain ids of parties, the forms of booleans, and the repeat of a pre-expense', () => {
  const { schema } = document.paths['/expenses'].post.requestBody.content['application/json']
  expect(schema.properties).toMatchObject({ payer_id: { type: 'integer' }, receiver_id: { type: 'integer' } })
  expect(schema.required).not.toContain('payer')
  expect(schema.allOf).toEqual([{ anyOf: [{ required: ['payer'] }, { required: ['payer_id'] }] }])
  expect(schema.properties.liquidate_through_advancement.anyOf).toEqual([{ type: 'boolean' }, { enum: [0, 1, '0', '1', 'true', 'false'] }])
  const { 200: repeat, 201: made } = document.paths['/pre_expenses'].post.responses
  expect(repeat.content).toEqual(made.content)
  expect(repeat.description).not.toBe(made.description)
})
