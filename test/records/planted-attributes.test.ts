import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type * as migrations from '#db/index'
import type { RecordDefinition } from '#shared/records/definition'
import type * as settlements from '#shared/records/settlement'
import type { Instance, Json } from '#test/support/instance'
import type { ReplicaInstance } from '#test/support/sync/replica'
import { memo } from './planted-definitions'

// An attribute that only the definitions of these records know is written, shown, filtered by, audited and synced.

const defined = {
  '#shared/records/accountability': 'accountability',
  '#shared/records/attachment': 'attachment',
  '#shared/records/comment': 'comment',
  '#shared/records/corporative-card': 'corporativeCard',
  '#shared/records/distance-rule': 'distanceRule',
  '#shared/records/membership': 'membership',
  '#shared/records/organization': 'organization',
  '#shared/records/pre-expense': 'preExpense',
  '#shared/records/tag': 'tag',
  '#shared/records/user': 'user',
}
const tables = [
  ...['accountabilities', 'advancement_devolutions', 'advancements', 'attachments', 'comments', 'corporative_cards'],
  ...['distance_rules', 'memberships', 'organizations', 'pre_expenses', 'reimbursements', 'tags', 'users'],
]

const withMemo = ({ attributes, ...definition }: RecordDefinition) => ({ ...definition, attributes: { ...attributes, memo } })

beforeAll(() => {
  vi.resetModules()
  for (const [path, name] of Object.entries(defined))
    vi.doMock(path, async (original) => {
      const known = await original<Record<string, RecordDefinition>>()
      return { ...known, ...(known[name] && { [name]: withMemo(known[name]) }) }
    })
  vi.doMock('#shared/records/settlement', async (original) => {
    const known = await original<typeof settlements>()
    return { ...known, paid: { ...known.paid, memo }, returned: { ...known.returned, memo } }
  })
  vi.doMock('#db/index', async (original) => {
    const known = await original<typeof migrations>()
    const planted = {
      up: async (db: Parameters<NonNullable<(typeof known.migrations)[string]>['up']>[0]) => {
        for (const table of tables) await sql`alter table ${sql.table(table)} add column memo text`.execute(db)
      },
    }
    return { migrations: { ...known.migrations, '9999-planted': planted } }
  })
})
afterAll(() => {
  for (const path of [...Object.keys(defined), '#shared/records/settlement', '#db/index']) vi.doUnmock(path)
  vi.resetModules()
})

