import { expect, test } from 'vitest'
import { api, endpoints } from '#main/http/endpoints'
import { writeRequest } from '#main/http/requests'
import { dependents } from '#main/store/sync/apply-rows'
import { stagedTables } from '#main/store/sync/staged-rows'
import { Store, type Tx } from '#main/store/core/store'
import { sharedTables } from '#main/store/sync/undo-triggers'
import { systemClock } from '#main/clock'
import { findPolicy } from '#shared/sync/policies'
import { namedRecords, plainIds, replaceAt, replaceNamed, tableOfAttribute } from '#shared/sync/references'
import { z } from 'zod'
import { makeTemporaryFolder } from '#test/support/built-program'

const writes = endpoints.map(({ route }) => route).filter(({ method }) => method !== 'GET')

test.each(writes.map(({ name, path }) => [name, path] as const))('the policy table says how %s reaches the remote', (name) => {
  expect(findPolicy(name)).toBeDefined()
})

test('every attribute of a write that ends in an id is known as a reference, or as none', () => {
  const unknown = writes
    .filter(({ name }) => !['local', 'forward'].includes(findPolicy(name) ?? ''))
    .flatMap(({ name, body }) => attributesOf(body).map((attribute) => ({ name, attribute })))
    .filter(({ attribute }) => /_ids?$/.test(attribute) && !tableOfAttribute.has(attribute) && !plainIds.has(attribute))
  expect(unknown).toEqual([])
  expect(writes.flatMap(({ body }) => attributesOf(body))).toEqual(expect.arrayContaining(['corporative_card_id', 'expense_ids']))
})

test('every id in the path of a write that a replica carries names a record', () => {
  const carried = endpoints
    .map(({ route }) => route)
    .filter(({ name, method }) => method !== 'GET' && !['local', 'forward'].includes(findPolicy(name) ?? ''))
  const unnamed = carried.filter((route) => {
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const params = Object.fromEntries(names.map((name) => [name, '7']))
    return namedRecords({ route, params, body: null }).length !== names.length
  })
  expect(unnamed.map(({ name }) => name)).toEqual([])
})

test('other records are named in a command as they are in its request as text', () => {
  const params = { id: '-3', expense_id: '-4', organization_id: '5', advancement_id: '-6', reimbursement_id: '-7' }
  for (const route of writes) {
    const command = { route, params: paramsOf(route.path, params), body: { expense_ids: [-8] } }
    const values = namedRecords(command).map(({ at }, index) => ({ at, value: 100 + index }))
    const { method, ...text } = writeRequest(command)
    expect(writeRequest({ route, ...replaceNamed(command, values) })).toEqual({ method, ...replaceAt(text, values) })
  }
})

function paramsOf(path: string, known: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, known[name] ?? 'x']))
}

test('a write that replaces a record knows the one that changes a part of it', () => {
  const replacing = writes.filter(({ name }) => name.endsWith('.replace') && findPolicy(name) === 'merge')
  expect(replacing.length).toBeGreaterThan(5)
  for (const route of replacing) expect(api.patchOf(route), route.name).toMatchObject({ method: 'PATCH', path: route.path })
})

function attributesOf(schema: z.ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

test('every column of a shared table that names a record is a foreign key, or is registered', async () => {
  const columns = await lookAtTables(async (tx, table) => {
    const keys = (await keysOf(tx, table)).map(({ column }) => column)
    return (await tx.writeAll('SELECT name FROM pragma_table_info(?)', [table]))
      .map(({ name }) => String(name))
      .filter((name) => name.endsWith('_id') && !keys.includes(name))
      .map((name) => `${table}.${name}`)
  })
  // The trail names its subject by type and id; the rest is other people's identity of theirs.
  expect(columns).toEqual([
    'pre_expenses.external_id',
    'statement_lines.external_id',
    'expenses.external_id',
    'expenses.supplier_tax_id',
    'user_notifications.activity_id',
    'activities.subject_id',
    'activities.source_id',
    'activities.request_id',
  ])
})

test('every shared record comes after what it names', async () => {
  const early = await lookAtTables(async (tx, table) =>
    (await keysOf(tx, table)).filter(({ parent }) => !stagedTables.slice(0, stagedTables.indexOf(table)).includes(parent)),
  )
  expect(early).toEqual([])
})

test('rows that refer to a record are deleted with it, or clear the reference', async () => {
  const left = await lookAtTables(async (tx, table) =>
    (await keysOf(tx, table))
      .filter(({ parent }) => !['users', 'organizations', 'blobs'].includes(parent))
      .filter(({ column, parent }) => !dependents[parent]?.some((one) => one.table === table && one.column === column)),
  )
  expect(left).toEqual([])
})

/** What is found of each shared table of a new instance. */
async function lookAtTables<T>(look: (tx: Tx, table: string) => Promise<readonly T[]>): Promise<T[]> {
  const store = await Store.open(await makeTemporaryFolder(), { clock: systemClock, isOwner: true })
  const found = await store.transact({ user_id: 0, origin: 'cli', request_id: null, if_match: null }, (tx) =>
    Promise.all(sharedTables.map((table) => look(tx, table))),
  )
  await store.close()
  return found.flat()
}

/** The foreign keys of a table. */
async function keysOf(tx: Tx, table: string): Promise<Array<{ column: string; parent: string }>> {
  return (await tx.writeAll('SELECT "from" AS name, "table" AS parent FROM pragma_foreign_key_list(?)', [table])).map(
    ({ name, parent }) => ({ column: String(name), parent: String(parent) }),
  )
}

test('what a write names is found in its path and its body, and can be put elsewhere', () => {
  const request = {
    route: { name: 'reimbursements.update', path: '/reimbursements/:id' },
    params: { id: '-3' },
    path: '/reimbursements/-3',
    body: { payer: { id: 1, type: 'Organization' }, expense_ids: [-7, 8], corporative_card_id: '9', note: 'expense 7' },
  }
  const named = namedRecords(request)
  expect(named).toEqual([
    { at: 'path.1', table: 'reimbursements', id: -3 },
    { at: 'body.payer.id', table: 'organizations', id: 1 },
    { at: 'body.expense_ids.0', table: 'expenses', id: -7 },
    { at: 'body.expense_ids.1', table: 'expenses', id: 8 },
    { at: 'body.corporative_card_id', table: 'corporative_cards', id: 9 },
  ])
  const values = named.map(({ at }, index) => ({ at, value: 100 + index }))
  const body = { payer: { id: 101, type: 'Organization' }, expense_ids: [102, 103], corporative_card_id: 104, note: 'expense 7' }
  expect(replaceAt(request, values)).toEqual({ path: '/reimbursements/100', body })
  expect(replaceNamed(request, values)).toEqual({ params: { id: '100' }, body })
  expect(request.body.expense_ids).toEqual([-7, 8])
})
