import { expect, test } from 'vitest'
import { checked } from '#test/support/contract'
import { whileExpired } from '#test/support/expiry'
import { type Json, apiOf } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()

const tokens = '/user/tokens'

test('a token is shown once, opens the API, and is listed without its secret', async () => {
  const api = checked(instance.member.api)
  const { status, body } = await api.send('POST', tokens, { description: ' Phone ' })
  expect(status).toBe(201)
  expect(body).toMatchObject({ description: 'Phone', last_used_at: null })
  const listed = await apiOf(instance.url, body.token).get(tokens)
  expect(listed.body).toMatchObject({
    count: 2,
    current_page: 1,
    total_pages: 1,
    tokens: [{ id: body.id, description: 'Phone' }, { description: 'test' }],
  })
  expect(JSON.stringify(listed.body)).not.toContain(body.token)
  expect((await api.get(`${tokens}?per_page=1&page=2`)).body.tokens).toHaveLength(1)
})

test('a description is needed', async () => {
  const { status, body } = await instance.member.api.send('POST', tokens, {})
  expect({ status, body }).toEqual({ status: 422, body: { errors: { description: ["can't be blank"] } } })
})

test('a revoked token opens nothing, and the session that it began is over', async () => {
  const { body } = await instance.member.api.send<Json>('POST', tokens, { description: 'Browser' })
  const signedIn = await instance.member.api.send('POST', '/session', { token: body.token })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const inBrowser = apiOf(instance.url, null)
  expect((await inBrowser.get('/session', { cookie })).status).toBe(200)
  expect((await checked(instance.member.api).send('DELETE', `${tokens}/${body.id}`)).status).toBe(204)
  expect((await inBrowser.get('/session', { cookie })).status).toBe(401)
  expect((await apiOf(instance.url, body.token).get(tokens)).status).toBe(401)
  expect((await instance.member.api.send('DELETE', `${tokens}/${body.id}`)).status).toBe(404)
})

test("no one can revoke another user's token", async () => {
  const { body } = await instance.member.api.send<Json>('POST', tokens, { description: 'Mine' })
  expect((await instance.admin.api.send('DELETE', `${tokens}/${body.id}`)).status).toBe(404)
  expect((await apiOf(instance.url, body.token).get(tokens)).status).toBe(200)
})

test('tokens do not depend on the organization being renewed', () =>
  whileExpired(instance, async () => {
    const { status, body } = await instance.member.api.send<Json>('POST', tokens, { description: 'Late' })
    expect(status).toBe(201)
    expect((await instance.member.api.send('DELETE', `${tokens}/${body.id}`)).status).toBe(204)
  }))
