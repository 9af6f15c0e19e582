import { afterEach, expect, test } from 'vitest'
import { type Instance, startInstance } from '#test/support/instance'

let instance: Instance
afterEach(() => instance.remove())

test('a caller above the operator’s limit learns when to come back; others continue', async () => {
  instance = await startInstance({ settings: { OUTLAY_RATE_LIMIT: 5 } })
  const { manager, member } = instance
  const responses = await Promise.all(Array.from({ length: 6 }, () => manager.api.get('/session')))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429])
  const refused = responses.find(({ status }) => status === 429)
  expect(refused?.body).toEqual({ errors: { message: 'Too many requests. Try again in a minute.' } })
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await member.api.get('/session')).status).toBe(200)
})

test('unless a limit is set there is none', async () => {
  instance = await startInstance()
  const { manager } = instance
  for (let sent = 0; sent < 200; sent += 1) expect((await manager.api.get('/health')).status).toBe(200)
})
