import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type * as migrations from '#db/index'
import type { Attributes } from '#shared/records/attributes'
import type * as expenses from '#shared/records/expense'
import type * as records from '#shared/records/index'
import type { Instance, Json } from '#test/support/instance'
import type { ReplicaInstance } from '#test/support/sync/replica'
import { costCode, site, statements, vehicle } from './planted-definitions'

// The definitions get an attribute of expenses and a record that nobody else has heard of, and a migration their columns. Whatever
// does not find them here has a list of its own.

let remote: Instance
let replica: ReplicaInstance
let made: Json

beforeAll(async () => {
  vi.resetModules()
  vi.doMock('#shared/records/expense', async (original) => {
    const known = await original<typeof expenses>()
    const attributes: Attributes = { ...known.expense.attributes, cost_code: costCode }
    return {
      expense: { ...known.expense, attributes },
      importedTexts: [...known.importedTexts, 'cost_code'],
      plainFields: [...known.plainFields, 'cost_code'],
    }
  })
  vi.doMock('#shared/records/index', async (original) => {
    const known = await original<typeof records>()
    const planted = [vehicle, site]
    const find = (table: string) => planted.find((one) => one.table === table) ?? known.findRecord(table)
    return { ...known, records: [...known.records, ...planted], findRecord: find }
  })
  vi.doMock('#db/index', async (original) => {
    const known = await original<typeof migrations>()
    const planted = {
      up: async (db: Parameters<NonNullable<(typeof known.migrations)[string]>['up']>[0]) => {
        for (const statement of statements) await sql.raw(statement).execute(db)
      },
    }
    return { migrations: { ...known.migrations, '9999-planted': planted } }
  })
  const { startInstance } = await import('#test/support/instance')
  const { startReplica } = await import('#test/support/sync/replica')
  const { newExpense } = await import('#test/support/expenses')
  remote = await startInstance()
  replica = await startReplica(remote.url, remote.member)
  await replica.sync()
  made = (await replica.api.send('POST', '/expenses', newExpense(remote, { description: 'Taxi', cost_code: 'North 7' }))).body
  await replica.sync()
})
afterAll(async () => {
  await replica.remove()
  await remote.remove()
  for (const path of ['#shared/records/expense', '#shared/records/index', '#db/index']) vi.doUnmock(path)
  vi.resetModules()
})

const idsOf = async (query: string): Promise<number[]> =>
  (await remote.member.api.get(`/expenses?${query}`)).body.expenses.map(({ id }: Json) => id)

