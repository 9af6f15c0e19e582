import { describe, expect, test } from 'vitest'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { recordExpense } from '#test/support/expenses'

const instance = await instanceOfFile()
const expense: Json = await recordExpense(instance, instance.member)
const path = `/expenses/${expense.id}`

const api = () => instance.member.api
const currentTag = async () => (await api().get(path)).headers.get('etag') ?? ''

test('a record has a strong entity tag, which its reads and its writes agree on', async () => {
  const read = await currentTag()
  expect(read).toMatch(/^"[^"]+"$/)
  const { headers } = await api().send('PATCH', path, { description: 'Taxi' })
  expect(headers.get('etag')).not.toBe(read)
  expect(headers.get('etag')).toBe(await currentTag())
  expect((await instance.manager.api.get(path)).headers.get('etag')).toBe(await currentTag())
})

test('what changes nothing keeps the tag', async () => {
  const before = await currentTag()
  await api().send('PATCH', path, { description: 'Taxi' })
  expect(await currentTag()).toBe(before)
})

describe('If-Match', () => {
  test('lets the current tag through, alone, in a list, or as *', async () => {
    for (const text of ['one', 'two', 'three']) {
      const tag = await currentTag()
      const header = text === 'one' ? tag : text === 'two' ? `"other", ${tag}` : '*'
      expect((await api().send('PATCH', path, { description: text }, { 'if-match': header })).status).toBe(200)
    }
  })

  test.each(['"other"', 'unquoted', '""'])('refuses %s with 412 and changes nothing', async (header) => {
    const before = (await api().get(path)).body
    for (const [method, target, body] of [
      ['PATCH', path, { description: 'lost update' }],
      ['PUT', `${path}/status`, { status: 'analyzing' }],
      ['DELETE', path, undefined],
    ] as const) {
      const response = await instance.manager.api.send(method, target, body, { 'if-match': header })
      expect(response.status).toBe(412)
      expect(response.body).toEqual({ errors: { message: 'The record has changed since you saw it.' } })
    }
    expect((await api().get(path)).body).toEqual(before)
  })

  test('says who has changed what since, or that it was oneself', async () => {
    const seen = { 'if-match': await currentTag() }
    await instance.admin.api.send('PATCH', path, { description: 'corrected', amount: 12 })
    const refused = (language: string) =>
      instance.manager.api.send('PATCH', path, { description: 'mine' }, { ...seen, 'accept-language': language })
    const name = 'Ada Admin'
    const { body, status } = await refused('en')
    expect(status).toBe(412)
    expect(body.errors.message).toBe(`The record has changed since you saw it. ${name} changed the description and the amount.`)
    expect((await refused('pt-BR')).body.errors.message).toContain(`${name} alterou `)
    const own = await instance.admin.api.send('PATCH', path, { description: 'again' }, seen)
    expect(own.body.errors.message).toMatch(/ You changed the description and the amount elsewhere\.$/)
    await instance.manager.api.send('POST', `${path}/comments`, { content: 'why 12?' })
    const commented = (await instance.admin.api.send('PATCH', path, { description: 'again' }, seen)).body.errors.message
    expect(commented).toContain('the comment')
  })

  test('takes no weak tag', async () => {
    expect((await api().send('PATCH', path, { description: 'weak' }, { 'if-match': `W/${await currentTag()}` })).status).toBe(412)
  })

  test('comes after who may: 404 and 403 say nothing of the record’s state', async () => {
    expect((await instance.stranger.api.send('DELETE', path, undefined, { 'if-match': '"other"' })).status).toBe(404)
    expect((await api().send('PUT', `${path}/status`, { status: 'approved', approved_amount: 1 }, { 'if-match': '"other"' })).status).toBe(
      403,
    )
  })

  test('of two writers who saw the same version, one gets 412', async () => {
    const header = { 'if-match': await currentTag() }
    const responses = await Promise.all(['first', 'second'].map((description) => api().send('PATCH', path, { description }, header)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412])
  })
})

test('If-None-Match gives 304 without a body for the current version, and otherwise the record', async () => {
  const tag = await currentTag()
  for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const response = await api().get(path, { 'if-none-match': header })
    expect(response.status).toBe(304)
    expect(response.body).toBeNull()
    expect(response.headers.get('etag')).toBe(tag)
  }
  expect((await api().get(path, { 'if-none-match': '"other"' })).status).toBe(200)
})
