import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newExpense, recordExpense } from '#test/support/expenses'
import { inForm } from '#test/support/form'
import { type Instance, type Json, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'
import { attach } from '#test/support/attach'
import { httpTransport } from '#main/sync/remote'
import { RemoteError } from '#main/sync/remote-error'

let remote: Instance
let replica: ReplicaInstance
beforeEach(async () => {
  remote = await startInstance()
})
afterEach(async () => {
  await replica.remove()
  await remote.remove()
})

const expenseOf = async (api: { get: Instance['admin']['api']['get'] }, id: number): Promise<Json> =>
  (await api.get(`/expenses/${id}`)).body
const operationsOf = async (list: string): Promise<Json[]> => (await replica.api.get(`/replica/operations?list=${list}`)).body.operations

describe('records created offline', () => {
  test('has its final id, link and receipts from birth, and keeps them through the exchange', async () => {
    replica = await startReplica(remote.url, remote.member)
    await replica.sync()
    const made = (await replica.api.send('POST', '/expenses', newExpense(remote, { tags: ['New tag'] }))).body
    for (const name of ['a.png', 'b.png', 'c.png']) await attach(replica.api, made.id, name)
    await replica.api.send('POST', `/expenses/${made.id}/comments`, { content: 'three receipts' })
    const before = await expenseOf(replica.api, made.id)
    expect(before.attachments).toHaveLength(3)
    expect(await replica.sync()).toMatchObject({ ended: 'synced', pushed: 5, conflicts: 0, failed: 0, uploads: 3 })
    const [there, here] = [await expenseOf(remote.member.api, made.id), await expenseOf(replica.api, made.id)]
    expect(there).toMatchObject({ uid: made.uid, version: before.version, tags: 'New tag', attachments_count: 3, comments_count: 1 })
    expect(here).toMatchObject({ id: made.id, uid: made.uid, version: there.version, activities_count: there.activities_count })
    const comments = async (api: typeof replica.api) =>
      (await api.get(`/expenses/${made.id}/comments`)).body.comments.map(({ id, uid }: Json) => ({ id, uid }))
    expect(await comments(replica.api)).toEqual(await comments(remote.member.api))
    expect(await operationsOf('waiting')).toEqual([])
  })

  test('without a lease is known by both ids: the provisional one still leads there', async () => {
    replica = await startReplica(remote.url, remote.member)
    // The membership is here, leases are not: as if they had run out.
    await replica.sync()
    await replica.app.store.transact({ user_id: 0, origin: 'cli', request_id: null, if_match: null }, async (tx) => {
      await tx.write('DELETE FROM id_leases', [])
      return Promise.resolve()
    })
    const made = (await replica.api.send('POST', '/expenses', newExpense(remote))).body
    expect(made.id).toBeLessThan(0)
    await replica.api.send('POST', `/expenses/${made.id}/comments`, { content: 'by its provisional id' })
    expect(await replica.sync()).toMatchObject({ pushed: 2, conflicts: 0, failed: 0 })
    const here = await expenseOf(replica.api, made.id)
    expect(here.id).toBeGreaterThan(0)
    expect(here).toMatchObject({ uid: made.uid, comments_count: 1 })
    expect(await expenseOf(remote.member.api, here.id)).toMatchObject({ uid: made.uid, comments_count: 1 })
  })

  test.each(['request', 'response'])('is sent once although the %s is lost', async (lost) => {
    let drops = 0
    replica = await startReplica(remote.url, remote.member, {
      transportTo: (to) => {
        const send = httpTransport(to)
        return async (request) => {
          const isCut = request.path === '/sync/push' && drops === 0
          if (isCut) drops += 1
          const response = isCut && lost === 'request' ? undefined : await send(request)
          if (response && !isCut) return response
          throw new RemoteError('unreachable', 'cut')
        }
      },
    })
    await replica.sync()
    const made = (await replica.api.send('POST', '/expenses', newExpense(remote))).body
    expect(await replica.sync()).toMatchObject({ ended: 'offline', pushed: 0 })
    expect((await expenseOf(replica.api, made.id)).uid).toBe(made.uid)
    expect(await replica.sync()).toMatchObject({ ended: 'synced', failed: 0, conflicts: 0 })
    expect((await remote.member.api.get('/expenses')).body.count).toBe(1)
    expect(await operationsOf('waiting')).toEqual([])
  })
})

describe('two people on one record', () => {
  let expense: Json
  beforeEach(async () => {
    expense = await recordExpense(remote, remote.member, { description: 'Taxi', amount: 50 })
    replica = await startReplica(remote.url, remote.analyst)
    await replica.sync()
  })

  test('who change different attributes both have theirs', async () => {
    await replica.api.send('PATCH', `/expenses/${expense.id}`, { description: 'Taxi to the airport' })
    await remote.member.api.send('PATCH', `/expenses/${expense.id}`, { location: 'Recife' })
    expect(await replica.sync()).toMatchObject({ pushed: 1, conflicts: 0 })
    for (const { api } of [remote.member, replica])
      expect(await expenseOf(api, expense.id)).toMatchObject({ description: 'Taxi to the airport', location: 'Recife', version: 3 })
  })

  test('who change the amount and the currency have not changed different things', async () => {
    await replica.api.send('PATCH', `/expenses/${expense.id}`, { amount: 40 })
    await remote.member.api.send('PATCH', `/expenses/${expense.id}`, { currency: 'USD' })
    expect(await replica.sync()).toMatchObject({ pushed: 0, conflicts: 1 })
    expect(await expenseOf(replica.api, expense.id)).toMatchObject({ amount: 50, currency: 'USD' })
  })

  test('who write the same agree', async () => {
    await replica.api.send('PATCH', `/expenses/${expense.id}`, { description: 'Cab' })
    await remote.member.api.send('PATCH', `/expenses/${expense.id}`, { description: 'Cab' })
    expect(await replica.sync()).toMatchObject({ pushed: 1, conflicts: 0 })
    expect(await expenseOf(replica.api, expense.id)).toMatchObject({ description: 'Cab', version: 2 })
  })

  test('who disagree are shown both values, and the choice of one’s own is written over theirs', async () => {
    await replica.api.send('PATCH', `/expenses/${expense.id}`, { description: 'Mine' })
    await remote.member.api.send('PATCH', `/expenses/${expense.id}`, { description: 'Theirs' })
    expect(await replica.sync()).toMatchObject({ conflicts: 1 })
    expect(await expenseOf(replica.api, expense.id)).toMatchObject({ description: 'Theirs' })
    const [conflict] = await operationsOf('conflicts')
    expect(conflict.answer).toMatchObject({
      ...{ by: 'Mel Member', is_own: false },
      differences: [{ attribute: 'description', base: 'Taxi', mine: 'Mine', theirs: 'Theirs' }],
    })
    await replica.api.send('POST', '/replica/operations', { operations: [conflict], decision: 'mine' })
    expect(await expenseOf(replica.api, expense.id)).toMatchObject({ description: 'Mine' })
    expect(await replica.sync()).toMatchObject({ pushed: 1, conflicts: 0 })
    expect(await expenseOf(remote.member.api, expense.id)).toMatchObject({ description: 'Mine' })
  })

  test('who changed the same field on another device is not told that it was someone else', async () => {
    await replica.api.send('PATCH', `/expenses/${expense.id}`, { description: 'On the laptop' })
    await remote.analyst.api.send('PATCH', `/expenses/${expense.id}`, { description: 'On the telephone' })
    expect(await replica.sync()).toMatchObject({ conflicts: 1 })
    const [{ answer }] = await operationsOf('conflicts')
    expect(answer).toMatchObject({ is_own: true, message: 'disagreement' })
  })
})

/** As many as a person approves at once; some exchanges' worth in the long form. */
const all = inForm(120, 500)

describe('an approval made offline', () => {
  test(`of ${all}, with 20 changed meanwhile: the others are approved, 20 come back with what changed, none at an amount that was not seen`, async () => {
    const made = await remote.member.api.send('POST', '/batch', {
      operations: Array.from({ length: all }, () => ({ method: 'POST', path: '/expenses', body: newExpense(remote, { amount: 10 }) })),
    })
    const ids: number[] = made.body.results.map(({ body }: Json) => body.id)
    replica = await startReplica(remote.url, remote.manager)
    await replica.sync()
    const approve = (id: number) => ({ method: 'PUT', path: `/expenses/${id}/status`, body: { status: 'approved', approved_amount: 10 } })
    const approved = await replica.api.send('POST', '/batch', { operations: ids.map(approve) })
    expect(approved.body.results.every(({ status }: Json) => status === 200)).toBe(true)
    for (const id of ids.slice(0, 20)) await remote.member.api.send('PATCH', `/expenses/${id}`, { amount: 99 })
    expect(await replica.sync()).toMatchObject({ ended: 'synced', pushed: all - 20, conflicts: 20, failed: 0 })
    const there = (await remote.manager.api.get('/expenses/summary?group_by=status')).body.groups
    expect(there.map(({ key, count }: Json) => [key, count])).toEqual([
      ['approved', all - 20],
      ['awaiting_analysis', 20],
    ])
    const conflicts = await operationsOf('conflicts')
    expect(conflicts).toHaveLength(20)
    for (const { answer: response } of conflicts)
      expect(response).toMatchObject({ status: 412, by: 'Mel Member', differences: [{ attribute: 'amount', base: 10, theirs: 99 }] })
    const [first] = conflicts
    await replica.api.send('POST', '/replica/operations', { operations: [first], decision: 'again' })
    expect(await replica.sync()).toMatchObject({ pushed: 1, conflicts: 19 })
  })

  test('is not repeated if the incoming record differs, before it is even sent', async () => {
    const expense = await recordExpense(remote, remote.member, { amount: 10 })
    replica = await startReplica(remote.url, remote.manager)
    await replica.sync()
    await replica.api.send('PUT', `/expenses/${expense.id}/status`, { status: 'approved', approved_amount: 10 })
    await replica.api.send('POST', `/expenses/${expense.id}/comments`, { content: 'approved, as agreed' })
    await remote.member.api.send('PATCH', `/expenses/${expense.id}`, { amount: 11 })
    expect(await replica.sync()).toMatchObject({ pushed: 1, conflicts: 1 })
    expect(await expenseOf(replica.api, expense.id)).toMatchObject({ status: 'awaiting_analysis', amount: 11, comments_count: 1 })
  })

  test('applies although its author has commented elsewhere, and comes back when someone else has', async () => {
    const [own, asked] = [await recordExpense(remote, remote.member), await recordExpense(remote, remote.member)]
    replica = await startReplica(remote.url, remote.manager)
    await replica.sync()
    for (const { id } of [own, asked]) {
      await replica.api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 12.5 })
      const { body } = await remote.manager.api.send('POST', `/expenses/${id}/comments`, { content: 'to be approved' })
      await remote.manager.api.send('PATCH', `/expenses/${id}/comments/${body.id}`, { content: 'approved on the train' })
    }
    await remote.member.api.send('POST', `/expenses/${asked.id}/comments`, { content: 'It was for two people, sorry' })
    expect(await replica.sync()).toMatchObject({ pushed: 1, conflicts: 1, failed: 0 })
    expect(await expenseOf(remote.manager.api, own.id)).toMatchObject({ status: 'approved', comments_count: 1 })
    expect(await expenseOf(replica.api, own.id)).toMatchObject({ status: 'approved', comments_count: 1 })
    expect(await expenseOf(replica.api, asked.id)).toMatchObject({ status: 'awaiting_analysis', comments_count: 2 })
    expect((await operationsOf('conflicts'))[0].answer).toMatchObject({ status: 412, by: 'Mel Member' })
  })

  test('that is not sent yet stays when its author has commented elsewhere, and comes back at once when someone else has', async () => {
    const [own, asked] = [await recordExpense(remote, remote.member), await recordExpense(remote, remote.member)]
    let decide: (() => Promise<unknown>) | undefined
    replica = await startReplica(remote.url, remote.manager, {
      transportTo: (to) => {
        const send = httpTransport(to)
        return async (request) => {
          // After what waited was sent, and before what changed comes.
          if (request.path.startsWith('/sync/changes')) await decide?.()
          return send(request)
        }
      },
    })
    await replica.sync()
    decide = async () => {
      decide = undefined
      for (const { id } of [own, asked])
        await replica.api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 12.5 })
    }
    await remote.manager.api.send('POST', `/expenses/${own.id}/comments`, { content: 'to be approved' })
    await remote.member.api.send('POST', `/expenses/${asked.id}/comments`, { content: 'It was for two people, sorry' })
    expect(await replica.sync()).toMatchObject({ pushed: 0, conflicts: 1 })
    expect((await operationsOf('waiting')).map(({ path }) => path)).toEqual([`/expenses/${own.id}/status`])
    expect((await operationsOf('conflicts')).map(({ path }) => path)).toEqual([`/expenses/${asked.id}/status`])
    expect(await expenseOf(replica.api, own.id)).toMatchObject({ status: 'approved', comments_count: 1 })
    expect(await replica.sync()).toMatchObject({ pushed: 1, conflicts: 1 })
    expect(await expenseOf(remote.manager.api, own.id)).toMatchObject({ status: 'approved' })
  })
})