describe('an attribute that only the definition of expenses knows', () => {
  test('is written, shown and synced', async () => {
    expect(made).toMatchObject({ cost_code: 'North 7' })
    expect((await remote.member.api.get(`/expenses/${made.id}`)).body).toMatchObject({ uid: made.uid, cost_code: 'North 7' })
  })

  test('is validated, published, and not demanded by PUT', async () => {
    const refused = await remote.member.api.send('PATCH', `/expenses/${made.id}`, { cost_code: 'x'.repeat(21) })
    expect(refused).toMatchObject({ status: 422, body: { errors: { cost_code: [expect.stringContaining('20')] } } })
    const { body: document } = await remote.member.api.get('/openapi.json')
    expect(document.components.schemas.Expense.properties).toHaveProperty('cost_code')
    const { demandedByPut } = await import('#shared/contract/attributes')
    const { expenseAttributes } = await import('#shared/contract/expenses')
    expect(demandedByPut(expenseAttributes)).not.toContain('cost_code')
  })

  test('leaves a trail and calls the webhooks when it changes', async () => {
    const hooks = `/organizations/${remote.organization_id}/integrations/webhooks`
    const { id } = (await remote.manager.api.send('POST', hooks, { url: 'https://hooks.example.org/outlay' })).body
    await remote.member.api.send('PATCH', `/expenses/${made.id}`, { cost_code: 'South 4' })
    const [latest] = (await remote.member.api.get(`/expenses/${made.id}/activities`)).body.activities
    expect(JSON.stringify(latest)).toMatch(/North 7.*South 4/)
    const { deliveries } = (await remote.manager.api.get(`${hooks}/${id}/deliveries`)).body
    expect(deliveries.map(({ event }: Json) => event)).toEqual(['expense_updated'])
    await replica.sync()
    expect((await replica.api.get(`/expenses/${made.id}`)).body).toMatchObject({ cost_code: 'South 4' })
  })

  test('is found, filtered and sorted by', async () => {
    expect(await idsOf('q[search]=south')).toEqual([made.id])
    expect(await idsOf('q[cost_code_start]=South')).toEqual([made.id])
    expect(await idsOf('q[cost_code_eq]=elsewhere&sort=-cost_code')).toEqual([])
  })

  test('is a merge group where it says so', async () => {
    const { changedAttributes } = await import('#shared/sync/merge')
    expect(changedAttributes({ cost_code: 'a', location: 'x' }, { cost_code: 'b', location: 'x' }).mine).toEqual({ cost_code: 'b' })
  })

  test('is imported from its column, and exported into one', async () => {
    const { guessColumnMap } = await import('#main/tables/column-map')
    const { planImport } = await import('#main/tables/plan-import')
    const { bytesSource } = await import('#main/tables/table-source')
    const { importTable } = await import('#main/use-cases/expenses/import-table')
    const { importFields } = await import('#shared/contract/imports')
    expect(importFields).toContain('cost_code')
    expect(guessColumnMap(['Name', 'Date', 'Amount', 'Cost code'], [])).toMatchObject({ columns: { cost_code: 'Cost code' } })
    const file = (code: string) => Buffer.from(`Name,Date,Amount,Id,Cost code\nAna Lima,2026-03-05,31.50,row-1,${code}\n`)
    const run = (code: string) =>
      importTable(
        remote.app.store,
        { user_id: remote.admin.user_id, origin: 'cli', request_id: null, if_match: null },
        {
          ...{ plan: planImport(bytesSource(file(code))), organization_id: remote.organization_id, currency: 'BRL' },
          ...{ isUpdate: true, onLine: () => undefined },
        },
      )
    expect(await run('West 1')).toMatchObject({ imported: 1 })
    expect(await run('West 2')).toMatchObject({ updated: 1 })
    const written = vi.spyOn(process.stdout, 'write').mockImplementation((_chunk: unknown, done?: unknown) => {
      if (typeof done === 'function') done()
      return true
    })
    await (await import('#main/commands/program')).run(['export', 'expenses', '--data', remote.folder, '--format', 'json'])
    const text = written.mock.calls.map(([chunk]) => String(chunk)).join('')
    written.mockRestore()
    expect(
      JSON.parse(text)
        .map((row: Json) => row.cost_code)
        .sort(),
    ).toEqual(['South 4', 'West 2'])
  })

  test('is offered to a remote, and read from one that supports only the published API', async () => {
    const shapes = await import('#main/sync/compat/shapes')
    expect(Object.keys(shapes.expense.shape)).toContain('cost_code')
    const { attributesWith } = await import('#shared/records/attributes')
    const { expense } = await import('#shared/records/expense')
    expect(attributesWith(expense.attributes, 'writes').map(([name]) => name)).toContain('cost_code')
  })

  test('has a field in the forms, a filter in the review and a column in the lists', async () => {
    const { createDraft, readForm } = await import('../../src-renderer/state/draft')
    const defaults = { payer_id: 1, currency: 'BRL', tags: [], distance_kind: 'km' as const }
    const { form } = createDraft('u1', defaults)
    const typed = { ...form, amount: '12.50', date: '3/1', cost_code: ' East 3 ' }
    expect(readForm(typed, { language: 'en', today: '2026-03-04' })).toMatchObject({ kind: 'ok', body: { cost_code: 'East 3' } })
    const edit = await import('../../src-renderer/features/expense/expense-form')
    const writing = { language: 'en', timezone: 'UTC', today: '2026-03-04' } as const
    const before = edit.toForm(made, writing)
    expect(edit.readForm(before, { ...before, ...{ cost_code: 'East 9' } }, writing)).toEqual({
      kind: 'ok',
      changes: { cost_code: 'East 9' },
    })
    const { parseTerm } = await import('../../src-renderer/records/filters/filter-terms')
    expect(parseTerm('cost_code.contains.East')).toMatchObject({ attribute: 'cost_code', value: 'East' })
    const { plainColumns } = await import('../../src-renderer/records/expense/plain-columns')
    expect(
      plainColumns(
        (key) => key,
        () => made,
      ).map(({ id }) => id),
    ).toContain('cost_code')
  })
})

