import { expect, test } from 'vitest'
import { instanceOfFile } from '#test/support/of-file'
import { recordExpense } from '#test/support/expenses'

const instance = await instanceOfFile()

const approval = { status: 'approved', approved_amount: 10 }

test('of two approvals at once, each of the version that its manager saw, one wins and the other is 412', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const seen = (await instance.manager.api.get(`/expenses/${id}`)).headers.get('etag') ?? ''
  const approve = (person: 'manager' | 'admin') =>
    instance[person].api.send('PUT', `/expenses/${id}/status`, approval, { 'if-match': seen })
  const responses = await Promise.all([approve('manager'), approve('admin')])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 412])
  expect(responses.find(({ status }) => status === 412)?.body.errors.message).toMatch(
    /^The record has changed since you saw it\. \S+ \S+ changed .*the status/,
  )
})

test('what became impossible since it was seen is 412, and what was impossible then is 422', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const seen = (await instance.manager.api.get(`/expenses/${id}`)).headers.get('etag') ?? ''
  await instance.manager.api.send('PUT', `/expenses/${id}/status`, { ...approval, status: 'liquidated' })
  const now = (await instance.manager.api.get(`/expenses/${id}`)).headers.get('etag') ?? ''
  for (const [method, body] of [
    ['PATCH', { description: 'x' }],
    ['DELETE', undefined],
  ] as const) {
    expect((await instance.manager.api.send(method, `/expenses/${id}`, body, { 'if-match': seen })).status).toBe(412)
    expect((await instance.manager.api.send(method, `/expenses/${id}`, body, { 'if-match': now })).status).toBe(422)
  }
})
