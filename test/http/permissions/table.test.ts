import { expect, test } from 'vitest'
import { feedStreams } from '#shared/contract/instance/feed'
import { endpoints } from '#main/http/endpoints'
import { permissions } from '#shared/domain/permissions'
import { fixtureOf, fixtures } from '#test/support/permissions/fixtures'
import { proved, situations } from '#test/support/permissions/places'
import { countCells } from '#test/support/permissions/prove'

const routes = [...endpoints.map(({ route }) => route), ...Object.values(feedStreams)]

test.each(routes.map((route) => [route.name, route] as const))('%s has a row of the table, and a fixture', (_name, route) => {
  expect(Object.keys(permissions)).toContain(route.action)
  expect(fixtureOf(route).on.situations.length).toBeGreaterThan(0)
})

test('no fixture is left of a route that is gone', () => {
  expect(Object.keys(fixtures).filter((name) => !routes.some((route) => route.name === name))).toEqual([])
})

test('every row of the table is some route’s, or a finer rule of one', () => {
  const finer = Object.keys(permissions).filter((action) => !routes.some((route) => route.action === action))
  expect(finer.filter((action) => !action.endsWith('.create_for_others'))).toEqual([])
})

test('every situation is some resource’s', () => {
  const used = new Set(Object.values(fixtures).flatMap(({ on }) => on.situations))
  expect(situations.filter((situation) => !used.has(situation))).toEqual([])
})

test('every situation is proved by one file, and no cell of the table has gone', () => {
  expect(Object.values(proved).flat().toSorted()).toEqual(situations.toSorted())
  expect(countCells(situations)).toBeGreaterThanOrEqual(16_272)
})
