import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Instance, startInstance } from '#test/support/instance'

let instance: Instance
beforeAll(async () => {
  instance = await startInstance()
})
afterAll(() => instance.remove())

test('an empty body names exactly payer, occurred_at and amount', async () => {
  const { status, body } = await instance.member.api.send('POST', '/expenses', {})
  expect(status).toBe(422)
  expect(Object.keys(body.errors).sort()).toEqual(['amount', 'occurred_at', 'payer'])
})
