import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { attach } from '#test/support/attach'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Api, type Instance, type Json, startInstance } from '#test/support/instance'
import { type ReplicaInstance, type ReplicaOptions, startReplica } from '#test/support/sync/replica'
import { httpTransport, type WireRequest } from '#main/sync/remote'
import { RemoteError } from '#main/sync/remote-error'

let remote: Instance
let replica: ReplicaInstance
beforeEach(async () => {
  remote = await startInstance({ settings: { OUTLAY_SYNC: false } })
})
afterEach(async () => {
  await replica.remove()
  await remote.remove()
})

const expenseOf = async (api: Pick<Api, 'get'>, id: number): Promise<Json> => (await api.get(`/expenses/${id}`)).body
const operationsOf = async (list: string): Promise<Json[]> => (await replica.api.get(`/replica/operations?list=${list}`)).body.operations
const synced = { ended: 'synced', error: null, conflicts: 0, failed: 0 }

/** Cuts the line after the remote has carried out requests that this is said of. */
function losing(isLost: (request: WireRequest) => boolean): ReplicaOptions {
  return {
    transportTo: (to) => {
      const send = httpTransport(to)
      return async (request) => {
        const response = await send(request)
        if (!isLost(request)) return response
        await response.text()
        throw new RemoteError('unreachable', 'cut')
      }
    },
  }
}

describe('a remote that speaks the published contract only', () => {
  test('is followed all the same, and the state says so', async () => {
    const expense = await recordExpense(remote, remote.member, { description: 'Taxi', tags: ['Ride, shared', 'Trip'] })
    await remote.manager.api.send('POST', `/expenses/${expense.id}/comments`, { content: 'where to? @mel.member' })
    await attach(remote.member.api, expense.id, 'a.png')
    replica = await startReplica(remote.url, remote.manager)
    expect(await replica.sync()).toMatchObject({ ...synced })
    expect((await replica.api.get('/replica')).body.remote.is_compatible_only).toBe(true)
    const [there, here] = [await expenseOf(remote.manager.api, expense.id), await expenseOf(replica.api, expense.id)]
    const { attachments, _links, payer: _p, receiver: _r, ...plain } = there
    expect(here).toMatchObject(plain)
    expect(here.attachments).toMatchObject([{ id: attachments[0].id, file_name: 'a.png', bytes: attachments[0].bytes }])
    const organization = `/organizations/${remote.organization_id}`
    for (const path of ['/organizations', `${organization}/members`, `${organization}/tags`]) {
      const count = async (api: Api) => (await api.get(path)).body.count
      expect([path, await count(replica.api)]).toEqual([path, await count(remote.manager.api)])
    }
    const comments = async (api: Api) =>
      (await api.get(`/expenses/${expense.id}/comments`)).body.comments.map(({ id, content }: Json) => ({ id, content }))
    expect(await comments(replica.api)).toEqual(await comments(remote.manager.api))
    expect(await replica.sync()).toMatchObject({ ...synced, pulled: 0 })
  })
})

test('receipts beyond the budget are listed, and come, when their expense is opened; without a connection it opens all the same', async () => {
  const expense = await recordExpense(remote, remote.member)
  const other = await recordExpense(remote, remote.member)
  for (const { id } of [expense, other]) await attach(remote.member.api, id, 'a.png')
  let isCut = false
  replica = await startReplica(
    remote.url,
    remote.manager,
    losing(() => isCut),
  )
  await replica.api.send('PATCH', '/replica', { receipt_budget_bytes: 0 })
  expect(await replica.sync()).toMatchObject({ ...synced, downloads: 0 })
  const listed = async () => (await replica.api.get('/expenses?sort=id')).body.expenses.map(({ attachments }: Json) => attachments.length)
  expect(await listed()).toEqual([0, 0])
  const { attachments } = await expenseOf(replica.api, expense.id)
  expect(attachments).toMatchObject([{ file_name: 'a.png' }])
  expect((await fetch(attachments[0].url)).status).toBe(200)
  isCut = true
  expect(await expenseOf(replica.api, other.id)).toMatchObject({ attachments_count: 1, attachments: [] })
  expect(await listed()).toEqual([1, 0])
})

