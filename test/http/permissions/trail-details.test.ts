import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#main/http/endpoint'
import { endpoints } from '#main/http/endpoints'
import { activityAttributeOf } from '#shared/records/audited'
import { columnsOf, shownValue } from '#shared/records/columns'
import { records } from '#shared/records/index'
import { findRow } from '#main/store/sync/remote-rows'
import { call } from '#test/support/permissions/call'
import { fixtureOf } from '#test/support/permissions/fixtures'
import { placeOf, whereOf } from '#test/support/permissions/places'
import { makeWorld } from '#test/support/permissions/world'

// The audit trail of an organization says all of each of its records when it is made and when it ends: every attribute that it keeps, from and to.

const ofOrganizations = records.filter(
  ({ isInOrganization, table }) => isInOrganization || ['corporative_cards', 'organizations'].includes(table),
)
const told = z.array(z.object({ attribute: z.string(), from: z.unknown(), to: z.unknown() }))
const world = await makeWorld()
afterAll(() => world.instance.remove())

/** Calls a route as the admin of the organization; returns the last entry about such a record, and the record. */
async function callAndRead({ route }: Endpoint, subject: string, table: string) {
  const { reader } = world.instance.app.store
  const fixture = fixtureOf(route)
  const situation = fixture.on.situations.includes('at home') ? 'at home' : fixture.on.situations[0]
  if (situation === undefined) throw new Error('There is no such record.')
  const organization = fixture.on.isOfOrganization ? await world.makeOrganization(whereOf(situation)) : undefined
  const place = placeOf(world, { situation, caller: world.people.admin, organization })
  const { status, text } = await call(world, route, { fixture, place, made: await fixture.on.make(world, place) })
  expect(status, text).toBeLessThan(300)
  const entry = await reader.db
    .selectFrom('activities')
    .selectAll()
    .where('subject_type', '=', subject)
    .where('event', 'not like', 'organization\\_%\\_member')
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const row = await findRow(reader, table, Number(entry.subject_id))
  return { details: told.parse(JSON.parse(entry.details)), row: z.record(z.string(), z.unknown()).parse(row) }
}

const moments = ofOrganizations.flatMap((record) =>
  (['create', 'destroy'] as const).flatMap((verb) => {
    const endpoint = endpoints.find(({ route }) => route.name === `${record.table}.${verb}`)
    const { table, subject, attributes } = record
    const side = verb === 'create' ? 'to' : 'from'
    return endpoint && subject && attributes ? [[`${table}.${verb}`, { table, subject, attributes, endpoint, side }] as const] : []
  }),
)

test.each(moments)('%s', async (_name, { table, subject, attributes, endpoint, side }) => {
  const { details, row } = await callAndRead(endpoint, subject, table)
  const kept = Object.entries(attributes).filter(
    ([name, attribute]) =>
      attribute.writes !== undefined &&
      !attribute.isUnaudited &&
      !attribute.isHidden &&
      columnsOf(name, attribute).some((column) => row[column] !== null),
  )
  expect(kept.length).toBeGreaterThan(0)
  for (const [name, attribute] of kept)
    expect(details).toContainEqual(
      expect.objectContaining({
        attribute: activityAttributeOf(name, attribute),
        [side]: shownValue(name, attribute, row),
        [side === 'to' ? 'from' : 'to']: null,
      }),
    )
})

test('every kind of record of an organization is tried', () => {
  expect(new Set(moments.map(([, { table }]) => table))).toEqual(new Set(ofOrganizations.map(({ table }) => table)))
})
