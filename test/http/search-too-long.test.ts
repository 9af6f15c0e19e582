import { expect, test } from 'vitest'
import { DomainError } from '#shared/domain/errors'
import { endpoints } from '#main/http/endpoints'
import { toApiResponse } from '#main/http/refusals'

const sentenceOf = (route: (typeof endpoints)[number]['route']): string => {
  const { body } = toApiResponse(new DomainError({ kind: 'not_possible', code: 'takes_too_long' }), 'en', route.list)
  return JSON.stringify(body)
}

test('the error of a search that takes too long names only filters of its list', () => {
  const lists = endpoints.flatMap(({ route }) => (route.list ? [{ route, list: route.list }] : []))
  expect(lists.length).toBeGreaterThan(10)
  for (const { route, list } of lists) {
    const sentence = sentenceOf(route)
    expect(sentence, route.name).toMatch(/This search takes too long\. \w/)
    expect(/\bdate\b/.test(sentence), route.name).toBe('occurred_at' in list.attributes || 'date' in list.attributes)
    expect(/\bstatus\b/.test(sentence), route.name).toBe('status' in list.attributes)
  }
  const sentences = new Map(lists.map(({ route }) => [route.name, sentenceOf(route)]))
  expect(sentences.get('expenses.list')).toContain('Narrow it by date or status.')
  expect(sentences.get('tags.list')).toContain('Search for more of a word')
})