describe('records created offline', () => {
  test('arrives once and whole, and is still found by the id it had', async () => {
    replica = await startReplica(remote.url, remote.admin)
    await replica.sync()
    const made = (await replica.api.send('POST', '/expenses', newExpense(remote, { tags: ['New tag'] }))).body
    expect(made.id).toBeLessThan(0)
    await attach(replica.api, made.id, 'a.png')
    await replica.api.send('POST', `/expenses/${made.id}/comments`, { content: 'a receipt' })
    await replica.api.send('PATCH', `/expenses/${made.id}`, { description: 'Taxi home', amount: 12 })
    const approved = await replica.api.send('PUT', `/expenses/${made.id}/status`, { status: 'approved', approved_amount: 12 })
    expect(approved.status).toBe(200)
    expect(await replica.sync()).toMatchObject({ ...synced, pushed: 5, uploads: 1 })
    const list = (await remote.admin.api.get('/expenses')).body
    expect(list.count).toBe(1)
    const [there] = list.expenses
    const same = { tags: 'New tag', description: 'Taxi home', amount: 12, approved_amount: 12, status: 'approved' }
    expect(there).toMatchObject({ ...same, attachments_count: 1, comments_count: 1 })
    const here = await expenseOf(replica.api, made.id)
    expect(here).toMatchObject({ ...same, id: there.id, uid: made.uid, version: there.version, attachments_count: 1 })
    expect(here.attachments).toMatchObject([{ id: there.attachments[0].id, file_name: 'a.png' }])
    const comments = async (api: Api, id: number) =>
      (await api.get(`/expenses/${id}/comments`)).body.comments.map(({ id: own, content }: Json) => ({ own, content }))
    expect(await comments(replica.api, made.id)).toEqual(await comments(remote.admin.api, there.id))
    expect(await operationsOf('waiting')).toEqual([])
    expect((await replica.api.get('/expenses')).body.count).toBe(1)
    expect(await replica.sync()).toMatchObject({ ...synced, pushed: 0, pulled: 0 })
  })

  test('is not created again when its response is lost', async () => {
    let cuts = 3
    const isLost = ({ method, path }: WireRequest) => method === 'POST' && !path.startsWith('/sync') && (cuts -= 1) >= 0
    replica = await startReplica(remote.url, remote.member, losing(isLost))
    await replica.sync()
    const made = (await replica.api.send('POST', '/expenses', newExpense(remote))).body
    await replica.api.send('POST', `/expenses/${made.id}/comments`, { content: 'once' })
    for (let rounds = 0; rounds < 3; rounds += 1) {
      expect(await replica.sync()).toMatchObject({ ended: 'offline' })
      expect((await replica.api.get('/expenses')).body.count).toBe(1)
      expect((await expenseOf(replica.api, made.id)).comments_count).toBe(1)
    }
    expect(await replica.sync()).toMatchObject({ ...synced })
    const list = (await remote.member.api.get('/expenses')).body
    expect(list.count).toBe(1)
    expect(list.expenses[0].comments_count).toBe(1)
    expect(await expenseOf(replica.api, made.id)).toMatchObject({ id: list.expenses[0].id, uid: made.uid, comments_count: 1 })
    expect(await operationsOf('waiting')).toEqual([])
  })

  test('comes through although every call is cut off once, before or behind the remote', async () => {
    let calls = 0
    const seen = new Set<string>()
    replica = await startReplica(remote.url, remote.admin, {
      transportTo: (to) => {
        const send = httpTransport(to)
        return async (request) => {
          const name = `${request.method} ${request.path} ${request.headers['idempotency-key'] ?? ''}`
          if (request.path.startsWith('/sync') || calls === 0) return send(request)
          if (seen.has(name)) return send(request)
          seen.add(name)
          calls += 1
          if (calls % 2 === 0) await (await send(request)).text()
          throw new RemoteError('unreachable', 'cut')
        }
      },
    })
    const made: Json[] = []
    for (const description of ['one', 'two']) {
      const { body } = await replica.api.send('POST', '/expenses', newExpense(remote, { description, tags: [description] }))
      made.push(body)
    }
    expect(made.every(({ id }) => id === undefined)).toBe(true)
    await replica.sync()
    for (const description of ['one', 'two']) {
      const { body } = await replica.api.send('POST', '/expenses', newExpense(remote, { description, tags: [description] }))
      await replica.api.send('POST', `/expenses/${body.id}/comments`, { content: `about ${description}` })
      await replica.api.send('PUT', `/expenses/${body.id}/status`, { status: 'rejected', comment: 'no' })
    }
    calls = 1
    let rounds = 0
    for (let ended = 'offline'; ended !== 'synced' && rounds < 200; rounds += 1) ({ ended } = await replica.sync())
    expect(rounds).toBeLessThan(200)
    for (const { api } of [remote.admin, replica]) {
      const { expenses } = (await api.get('/expenses?sort=id')).body
      const told = expenses.map(({ description, tags, status, comments_count }: Json) => [description, tags, status, comments_count])
      expect(told).toEqual([
        ['one', 'one', 'rejected', 2],
        ['two', 'two', 'rejected', 2],
      ])
    }
    expect(await operationsOf('waiting')).toEqual([])
  })
})