describe('receipts', () => {
  test('beyond the budget stay at the remote but for their small pictures, and come when they are asked for', async () => {
    const expense = await recordExpense(remote, remote.member)
    await attach(remote.member.api, expense.id, 'a.png')
    replica = await startReplica(remote.url, remote.member)
    await replica.app.replica.budget(10)
    expect(await replica.sync()).toMatchObject({ ended: 'synced', downloads: 0 })
    expect((await replica.api.get('/replica')).body.counts).toMatchObject({ downloads: 1 })
    const [attachment] = (await expenseOf(replica.api, expense.id)).attachments
    const urlOf = (style: string) => attachment.file.find((one: Json) => one.style === style).url.replace(/^https?:\/\/[^/]+/, replica.url)
    expect((await fetch(urlOf('thumb'))).status).toBe(200)
    expect(await readdir(join(replica.folder, 'blobs')).catch(() => [])).toEqual([])
    expect((await fetch(urlOf('original'))).status).toBe(200)
    expect((await replica.api.get('/replica')).body.counts).toMatchObject({ downloads: 0 })
  })
})

test('an exchange that waits for the one before does not begin once the instance is closing', async () => {
  replica = await startReplica(remote.url, remote.member)
  const first = replica.sync()
  const second = replica.sync()
  const closed = replica.app.replica.close()
  await expect(second).rejects.toThrow('closed')
  expect((await first).ended).toBe('synced')
  await closed
})