describe.each([
  ['a remote that exchanges rows', true],
  ['a remote that speaks the contract alone', false],
])('%s', (_what, OUTLAY_SYNC) => {
  let remote: Instance
  let replica: ReplicaInstance

  beforeAll(async () => {
    const { startInstance } = await import('#test/support/instance')
    const { startReplica } = await import('#test/support/sync/replica')
    remote = await startInstance({ settings: { OUTLAY_SYNC } })
    replica = await startReplica(remote.url, remote.admin)
    await replica.sync()
  })
  afterAll(async () => {
    await replica.remove()
    await remote.remove()
  })

  const newMoney = () => ({
    payer: { id: remote.organization_id, type: 'Organization' },
    receiver: { id: remote.member.user_id, type: 'User' },
    amount: 100,
    currency: 'BRL',
    date: '2026-03-04',
  })
  const newCard = () => ({
    ...{ name: 'Travel', number: '4111111111111111', expiration_date: '08/29', organization_id: remote.organization_id },
  })
  const latestDetails = async () => {
    const { rows } = await sql<Json>`select details from activities order by id desc limit 1`.execute(remote.app.store.reader.db)
    return rows[0]?.details
  }
  const kinds = {
    accountabilities: { member: 'accountability', body: () => ({ ...newMoney(), title: 'Trip' }) },
    advancements: { body: newMoney },
    corporative_cards: { body: newCard, hasTrail: false },
    organizations: { body: () => ({ name: 'Acme' }) },
    reimbursements: { body: newMoney },
    tags: { at: () => `/organizations/${remote.organization_id}/tags`, body: () => ({ name: 'Fuel' }) },
  }

  test.each(Object.entries(kinds))('%s', async (table, { body: newBody, ...kind }) => {
    const { admin } = remote
    const list = 'at' in kind ? kind.at() : `/${table}`
    const path = (id: number) => ('member' in kind ? `/${kind.member}/${id}` : `${list}/${id}`)
    const { status, body: made } = await admin.api.send('POST', list, { ...newBody(), memo: 'North 7' })
    expect([status, made]).toEqual([201, expect.objectContaining({ memo: 'North 7' })])
    expect(await admin.api.send('PATCH', path(made.id), { memo: 'x'.repeat(21) })).toMatchObject({
      status: 422,
      body: { errors: { memo: [expect.stringContaining('20')] } },
    })
    const listed = (await admin.api.get(`${list}?q[memo_start]=North`)).body[table]
    expect(listed.map(({ id, memo: shown }: Json) => [id, shown])).toEqual([[made.id, 'North 7']])
    expect((await admin.api.get(`${list}?q[memo_start]=South&sort=memo`)).body[table]).toEqual([])
    await replica.sync()
    expect((await replica.api.get(path(made.id))).body).toMatchObject({ uid: made.uid, memo: 'North 7' })
    const { status: changed } = await admin.api.send('PATCH', path(made.id), { memo: 'South 4' })
    expect(changed).toBe(200)
    expect(await latestDetails()).toMatch(/memo.*North 7.*South 4/)
    await replica.sync()
    expect((await replica.api.get(path(made.id))).body).toMatchObject({ memo: 'South 4' })
  })

  test('what is only created', async () => {
    const { admin } = remote
    const rides = { amount: 9, currency: 'BRL', occurred_at: '2026-01-02', memo: 'North 7' }
    const { body: ride } = await admin.api.send('POST', '/pre_expenses', rides)
    const { body: given } = await admin.api.send('POST', '/advancement_devolutions', { ...newMoney(), memo: 'North 7' })
    expect([ride, given]).toEqual([expect.objectContaining({ memo: 'North 7' }), expect.objectContaining({ memo: 'North 7' })])
    for (const name of ['pre_expenses', 'advancement_devolutions'])
      expect((await admin.api.get(`/${name}?q[memo_eq]=North 7`)).body[name]).toHaveLength(1)
    await replica.sync()
    expect((await replica.api.get(`/pre_expenses/${ride.id}`)).body).toMatchObject({ uid: ride.uid, memo: 'North 7' })
  })

  // Each is written twice, shown, kept in the trail, and shown again where it was exchanged.
  const isCarried = async (method: 'PATCH' | 'PUT' | 'POST', path: string, rest: Json = {}, at = path) => {
    const { admin } = remote
    const write = async (memo: string) => (await admin.api.send(method, path, { ...rest, memo })).body
    expect(await admin.api.send(method, path, { ...rest, memo: 'x'.repeat(21) })).toMatchObject({ status: 422 })
    const found = (body: Json) => (Array.isArray(body) ? body[0] : body)
    expect(found(await write('North 7'))).toMatchObject({ memo: 'North 7' })
    expect(found(await write('South 4'))).toMatchObject({ memo: 'South 4' })
    expect(await latestDetails()).toMatch(/memo.*North 7.*South 4/)
    await replica.sync()
    expect(found((await replica.api.get(at)).body)).toMatchObject({ memo: 'South 4' })
  }

  test('preferences', () => isCarried('PATCH', '/preferences'))

  test('preferences are those of their user alone', async () => {
    const { status } = await remote.member.api.send('PATCH', '/preferences', { memo: 'Mine 1' })
    expect(status).toBe(200)
    await replica.sync()
    const { rows } = await sql<Json>`select memo from users where id = ${remote.member.user_id}`.execute(replica.app.store.reader.db)
    expect(rows).toEqual([{ memo: null }])
  })

  test('members', () => isCarried('PUT', `/organizations/${remote.organization_id}/members/${remote.member.user_id}`, { role: 'member' }))

  test('distance rules', () =>
    isCarried('POST', `/organizations/${remote.organization_id}/distances_rules`, {
      ...{ amount: '1.25', currency: 'BRL', distance_kind: 'km' },
    }))

  test('comments and receipts', async () => {
    const { admin } = remote
    const { newExpense } = await import('#test/support/expenses')
    const { attach } = await import('#test/support/attach')
    const { body: expense } = await admin.api.send('POST', '/expenses', newExpense(remote))
    const comments = `/expenses/${expense.id}/comments`
    const { body: comment } = await admin.api.send('POST', comments, { content: 'Lunch', memo: 'North 7' })
    expect(comment).toMatchObject({ memo: 'North 7' })
    await isCarried('PUT', `${comments}/${comment.id}`, { content: 'Lunch' })
    const { id } = await attach(admin.api, expense.id, 'lunch.png')
    await isCarried('PATCH', `/expenses/${expense.id}/attachments/${id}`)
  })
})

test('is published where it is shown, read, and demanded by no PUT', async () => {
  const { startInstance } = await import('#test/support/instance')
  const remote = await startInstance()
  const { body: document } = await remote.member.api.get('/openapi.json')
  const { endpoints } = await import('#main/http/endpoints')
  await remote.remove()
  const published = Object.entries<Json>(document.components.schemas).filter(([, schema]) => schema.properties?.memo)
  expect(published.map(([name]) => name).sort()).toEqual([
    ...['Accountability', 'Advancement', 'AdvancementDevolution', 'Attachment', 'Comment', 'CorporativeCard', 'DistanceRule'],
    ...['EmbeddedOrganization', 'Membership', 'NewReimbursement', 'Organization', 'PreExpense', 'Preferences', 'Reimbursement', 'Tag'],
  ])
  const shapes = await import('#main/sync/compat/shapes')
  const read = Object.entries(shapes).filter(([, shape]) => 'memo' in shape.shape)
  expect(read.map(([name]) => name).sort()).toEqual([
    ...['accountability', 'attachment', 'card', 'comment', 'distanceRule', 'membership', 'organization', 'preExpense'],
    ...['preferences', 'settlement', 'tag'],
  ])
  const demanding = endpoints.filter(({ route: { demanded } }) => Array.isArray(demanded) && demanded.includes('memo'))
  expect(demanding).toEqual([])
})

test('rows know their pictures and their parties by the definitions', async () => {
  const { records } = await import('#shared/records/index')
  expect(records.flatMap(({ table, files = [] }) => files.map((column) => `${table}.${column}`))).toEqual([
    ...['organizations.logo_sha256', 'users.avatar_sha256', 'attachments.sha256'],
  ])
  const references = Object.fromEntries(records.map((record) => [record.table, Object.keys(record.references).sort()]))
  expect(references).toMatchObject({
    accountabilities: ['author_id', 'payer_id', 'receiver_id'],
    advancement_devolutions: ['payer_id', 'receiver_id', 'responsible_user_id'],
    comments: ['advancement_id', 'expense_id', 'reimbursement_id', 'user_id'],
    corporative_cards: ['organization_id', 'user_id'],
    memberships: ['organization_id', 'user_id'],
    pre_expenses: ['author_id', 'receiver_id'],
  })
})
