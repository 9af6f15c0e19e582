import { expect, test } from 'vitest'
import type { Tag } from '#shared/contract/tags'
import { parseView } from '../../../src-renderer/records/filters/review-view'
import { expensesAddress, findTags, groupsOf, sortTags } from '../../../src-renderer/features/tags/tag-list'

const at = '2026-01-04T00:00:00Z'
const tag = (name: string, group: string | null = null): Tag => ({
  id: 1,
  uid: name,
  version: 1,
  name,
  group,
  usable: true,
  created_at: at,
  updated_at: at,
  _links: [],
})
const names = (tags: readonly Tag[]) => tags.map(({ name }) => name)

test('tags are found by the words of their name and group, whatever the accents', () => {
  const tags = [tag('Locação de veículo', 'Viagens'), tag('Refeição')]
  expect(names(findTags(tags, 'VEICULO viag'))).toEqual(['Locação de veículo'])
  expect(names(findTags(tags, ' '))).toEqual(['Locação de veículo', 'Refeição'])
  expect(findTags(tags, 'hotel')).toEqual([])
})

test('tags are sorted by name, or by group with ungrouped tags last', () => {
  const tags = [tag('b'), tag('c', 'Trips'), tag('Á', 'Trips'), tag('d', 'Atlas')]
  expect(names(sortTags(tags, { columnId: 'name', direction: 'ascending' }))).toEqual(['Á', 'b', 'c', 'd'])
  expect(names(sortTags(tags, { columnId: 'name', direction: 'descending' }))).toEqual(['d', 'c', 'b', 'Á'])
  expect(names(sortTags(tags, { columnId: 'group', direction: 'ascending' }))).toEqual(['d', 'Á', 'c', 'b'])
  expect(names(sortTags(tags, { columnId: 'group', direction: 'descending' }))).toEqual(['Á', 'c', 'd', 'b'])
  expect(groupsOf(tags)).toEqual(['Atlas', 'Trips'])
})

test.each(['Travel', 'R&D = 50%', 'a.b', 'Ágio + juros', 'Meals, others'])('review reads the address of the expenses with %s', (name) => {
  const view = parseView(expensesAddress(tag(name)).split('?')[1] ?? '')
  expect(view).toMatchObject({ queue: 'all', terms: [{ attribute: 'tag', operator: 'is', value: name }] })
})
