import { expect, test } from 'vitest'
import { instanceOfFile } from '#test/support/of-file'
import { newExpense, recordExpense } from '#test/support/expenses'

const instance = await instanceOfFile()

test('an operation may have a query string, as the same request alone', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const path = `/expenses/${id}/comments`
  const operations = [`${path}?emoji_in_unicode=true`, path].map((one) => ({ method: 'POST', path: one, body: { content: ':smile:' } }))
  const { body } = await instance.member.api.send('POST', '/batch', { operations })
  expect(body.results.map((result: { body: { content: string } }) => result.body.content)).toEqual(['😄', ':smile:'])
})

test('atomic may be written in every way that a truth value may', async () => {
  const operations = [
    { method: 'POST', path: '/expenses', body: newExpense(instance, { description: 'undone' }) },
    { method: 'POST', path: '/expenses', body: {} },
  ]
  const { body } = await instance.member.api.send('POST', '/batch', { atomic: '1', operations })
  expect(body.results.map((result: { status: number }) => result.status)).toEqual([424, 422])
  expect((await instance.member.api.get('/expenses?q[description_eq]=undone')).body.count).toBe(0)
})
