import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { syncRoutes } from '#shared/contract/sync'
import { type WireRequest, httpTransport } from '#main/sync/remote'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Instance, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'

let remote: Instance
const replicas: ReplicaInstance[] = []
beforeEach(async () => {
  remote = await startInstance({ settings: { OUTLAY_MAIL_DIGEST_MS: 50 } })
})
afterEach(async () => {
  for (const replica of replicas.splice(0)) await replica.remove()
  await remote.remove()
})

/** A replica whose requests are changed on their way. */
async function replicaWith(
  change: (request: WireRequest) => WireRequest | Promise<WireRequest> = (request) => request,
  person = remote.member,
) {
  const replica = await startReplica(remote.url, person, {
    transportTo: (to) => {
      const send = httpTransport(to)
      return async (request) => send(await change(request))
    },
  })
  replicas.push(replica)
  return replica
}

test('an operation resent with another body is rejected, and the first stays', async () => {
  const operation = {
    ...{ op_id: '01a1fd47-d104-7042-8aa0-309e4647f79c', api_version: 'v1', method: 'POST', path: '/expenses' },
    ...{ refs: [], blobs: [], minted: [], seen: [], after: [], base: {}, mine: {}, created_at: '2026-03-04T00:00:00Z' },
  }
  const push = async (amount: number) => {
    const body = { operations: [{ ...operation, body: newExpense(remote, { amount }) }] }
    return syncRoutes.push.response.parse((await remote.member.api.send('POST', '/sync/push', body)).body).results[0]
  }
  expect(await push(10)).toMatchObject({ kind: 'applied', is_duplicate: false })
  expect(await push(10)).toMatchObject({ kind: 'applied', is_duplicate: true })
  expect(await push(99)).toMatchObject({ kind: 'rejected', message: 'operation_reused' })
  expect((await remote.member.api.get('/expenses')).body.expenses).toMatchObject([{ amount: 10 }])
})

test('nothing leaves a replica: only the remote notifies people of a write, once', async () => {
  const expense = await recordExpense(remote, remote.member)
  const replica = await replicaWith(undefined, remote.analyst)
  await replica.sync()
  await replica.api.send('POST', `/expenses/${expense.id}/comments`, { content: 'Which client was it?' })
  const mailsIn = async (folder: string) =>
    (await readdir(join(folder, 'outbox'), { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.eml'))
  await replica.sync()
  await expect.poll(() => mailsIn(remote.folder)).toHaveLength(1)
  expect(await mailsIn(replica.folder)).toEqual([])
  const { db } = replica.app.store.reader
  for (const table of ['notifications', 'webhook_deliveries'] as const) expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
})

test('what others changed between a push and the pull after it is shown and found as it is now', async () => {
  let isPushed = false
  const replica = await replicaWith(async (request) => {
    if (request.path.startsWith('/sync/changes') && isPushed) {
      isPushed = false
      const shown = (await remote.member.api.get('/expenses')).body.expenses as Array<{ id: number; description: string }>
      for (const { id, description } of shown)
        await remote.analyst.api.send('PATCH', `/expenses/${id}`, description === 'Taxi' ? { tags: [] } : { description: 'Ferry' })
    }
    if (request.path === '/sync/push') isPushed = true
    return request
  })
  await replica.sync()
  for (const description of ['Taxi', 'Tram']) {
    const { body } = await replica.api.send('POST', '/expenses', newExpense(remote, { description, tags: ['Lisbon'] }))
    await replica.api.send('PATCH', `/expenses/${body.id}`, { location: 'Porto' })
  }
  const { db } = replica.app.store.reader
  const before = await db.selectFrom('expenses').select(['id', 'uid']).execute()
  expect(await replica.sync()).toMatchObject({ ended: 'synced', pushed: 4, conflicts: 0 })
  const found = async (search: string) =>
    ((await replica.api.get(`/expenses?q[search]=${search}`)).body.expenses as Array<{ description: string }>).map((one) => one.description)
  expect([await found('Taxi'), await found('Tram'), await found('Ferry')]).toEqual([['Taxi'], [], ['Ferry']])
  expect([await found('Lisbon'), (await found('Porto')).sort()]).toEqual([['Ferry'], ['Ferry', 'Taxi']])
  expect(await db.selectFrom('expenses').select(['id', 'uid']).execute()).toEqual(before)
  expect(await db.selectFrom('sync_undo').selectAll().execute()).toEqual([])
})

test('a replica that is too old learns it, and continues locally', async () => {
  let isOld = false
  const replica = await replicaWith((request) =>
    isOld && request.path === '/sync/handshake' && request.body !== undefined
      ? { ...request, body: String(request.body).replace(/"protocol":\{[^}]*\}/, '"protocol":{"min":0,"max":0}') }
      : request,
  )
  await replica.sync()
  isOld = true
  expect(await replica.sync()).toMatchObject({ ended: 'stopped', error: expect.stringContaining('newer Outlay') as string })
  expect((await replica.api.get('/replica')).body.stop).toMatchObject({ kind: 'too_old' })
  expect((await replica.api.send('POST', '/expenses', newExpense(remote))).status).toBe(201)
  isOld = false
  expect(await replica.sync()).toMatchObject({ ended: 'synced', pushed: 1 })
})

test('a program that has been upgraded has all come again, so that it holds what it could not hold before', async () => {
  await recordExpense(remote, remote.member)
  const replica = await replicaWith()
  await replica.sync()
  expect(await replica.sync()).toMatchObject({ pulled: 0 })
  await replica.app.store.transact({ user_id: 0, origin: 'cli', request_id: null, if_match: null }, async (tx) => {
    await tx.write("UPDATE sync_state SET value = '1' WHERE key = 'schema'", [])
    return Promise.resolve()
  })
  const again = await replica.sync()
  expect(again).toMatchObject({ ended: 'synced' })
  expect(again.pulled).toBeGreaterThan(0)
  expect(await replica.sync()).toMatchObject({ pulled: 0 })
})

test('local writes during the comparison go next, and nothing is fetched again', async () => {
  await recordExpense(remote, remote.member)
  const asked: string[] = []
  const replica = await replicaWith(async (request) => {
    const isFirst = !asked.includes('/sync/checksums')
    asked.push(request.path)
    if (isFirst && request.path === '/sync/checksums') await replica.api.send('POST', '/expenses', newExpense(remote))
    return request
  })
  expect(await replica.sync()).toMatchObject({ ended: 'synced' })
  expect(asked).toContain('/sync/checksums')
  expect(asked.filter((path) => path.startsWith('/sync/snapshot'))).toHaveLength(1)
  await replica.sync()
  expect((await remote.member.api.get('/expenses')).body.count).toBe(2)
})
