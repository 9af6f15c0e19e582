import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { copyOf, putBack } from '#test/support/copies'
import { newExpense } from '#test/support/expenses'
import { inForm } from '#test/support/form'
import { type Api, type Instance, type Json, startInstance } from '#test/support/instance'
import { xmlFile } from '#test/support/sample-files'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'
import { uploadFile } from '#test/support/upload'

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

/** From so many on a person is asked. */
const asked = 21
const synced = { ended: 'synced', conflicts: 0, failed: 0 }

async function newReplica({ token }: { token: string } = remote.member): Promise<ReplicaInstance> {
  const replica = await startReplica(remote.url, { token })
  replicas.push(replica)
  await replica.sync()
  return replica
}

/** The remote as it is now, to be put back later. */
async function backup(): Promise<string> {
  const copy = await copyOf(remote)
  folders.push(copy)
  return copy
}

/** Sends requests in batches, and answers the bodies. */
async function sendAll(api: Api, operations: ReadonlyArray<Record<string, unknown>>): Promise<Json[]> {
  const bodies: Json[] = []
  for (let start = 0; start < operations.length; start += 100) {
    const { body } = await api.send('POST', '/batch', { operations: operations.slice(start, start + 100) })
    for (const one of body.results) {
      if (one.status >= 300) throw new Error(JSON.stringify(one))
      bodies.push(one.body)
    }
  }
  return bodies
}

const make = (api: Api, count: number, word: string) =>
  sendAll(
    api,
    Array.from({ length: count }, (_, index) => ({
      method: 'POST',
      path: '/expenses',
      body: newExpense(remote, { description: `${word} ${index}`, tags: 'Travel' }),
    })),
  )

async function attachTo(api: Api, id: number, name: string): Promise<void> {
  const file = await uploadFile({ api }, xmlFile({ name: `${name}.xml`, id: name }))
  expect((await api.send('POST', `/expenses/${id}/attachments`, { file })).status).toBe(201)
}

/** What a side holds: descriptions with the number of receipts and comments, by identity. */
async function heldBy({ api }: { api: Api }): Promise<Map<string, string>> {
  const held = new Map<string, string>()
  for (let page = 1; ; page += 1) {
    const { body } = await api.get(`/expenses?per_page=100&page=${page}`)
    for (const { uid, description, attachments_count, comments_count } of body.expenses)
      held.set(uid, `${description}, ${attachments_count} receipts, ${comments_count} comments`)
    if (body.expenses.length < 100) return held
  }
}

const countOf = async ({ api }: { api: Api }): Promise<number> => (await api.get('/expenses')).body.count
const listed = async ({ api }: ReplicaInstance, list: string): Promise<Json[]> =>
  (await api.get(`/replica/operations?list=${list}`)).body.operations

/** The decision of a person, if they are asked, and the exchanges after it until nothing waits. */
async function decide(replica: ReplicaInstance, decision: 'keep' | 'allow', count: number): Promise<void> {
  const first = await replica.sync()
  if (count < asked) expect(first).toMatchObject({ ended: 'synced' })
  else {
    expect(first).toMatchObject({ ended: 'stopped', error: expect.stringContaining(`would delete ${count} of`) as string })
    await replica.api.send('POST', '/replica/guard', { decision })
    // A second press decides nothing more.
    await replica.api.send('POST', '/replica/guard', { decision })
  }
  for (let round = 0; round < 3; round += 1) await replica.sync()
}

const sizes = (process.env.OUTLAY_RESTORED ?? inForm('1,21', '1,19,40')).split(',').map(Number)

describe.each(sizes)('a remote restored to a backup without the %i expenses that were made here', (count) => {
  const isAsked = count >= asked
  /** Expenses that the remote confirmed and lost, with changes here that it never got. */
  async function lose() {
    const empty = await backup()
    const replica = await newReplica()
    const made = await make(replica.api, count, 'confirmed')
    const [first, second = first] = made
    await attachTo(replica.api, first.id, 'confirmed')
    await replica.api.send('POST', `/expenses/${first.id}/comments`, { content: 'confirmed' })
    await replica.sync()
    expect(await replica.sync()).toMatchObject(synced)
    expect(await heldBy(replica)).toEqual(await heldBy(remote.member))
    remote = await putBack(remote, empty)
    expect(await countOf(remote.member)).toBe(0)
    await replica.api.send('PATCH', `/expenses/${second.id}`, { description: 'edited' })
    await attachTo(replica.api, second.id, 'waiting')
    const [fresh] = await make(replica.api, 1, 'new')
    await attachTo(replica.api, fresh.id, 'new')
    return { replica, empty, made, second, fresh }
  }

  test('“Keep them here” keeps them with all that waits, sends them again, and does not ask again', async () => {
    const { replica, second, fresh } = await lose()
    const before = await heldBy(replica)
    expect(before.size).toBe(count + 1)
    await decide(replica, 'keep', count)
    expect(await heldBy(replica)).toEqual(before)
    expect(await heldBy(remote.member)).toEqual(before)
    expect(before.get(second.uid)).toContain('edited')
    expect(before.get(fresh.uid)).toBe('new 0, 1 receipts, 0 comments')
    // The remote gives ids again that this device had been leased before.
    await make(remote.member.api, 3, 'there')
    await replica.sync()
    await make(replica.api, 1, 'later')
    expect(await replica.sync()).toMatchObject({ ...synced, pushed: 1 })
    expect(await heldBy(remote.member)).toEqual(await heldBy(replica))
    for (const list of ['waiting', 'conflicts', 'failed', 'quarantined']) expect(await listed(replica, list)).toEqual([])
  })

  test.runIf(isAsked)('“Delete here too” deletes them at both ends, and keeps what was not sent', async () => {
    const { replica, empty, fresh } = await lose()
    const kept = new Map([[fresh.uid, 'new 0, 1 receipts, 0 comments']])
    await decide(replica, 'allow', count)
    expect(await heldBy(replica)).toEqual(kept)
    expect(await heldBy(remote.member)).toEqual(kept)
    expect(await listed(replica, 'waiting')).toEqual([])
    const quarantined = await listed(replica, 'quarantined')
    expect(quarantined.map(({ method, body }) => [method, Object.keys(body)])).toEqual([
      ['PATCH', ['description']],
      ['POST', ['file']],
    ])
    // They are not sent by a later restore either.
    remote = await putBack(remote, empty)
    for (let round = 0; round < 3; round += 1) await replica.sync()
    expect(await heldBy(remote.member)).toEqual(kept)
    expect(await heldBy(replica)).toEqual(kept)
  })

  test.runIf(isAsked)('the decision outlives a restart, and a second restore asks again and is decided by itself', async () => {
    const { replica, empty } = await lose()
    const before = await heldBy(replica)
    await replica.sync()
    await replica.api.send('POST', '/replica/guard', { decision: 'keep' })
    await replica.close()
    const again = await startReplica(remote.url, remote.member, { folder: replica.folder })
    replicas.push(again)
    for (let round = 0; round < 3; round += 1) await again.sync()
    expect(await heldBy(again)).toEqual(before)
    expect(await heldBy(remote.member)).toEqual(before)
    remote = await putBack(remote, empty)
    await decide(again, 'allow', count + 1)
    expect([await countOf(again), await countOf(remote.member)]).toEqual([0, 0])
  })
})