describe('two people on one record', () => {
  let expense: Json
  beforeEach(async () => {
    expense = await recordExpense(remote, remote.member, { description: 'Taxi', amount: 50 })
    replica = await startReplica(remote.url, remote.manager)
    await replica.sync()
  })

  test('who change different attributes both have theirs', async () => {
    await replica.api.send('PATCH', `/expenses/${expense.id}`, { description: 'Taxi to the airport' })
    await remote.member.api.send('PATCH', `/expenses/${expense.id}`, { location: 'Recife' })
    expect(await replica.sync()).toMatchObject({ ...synced, pushed: 1 })
    for (const { api } of [remote.member, replica])
      expect(await expenseOf(api, expense.id)).toMatchObject({ description: 'Taxi to the airport', location: 'Recife', version: 3 })
  })

  test('who disagree are shown both values, and the choice of one’s own is written over theirs', async () => {
    await replica.api.send('PATCH', `/expenses/${expense.id}`, { description: 'Mine' })
    await remote.member.api.send('PATCH', `/expenses/${expense.id}`, { description: 'Theirs' })
    expect(await replica.sync()).toMatchObject({ conflicts: 1 })
    expect(await expenseOf(replica.api, expense.id)).toMatchObject({ description: 'Theirs' })
    const [conflict] = await operationsOf('conflicts')
    expect(conflict.answer.differences).toEqual([{ attribute: 'description', base: 'Taxi', mine: 'Mine', theirs: 'Theirs' }])
    await replica.api.send('POST', '/replica/operations', { operations: [conflict], decision: 'mine' })
    expect(await replica.sync()).toMatchObject({ ...synced, pushed: 1 })
    expect(await expenseOf(remote.member.api, expense.id)).toMatchObject({ description: 'Mine' })
  })

  test('an approval of what has changed since comes back, and is not sent', async () => {
    await replica.api.send('PUT', `/expenses/${expense.id}/status`, { status: 'approved', approved_amount: 50 })
    await remote.member.api.send('PATCH', `/expenses/${expense.id}`, { amount: 99 })
    expect(await replica.sync()).toMatchObject({ pushed: 0, conflicts: 1 })
    expect(await expenseOf(remote.member.api, expense.id)).toMatchObject({ status: 'awaiting_analysis', amount: 99 })
    expect(await expenseOf(replica.api, expense.id)).toMatchObject({ status: 'awaiting_analysis', amount: 99 })
    const [conflict] = await operationsOf('conflicts')
    expect(conflict.answer).toMatchObject({ status: 412 })
    expect(conflict.answer.differences).toMatchObject([{ attribute: 'amount', base: 50, theirs: 99 }])
  })

  test('an approval is rejected if the expense changes between reading and sending', async () => {
    await replica.remove()
    const overtake = async () => remote.member.api.send('PATCH', `/expenses/${expense.id}`, { amount: 99 })
    replica = await startReplica(remote.url, remote.manager, {
      transportTo: (to) => {
        const send = httpTransport(to)
        return async (request) => {
          if (request.path.endsWith('/status')) await overtake()
          return send(request)
        }
      },
    })
    await replica.sync()
    await replica.api.send('PUT', `/expenses/${expense.id}/status`, { status: 'approved', approved_amount: 50 })
    expect(await replica.sync()).toMatchObject({ pushed: 0, conflicts: 1 })
    expect(await expenseOf(remote.member.api, expense.id)).toMatchObject({ status: 'awaiting_analysis' })
    expect((await operationsOf('conflicts'))[0].answer.differences).toMatchObject([{ attribute: 'amount', base: 50, theirs: 99 }])
  })
})
