import { expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { readOrMakeAuditKey } from '#main/use-cases/audit/audit-key'
import { sealNext } from '#main/use-cases/audit/seal-next'
import { feedEvent, type FeedEvent, type FeedTopic, type RecordChange } from '#shared/contract/instance/feed'
import { isOnPostgres } from '#test/support/databases/database-of'
import { attach } from '#test/support/attach'
import { capture, listProcessed } from '#test/support/captures'
import { moveExpense, newExpense, recordExpense } from '#test/support/expenses'
import { settled, uploadImport } from '#test/support/imports'
import type { Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { pngFile } from '#test/support/sample-files'
import { approvedExpense } from '#test/support/settlements'
import { startReplica } from '#test/support/sync/replica'
import { dropLeases } from '#main/store/sync/id-leases'
import { httpTransport } from '#main/sync/remote'

const instance = await instanceOfFile()

/** The feed of a person, read event by event. */
async function listen({ token }: Pick<Person, 'token'>, lastEventId?: string, { url }: { url: string } = instance) {
  const stop = new AbortController()
  const response = await fetch(`${url}/api/v1/events`, {
    signal: stop.signal,
    headers: {
      'user-agent': 'tests',
      authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<{ id: string; event: FeedEvent }> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const [, id = '', data = ''] = /^id: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
        text = text.slice(end + 2)
        if (data !== '') return { id, event: feedEvent.parse(JSON.parse(data)) }
        continue
      }
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
      if (done) throw new Error('the feed has ended')
      text += value ?? ''
    }
  }
  /** Reads on until a record of a table is named. */
  const heard = async (table: string, id: number): Promise<{ id: string; change: RecordChange }> => {
    for (;;) {
      const { id: place, event } = await next()
      const change = event.kind === 'changes' ? event.changes.find((one) => one.table === table && one.id === id) : undefined
      if (change) return { id: place, change }
    }
  }
  return { next, heard, stop: () => stop.abort(), status: response.status }
}

test('each change of what a person sees is named with its version, in the order of the commits', async () => {
  const feed = await listen(instance.member)
  expect((await feed.next()).event).toEqual({ kind: 'ready' })
  const expense = await recordExpense(instance, instance.member)
  const { change } = await feed.heard('expenses', expense.id)
  expect(change).toEqual({ table: 'expenses', id: expense.id, uid: expense.uid, version: expense.version, is_pulled: false })
  const put = await instance.analyst.api.send('PUT', `/expenses/${expense.id}/status`, { status: 'analyzing' })
  expect(put.status).toBe(200)
  const { body } = await instance.member.api.get(`/expenses/${expense.id}`)
  expect((await feed.heard('expenses', expense.id)).change.version).toBe(body.version)
  feed.stop()
})

test('a replica names what has a provisional id', async () => {
  const replica = await startReplica(instance.url, instance.member)
  let feed: Awaited<ReturnType<typeof listen>> | undefined
  try {
    await replica.sync()
    const actor = { user_id: instance.member.user_id, origin: 'sync', request_id: null, if_match: null } as const
    await replica.app.store.transact(actor, (tx) => dropLeases(tx))
    feed = await listen(instance.member, undefined, replica)
    const { body } = await replica.api.send('POST', '/expenses', newExpense(instance))
    expect(body.id).toBeLessThan(0)
    expect((await feed.heard('expenses', body.id)).change.uid).toBe(body.uid)
  } finally {
    feed?.stop()
    await replica.remove()
  }
})

test('a replica names what an exchange changed before the receipts that come with it are here', async () => {
  const held = Promise.withResolvers<undefined>()
  const replica = await startReplica(instance.url, instance.member, {
    transportTo: (to) => {
      const send = httpTransport(to)
      return async (request) => {
        if (request.path.startsWith('/sync/blobs')) await held.promise
        return send(request)
      }
    },
  })
  let feed: Awaited<ReturnType<typeof listen>> | undefined
  try {
    const shown = await recordExpense(instance, instance.member)
    const gone = await recordExpense(instance, instance.member)
    await replica.sync()
    feed = await listen(instance.member, undefined, replica)
    await attach(instance.member.api, shown.id, 'receipt.png')
    await instance.member.api.send('DELETE', `/expenses/${gone.id}`)
    const { body } = await instance.member.api.get(`/expenses/${shown.id}`)
    let hasEnded = false
    const exchange = replica.sync().finally(() => (hasEnded = true))
    const news = new Map<string, number | null>()
    while (!news.has(shown.uid) || !news.has(gone.uid)) {
      const { event } = await feed.next()
      for (const { uid, version } of event.kind === 'changes' ? event.changes : []) news.set(uid, version)
    }
    expect({ shown: news.get(shown.uid), gone: news.get(gone.uid), hasEnded }).toEqual({ shown: body.version, gone: null, hasEnded: false })
    held.resolve(undefined)
    expect(await exchange).toMatchObject({ ended: 'synced', downloads: 1 })
  } finally {
    held.resolve(undefined)
    feed?.stop()
    await replica.remove()
  }
})

test('what an exchange takes back is news to the page that wrote it, whatever its version', async () => {
  const expense = await recordExpense(instance, instance.member)
  const replica = await startReplica(instance.url, instance.manager)
  let feed: Awaited<ReturnType<typeof listen>> | undefined
  try {
    await replica.sync()
    const { body } = await replica.api.send('PUT', `/expenses/${expense.id}/status`, { status: 'analyzing' })
    await moveExpense(instance.admin, expense.id, { status: 'approved', approved_amount: 5 })
    feed = await listen(instance.manager, undefined, replica)
    expect(await replica.sync()).toMatchObject({ conflicts: 1 })
    // The move may be taken back before the other one comes.
    const told: RecordChange[] = []
    while (told.at(-1)?.version !== body.version) told.push((await feed.heard('expenses', expense.id)).change)
    expect(told.filter(({ is_pulled }) => !is_pulled)).toEqual([])
    expect((await replica.api.get(`/expenses/${expense.id}`)).body).toMatchObject({ status: 'approved', version: body.version })
  } finally {
    feed?.stop()
    await replica.remove()
  }
})

test('a page of a replica reads everything again once a snapshot is its base', async () => {
  const replica = await startReplica(instance.url, instance.member)
  let feed: Awaited<ReturnType<typeof listen>> | undefined
  try {
    feed = await listen(instance.member, undefined, replica)
    await replica.sync()
    for (let event = await feed.next(); event.event.kind !== 'reset'; event = await feed.next());
  } finally {
    feed?.stop()
    await replica.remove()
  }
})

test('no one gets events of records they cannot see, and anyone who loses access to a record is notified that it is gone', async () => {
  const other = await instance.addUser('Olga Other', 'member')
  const feed = await listen(other)
  await feed.next()
  const theirs = await recordExpense(instance, instance.member)
  const own = await recordExpense(instance, other)
  const { event } = await feed.next()
  if (event.kind !== 'changes') throw new Error(event.kind)
  expect(event.changes.some(({ table, id }) => table === 'expenses' && id === theirs.id)).toBe(false)
  expect(event.changes.some(({ table, id }) => table === 'expenses' && id === own.id)).toBe(true)
  expect((await other.api.send('DELETE', `/expenses/${own.id}`)).status).toBe(204)
  expect((await feed.heard('expenses', own.id)).change.version).toBeNull()
  feed.stop()
})

test('after a lost connection it resumes behind the event that is named, and says where it cannot', async () => {
  const first = await listen(instance.member)
  const { id } = await first.next()
  first.stop()
  const expense = await recordExpense(instance, instance.member)
  const resumed = await listen(instance.member, id)
  expect((await resumed.next()).event).toEqual({ kind: 'ready' })
  const place = (await resumed.heard('expenses', expense.id)).id
  resumed.stop()
  const upToDate = await listen(instance.member, place)
  await upToDate.next()
  const later = await recordExpense(instance, instance.member)
  const { event } = await upToDate.next()
  if (event.kind !== 'changes') throw new Error(event.kind)
  expect(event.changes.some((one) => one.table === 'expenses' && one.id === expense.id)).toBe(false)
  expect(event.changes.some((one) => one.table === 'expenses' && one.id === later.id)).toBe(true)
  upToDate.stop()
  for (const unknown of ['nonsense', Buffer.from('["other-epoch",1,"x",0]').toString('base64url')]) {
    const lost = await listen(instance.member, unknown)
    expect((await lost.next()).event).toEqual({ kind: 'reset' })
    lost.stop()
  }
})

test('a page misses nothing of what changes after it read who is signed in, however late it connects', async () => {
  const { body: session } = await instance.member.api.get('/session')
  const expense = await recordExpense(instance, instance.member)
  const feed = await listen(instance.member, session.feed_place)
  expect((await feed.next()).event).toEqual({ kind: 'ready' })
  await feed.heard('expenses', expense.id)
  feed.stop()
})

type Feed = Awaited<ReturnType<typeof listen>>

/** Reads on until a topic is named. */
async function heardTopic(feed: Feed, topic: FeedTopic): Promise<void> {
  for (;;) {
    const { event } = await feed.next()
    if (event.kind === 'topics' && event.topics.includes(topic)) return
  }
}
/** The topics named until a change that the listener makes last is heard. */
async function topicsUntil(feed: Feed, { table, id }: Pick<RecordChange, 'table' | 'id'>) {
  const topics = new Set<FeedTopic>()
  for (;;) {
    const { event } = await feed.next()
    if (event.kind === 'topics') for (const topic of event.topics) topics.add(topic)
    if (event.kind === 'changes' && event.changes.some((one) => one.table === table && one.id === id)) return topics
  }
}

test('events of captures, tokens, imports and deliveries go only to those who may read them', async () => {
  const { organization_id, url, analyst, member, stranger } = instance
  const feeds = await Promise.all([member, analyst, stranger].map((person) => listen(person)))
  const [members, analysts, strangers] = feeds as [Feed, Feed, Feed]
  await Promise.all(feeds.map((feed) => feed.next()))

  const { id } = await capture({ token: member.token, url }, { bytes: (await pngFile()).bytes })
  await heardTopic(members, 'captures')
  // Once when it is stored, and once when it is ready; what is close together is one event.
  await heardTopic(members, 'captures')
  expect((await listProcessed(member)).map((one) => one.id)).toEqual([id])
  await member.api.send('POST', '/user/tokens', { description: 'Phone' })
  await heardTopic(members, 'api_tokens')

  const bytes = 'Employee,Date,Amount,Currency,Category,Description\nAna Lima,2024-05-01,10.00,BRL,Taxi,Ride'
  const { body } = await uploadImport(instance, { token: analyst.token, organization_id, bytes })
  await heardTopic(analysts, 'imports')
  await settled(analyst.api, body)

  const { body: ofMember } = await member.api.send('POST', '/pre_expenses', { description: 'The last of the member' })
  expect(await topicsUntil(members, { table: 'pre_expenses', id: ofMember.id })).not.toContain('imports')
  const { body: ofAnalyst } = await analyst.api.send('POST', '/pre_expenses', { description: 'The last of the analyst' })
  expect(await topicsUntil(analysts, { table: 'pre_expenses', id: ofAnalyst.id })).not.toContain('captures')
  const { body: ofStranger } = await stranger.api.send('POST', '/pre_expenses', { description: 'The last of the stranger' })
  expect([...(await topicsUntil(strangers, { table: 'pre_expenses', id: ofStranger.id }))]).toEqual([])
  for (const feed of feeds) feed.stop()
})

test('handovers are named to reviewers, and seals of the trail to admins', async () => {
  const { organization_id, admin, manager, analyst, member } = instance
  const feeds = await Promise.all([admin, analyst, member].map((person) => listen(person)))
  const [admins, analysts, members] = feeds as [Feed, Feed, Feed]
  await Promise.all(feeds.map((feed) => feed.next()))
  await approvedExpense(instance)
  const { id } = await recordExpense(instance, member)
  const { status } = await manager.api.send('POST', `/organizations/${organization_id}/handovers`, { format: 'json' })
  expect(status).toBe(201)
  await heardTopic(analysts, 'handovers')
  await sealNext(instance.app.store, { key: await readOrMakeAuditKey(instance.folder), clock: systemClock })
  await heardTopic(admins, 'audit')
  expect((await member.api.send('PATCH', `/expenses/${id}`, { description: 'Changed last' })).status).toBe(200)
  const last = { table: 'expenses', id: Number(id) }
  expect([...(await topicsUntil(analysts, last))]).not.toContain('audit')
  const ofMember = await topicsUntil(members, last)
  expect([ofMember.has('handovers'), ofMember.has('audit')]).toEqual([false, false])
  for (const feed of feeds) feed.stop()
})

// A verifier reads a file.
test.skipIf(isOnPostgres)('damage is named to those who may know of it, and to nobody else', async () => {
  const { admin, manager } = instance
  const feeds = await Promise.all([admin, manager].map((person) => listen(person)))
  const [admins, managers] = feeds as [Feed, Feed]
  await Promise.all(feeds.map((feed) => feed.next()))
  await instance.app.verifier.verify()
  await heardTopic(admins, 'recoveries')
  const { body } = await manager.api.send('POST', '/pre_expenses', { description: 'The last of the manager' })
  expect(await topicsUntil(managers, { table: 'pre_expenses', id: body.id })).not.toContain('recoveries')
  for (const feed of feeds) feed.stop()
})

test('webhooks and invitations are named to those who manage them, and devices to their user', async () => {
  const { organization_id, manager, analyst, member } = instance
  const feeds = await Promise.all([manager, analyst, member].map((person) => listen(person)))
  const [managers, analysts, members] = feeds as [Feed, Feed, Feed]
  await Promise.all(feeds.map((feed) => feed.next()))
  const hooks = `/organizations/${organization_id}/integrations/webhooks`
  const { body: hook, status } = await manager.api.send('POST', hooks, { url: 'https://example.org/hook', description: null })
  expect(status, JSON.stringify(hook)).toBe(201)
  await managers.heard('webhooks', hook.id)
  await manager.api.send('DELETE', `${hooks}/${hook.id}`)
  expect((await managers.heard('webhooks', hook.id)).change.version).toBeNull()
  await analyst.api.send('POST', `/organizations/${organization_id}/members`, { user: { email: 'ida@example.org' }, role: 'member' })
  const { body: list } = await analyst.api.get(`/organizations/${organization_id}/invitations`)
  await analysts.heard('invitations', list.invitations[0].id)

  for (const [person, feed] of [
    [analyst, analysts],
    [member, members],
  ] as const) {
    const { body } = await person.api.send('POST', '/pre_expenses', { description: 'The last' })
    for (const tables = new Set<string>(); ;) {
      const { event } = await feed.next()
      if (event.kind !== 'changes') continue
      for (const change of event.changes) tables.add(change.table)
      if (!event.changes.some((change) => change.table === 'pre_expenses' && change.id === body.id)) continue
      expect([...tables]).not.toContain('webhooks')
      if (person === member) expect([...tables]).not.toContain('invitations')
      break
    }
  }
  for (const feed of feeds) feed.stop()
})

test('it needs credentials, and ends when the token that began it is revoked', async () => {
  expect((await listen({ token: 'wrong' })).status).toBe(401)
  const person = await instance.addUser('Rita Revoked', 'member')
  const feed = await listen(person)
  await feed.next()
  const { body } = await person.api.get('/user/tokens')
  await person.api.send('DELETE', `/user/tokens/${body.tokens[0].id}`)
  await expect(
    (async () => {
      for (;;) await feed.next()
    })(),
  ).rejects.toThrow('the feed has ended')
})
