import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyOf, putBack } from '#test/support/copies'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Instance, type Json, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'

let remote: Instance
const replicas: ReplicaInstance[] = []
const folders: string[] = []
beforeEach(async () => {
  remote = await startInstance()
})
afterEach(async () => {
  for (const replica of replicas.splice(0)) await replica.remove()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  await remote.remove()
})

async function replicaOf(...[person, folder]: [person: { token: string }, folder?: string]): Promise<ReplicaInstance> {
  const replica = await startReplica(remote.url, person, { folder })
  replicas.push(replica)
  return replica
}

/** A copy of a folder that is removed with the test. */
async function keptCopy(of: { folder: string; app: Instance['app'] }): Promise<string> {
  const copy = await copyOf(of)
  folders.push(copy)
  return copy
}

async function uidsAt({ api }: { api: Instance['admin']['api'] }): Promise<string[]> {
  const { body } = await api.get('/expenses?per_page=100')
  return body.expenses.map(({ uid }: Json) => uid).sort()
}

test('a remote restored to yesterday’s copy gets again what was confirmed since, once, and with the same identity', async () => {
  const replica = await replicaOf(remote.member)
  await replica.sync()
  await recordExpense(remote, remote.member)
  await replica.sync()
  const yesterday = await keptCopy(remote)
  const made = (await replica.api.send('POST', '/expenses', newExpense(remote, { description: 'since' }))).body
  await replica.api.send('POST', `/expenses/${made.id}/comments`, { content: 'since too' })
  expect(await replica.sync()).toMatchObject({ pushed: 2 })
  const before = await uidsAt(replica)
  remote = await putBack(remote, yesterday)
  expect(await uidsAt(remote.member)).toHaveLength(1)
  expect(await replica.sync()).toMatchObject({ ended: 'synced', conflicts: 0, failed: 0, pushed: 2 })
  expect(await uidsAt(replica)).toEqual(before)
  expect(await uidsAt(remote.member)).toEqual(before)
  const there = (await remote.member.api.get('/expenses?per_page=100')).body.expenses.find(({ uid }: Json) => uid === made.uid)
  expect(there).toMatchObject({ description: 'since', comments_count: 1 })
  expect((await replica.api.get(`/expenses/${made.id}`)).body).toMatchObject({ uid: made.uid })
})

test('a replica restored to yesterday’s copy becomes another device, and neither loses nor repeats anything', async () => {
  const replica = await replicaOf(remote.member)
  await replica.sync()
  const yesterday = await keptCopy(replica)
  const first = (await replica.api.send('POST', '/expenses', newExpense(remote, { description: 'first' }))).body
  await replica.sync()
  await replica.close()
  const again = await replicaOf(remote.member, yesterday)
  // Made before the first contact: it gets the id that the other has used.
  const second = (await again.api.send('POST', '/expenses', newExpense(remote, { description: 'second' }))).body
  expect(second.id).toBe(first.id)
  expect(await again.sync()).toMatchObject({ ended: 'synced', conflicts: 0, failed: 0 })
  expect(await uidsAt(again)).toEqual([first.uid, second.uid].sort())
  expect(await uidsAt(remote.member)).toEqual([first.uid, second.uid].sort())
  const third = (await again.api.send('POST', '/expenses', newExpense(remote))).body
  expect(await again.sync()).toMatchObject({ conflicts: 0, failed: 0 })
  expect((await remote.member.api.get(`/expenses/${third.id}`)).body.uid).toBe(third.uid)
})

test('a deletion of many is stopped until a person decides, and changes nothing before', async () => {
  const made = await remote.member.api.send('POST', '/batch', {
    operations: Array.from({ length: 40 }, () => ({ method: 'POST', path: '/expenses', body: newExpense(remote) })),
  })
  const ids: number[] = made.body.results.map(({ body }: Json) => body.id)
  const replica = await replicaOf(remote.member)
  await replica.sync()
  await remote.member.api.send('POST', '/batch', {
    operations: ids.slice(0, 30).map((id) => ({ method: 'DELETE', path: `/expenses/${id}` })),
  })
  expect(await replica.sync()).toMatchObject({ ended: 'stopped', error: expect.stringContaining('30 of 40') as string })
  expect(await replica.sync()).toMatchObject({ ended: 'stopped' })
  expect((await replica.api.get('/replica')).body).toMatchObject({ stop: { kind: 'guard', table: 'expenses', count: 30, total: 40 } })
  expect((await replica.api.get('/expenses')).body.count).toBe(40)
  await replica.api.send('POST', '/replica/guard', { decision: 'allow' })
  await replica.sync()
  expect((await replica.api.get('/expenses')).body.count).toBe(10)
})

test('deletions that come a few at a time are one large deletion, unless a person made them here', async () => {
  const made = await remote.member.api.send('POST', '/batch', {
    operations: Array.from({ length: 60 }, () => ({ method: 'POST', path: '/expenses', body: newExpense(remote) })),
  })
  const ids: number[] = made.body.results.map(({ body }: Json) => body.id)
  const remove = (api: Instance['admin']['api'], some: number[]) =>
    api.send('POST', '/batch', { operations: some.map((id) => ({ method: 'DELETE', path: `/expenses/${id}` })) })
  const replica = await replicaOf(remote.member)
  await replica.sync()
  await remove(replica.api, ids.slice(0, 22))
  expect(await replica.sync()).toMatchObject({ ended: 'synced', pushed: 22 })
  for (const [from, to] of [
    [22, 32],
    [32, 42],
  ]) {
    await remove(remote.member.api, ids.slice(from, to))
    expect(await replica.sync()).toMatchObject({ ended: 'synced' })
  }
  await remove(remote.member.api, ids.slice(42, 43))
  expect(await replica.sync()).toMatchObject({ ended: 'stopped', error: expect.stringContaining('21 of 38') as string })
  await replica.api.send('POST', '/replica/guard', { decision: 'allow' })
  await replica.sync()
  await remove(remote.member.api, ids.slice(43, 44))
  expect(await replica.sync()).toMatchObject({ ended: 'synced' })
  expect((await replica.api.get('/expenses')).body.count).toBe(16)
})

test('what was made before there was a remote is kept, offered, and created where a person wants it', async () => {
  const local = await startInstance({ database: 'sqlite' })
  const made = await recordExpense(local, local.admin, { description: 'made alone', tags: ['Old'] })
  await local.admin.api.send('POST', `/expenses/${made.id}/comments`, { content: 'a note' })
  await local.close()
  // Others use that folder too: only its operator may give it a remote.
  const replica = await replicaOf(remote.member, local.folder)
  expect((await replica.api.get('/replica')).body).toMatchObject({ offered: 1 })
  await replica.sync()
  expect((await replica.api.get('/expenses')).body.count).toBe(0)
  const { offers } = (await replica.api.get('/replica/offers')).body
  expect(offers).toMatchObject([{ title: 'made alone', amount: 12.5, currency: 'BRL' }])
  const { body } = await replica.api.send('POST', '/replica/offers', { ids: [offers[0].id], organization_id: remote.organization_id })
  expect(body).toEqual({ accepted: 1, refused: [] })
  expect(await replica.sync()).toMatchObject({ pushed: 2, failed: 0 })
  expect((await remote.member.api.get('/expenses')).body.expenses).toMatchObject([
    { description: 'made alone', tags: 'Old', comments_count: 1 },
  ])
  expect((await replica.api.get('/replica')).body).toMatchObject({ offered: 0 })
})