const there = Math.max(...sizes)

describe(`a remote restored to a backup without ${there} expenses that were made there`, () => {
  async function lose() {
    const empty = await backup()
    const made = await make(remote.member.api, there, 'there')
    await attachTo(remote.member.api, made[0].id, 'there')
    await remote.member.api.send('POST', `/expenses/${made[0].id}/comments`, { content: 'there' })
    const replica = await newReplica()
    const before = await heldBy(replica)
    return { replica, empty, made, before }
  }

  test('“Keep them here” makes them again there, with the changes that wait, their receipts and own comments', async () => {
    const { replica, empty, made } = await lose()
    remote = await putBack(remote, empty)
    await replica.api.send('PATCH', `/expenses/${made[1].id}`, { description: 'edited' })
    const before = await heldBy(replica)
    await decide(replica, 'keep', there)
    expect(await heldBy(replica)).toEqual(before)
    expect(await heldBy(remote.member)).toEqual(before)
    expect(await listed(replica, 'conflicts')).toEqual([])
  })

  test('two replicas that keep the same make them once', async () => {
    const { replica, empty, before } = await lose()
    const other = await newReplica()
    const own = await make(other.api, 1, 'own')
    await other.sync()
    await replica.sync()
    remote = await putBack(remote, empty)
    // Both are asked before either has decided.
    expect(await other.sync()).toMatchObject({ ended: 'stopped' })
    await decide(replica, 'keep', there + 1)
    await decide(other, 'keep', there + 1)
    await replica.sync()
    const after = new Map([...before, [own[0].uid, 'own 0, 0 receipts, 0 comments']])
    for (const side of [replica, other, remote.member]) expect(await heldBy(side)).toEqual(after)
  })

  test('a manager’s replica keeps the claims of others as theirs', async () => {
    const { empty } = await lose()
    const replica = await newReplica(remote.manager)
    remote = await putBack(remote, empty)
    await decide(replica, 'keep', there)
    const { expenses } = (await remote.member.api.get('/expenses?per_page=100')).body
    expect(expenses).toHaveLength(Math.min(there, 100))
    expect(new Set(expenses.map(({ receiver }: Json) => receiver.id))).toEqual(new Set([remote.member.user_id]))
  })
})

test.each(['keep', 'allow'] as const)('deletions at the remote: “%s” does what it says', async (decision) => {
  const made = await make(remote.member.api, 30, 'there')
  await attachTo(remote.member.api, made[0].id, 'there')
  const replica = await newReplica()
  const before = await heldBy(replica)
  await sendAll(
    remote.member.api,
    made.map(({ id }) => ({ method: 'DELETE', path: `/expenses/${id}` })),
  )
  await decide(replica, decision, 30)
  const expected = decision === 'keep' ? [...before.values()].sort() : []
  expect([...(await heldBy(replica)).values()].sort()).toEqual(expected)
  expect([...(await heldBy(remote.member)).values()].sort()).toEqual(expected)
})

test('what a plain server lost is sent to it again by “Keep them here”', async () => {
  await remote.remove()
  remote = await startInstance({ settings: { OUTLAY_SYNC: false } })
  const made = await make(remote.member.api, 30, 'there')
  await attachTo(remote.member.api, made[0].id, 'there')
  const replica = await newReplica()
  // A receipt is known once its expense was looked at.
  await replica.api.get(`/expenses/${made[0].id}`)
  const before = await heldBy(replica)
  await sendAll(
    remote.member.api,
    made.map(({ id }) => ({ method: 'DELETE', path: `/expenses/${id}` })),
  )
  await decide(replica, 'keep', 30)
  for (const side of [replica, remote.member]) expect([...(await heldBy(side)).values()].sort()).toEqual([...before.values()].sort())
})