describe('a record that only the definitions know', () => {
  test('is shared, leased, guarded, carried and named', async () => {
    const { sharedTables } = await import('#main/store/sync/undo-triggers')
    const { isMadeByReplicas } = await import('#main/store/sync/shared-records')
    const { dependents } = await import('#main/store/sync/apply-rows')
    const { findPolicy } = await import('#shared/sync/policies')
    const { namedRecords } = await import('#shared/sync/references')
    expect(sharedTables).toContain('vehicles')
    expect(isMadeByReplicas('vehicles')).toBe(true)
    expect(dependents.tags).toContainEqual(expect.objectContaining({ table: 'vehicles', column: 'tag_id', isOptional: true }))
    expect(['create', 'update', 'destroy'].map((verb) => findPolicy(`vehicles.${verb}`))).toEqual(['add', 'merge', 'conditional'])
    const route = { name: 'vehicles.update', path: '/vehicles/:id' }
    expect(namedRecords({ route, params: { id: '7' }, body: { garage_id: 3 } })).toEqual([
      { at: 'path.1', table: 'vehicles', id: 7 },
      { at: 'body.garage_id', table: 'tags', id: 3 },
    ])
  })

  test('reaches the replicas of those who see it, with its trail, and leaves them', async () => {
    const { insertRecord, deleteRecord } = await import('#main/store/core/record-writer')
    const { recordActivity } = await import('#main/store/records/conversations/activity-writer')
    const actor = { user_id: remote.admin.user_id, origin: 'api', request_id: null, if_match: null }
    const scope = { organization_id: remote.organization_id }
    // The types know only the definitions that are in the files.
    const [table, type]: ['tags', 'Tag'] = JSON.parse('["vehicles","Vehicle"]')
    const values = { organization_id: remote.organization_id, name: 'Van' } as never
    const row = await remote.app.store.transact(actor, async (tx) => {
      const stored = await insertRecord(tx, table, { values, scope })
      await recordActivity(tx, { ...scope, subject: { type, id: stored.id }, event: 'tag_created' })
      return Promise.resolve(stored)
    })
    const { findRow } = await import('#main/store/sync/remote-rows')
    expect(await replica.sync()).toMatchObject({ ended: 'synced', error: null })
    expect(await findRow(replica.app.store.reader, 'vehicles', row.id)).toMatchObject({ uid: row.uid, name: 'Van', activities_count: 1 })
    const trail = await sql`select id from activities where subject_type = 'Vehicle'`.execute(replica.app.store.reader.db)
    expect(trail.rows).toHaveLength(1)
    await remote.app.store.transact(actor, (tx) => Promise.resolve(deleteRecord(tx, table, { row, scope })))
    await replica.sync()
    expect(await findRow(replica.app.store.reader, 'vehicles', row.id)).toMatchObject({ deleted_at: expect.any(String) })
  })

  test('is worded among the operations, and linked to its screen', async () => {
    const { addressOf, wordsOf } = await import('../../src-renderer/features/sync/operation-words')
    const operation = { body: { name: 'Van' }, base: {}, mine: {}, subject: null }
    expect(wordsOf({ ...operation, method: 'POST', path: '/vehicles' })).toMatchObject({ key: 'vehicle.new', text: 'Van' })
    expect(wordsOf({ ...operation, method: 'DELETE', path: '/vehicles/7' })).toMatchObject({ key: 'vehicle.delete', id: 7 })
    expect(addressOf({ path: '/vehicles/7', subject: null })).toBe('/vehicles/7')
  })
})

test('a record of an organization is created, shown, changed, synced and deleted by its attributes alone', async () => {
  const { plainOrganizationRecord } = await import('#main/use-cases/organization-records/plain-organization-record')
  const { createOrganizationRecord } = await import('#main/use-cases/organization-records/organization-records')
  const { updateOrganizationRecord } = await import('#main/use-cases/organization-records/organization-records')
  const { deleteOrganizationRecord } = await import('#main/use-cases/organization-records/organization-records')
  const { getOrganizationRecord } = await import('#main/use-cases/organization-records/organization-records')
  const { toOrganizationRecord } = await import('#main/http/representations/records')
  const { findRow } = await import('#main/store/sync/remote-rows')
  const { store } = remote.app
  const actor = { user_id: remote.admin.user_id, origin: 'api', request_id: null, if_match: null } as const
  // The types know only the definitions that are in the files.
  const definition: Parameters<typeof plainOrganizationRecord>[0] = JSON.parse(JSON.stringify(site))
  const record = plainOrganizationRecord(definition, 'tags.write')
  const { organization_id } = remote
  const row = await store.transact(actor, (tx) =>
    createOrganizationRecord(tx, record, { organization_id, input: { name: 'North', desks: 4 } }),
  )
  const shown = { name: 'North', desks: 4, open: false, _links: expect.any(Array) }
  expect(toOrganizationRecord(definition, row)).toMatchObject(shown)
  const key = { organization_id, id: row.id, user_id: actor.user_id }
  await store.transact(actor, (tx) => updateOrganizationRecord(tx, record, { key, input: { open: true, desks: 5 } }))
  const trail = await sql<{ event: string; details: string }>`select event, details from activities
    where subject_type = 'Tag' and subject_id = ${row.id} order by id desc`.execute(store.reader.db)
  expect(trail.rows[0]).toMatchObject({ event: 'tag_updated', details: expect.stringMatching(/desks.*4.*5.*open/) })
  await replica.sync()
  expect(await findRow(replica.app.store.reader, 'sites', row.id)).toMatchObject({ uid: row.uid, desk_count: 5, open: 1 })
  const asMember = { ...actor, user_id: remote.member.user_id }
  await expect(store.transact(asMember, (tx) => deleteOrganizationRecord(tx, record, key))).rejects.toThrow()
  await store.transact(actor, (tx) => deleteOrganizationRecord(tx, record, key))
  await expect(getOrganizationRecord(store.reader, record.table, key)).rejects.toThrow()
})
