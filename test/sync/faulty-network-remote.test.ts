import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '#main/clock'
import { httpTransport } from '#main/sync/remote'
import { runProgram } from '#test/support/built-program'
import { isBuilt } from '#test/support/built-server'
import { copyOf } from '#test/support/copies'
import { isOnPostgres } from '#test/support/databases/database-of'
import { openRaw } from '#test/support/databases/raw'
import { inForm } from '#test/support/form'
import { type FaultyProxy, startProxy } from '#test/support/sync/faulty-proxy'
import { type Instance, apiOf, startInstance } from '#test/support/instance'
import {
  type Entered,
  type ReplicaInstance,
  type ReplicaOptions,
  countStates,
  enterExpense,
  findEntered,
  readRows,
  serveFolder,
  startReplica,
  whole,
} from '#test/support/sync/sync-pair'

/** Several instances and processes each: on a busy machine that takes its time. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

let remote: Instance
let proxy: FaultyProxy
let scratch: string
const toEnd: Array<() => Promise<unknown>> = []

beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'outlay-remote-'))
  proxy = await startProxy()
  remote = await startInstance({ settings: { OUTLAY_ALLOWED_HOSTS: [proxy.host] } })
  proxy.retarget(remote.url)
  toEnd.push(
    () => rm(scratch, { recursive: true }),
    () => remote.remove(),
    () => proxy.close(),
  )
})

afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end()
})

async function connect(options: Partial<ReplicaOptions> = {}): Promise<ReplicaInstance> {
  const replica = await startReplica({ url: proxy.url, token: remote.manager.token, ...options })
  toEnd.push(() => replica.remove())
  await replica.sync()
  return replica
}

/** The one organization of the remote. */
const organization_id = 1
const here = (replica: ReplicaInstance, name: string) => enterExpense(replica.api, { organization_id, name })
const there = (name: string) => enterExpense(remote.admin.api, { organization_id, name })
const synced = { ended: { kind: 'synced', error: null } }

async function expectWhole(folders: readonly string[], entered: readonly Entered[]): Promise<void> {
  for (const one of entered) for (const folder of folders) expect(await findEntered(folder, one)).toEqual(whole(one))
}

async function expectSame(replica: ReplicaInstance, folder = remote.folder): Promise<void> {
  expect(await readRows(replica.folder)).toEqual(await readRows(folder))
  expect(Object.keys(countStates(replica.folder))).toEqual(['settled'])
  expect(replica.app.store.problems()).toEqual([])
}

test('a line that holds every part back', async () => {
  const replica = await connect()
  const entered = [await here(replica, 'slow-replica'), await there('slow-remote')]
  proxy.set({ latencyMs: 40 })
  expect(await replica.sync()).toMatchObject(synced)
  await expectWhole([remote.folder, replica.folder], entered)
  await expectSame(replica)
})

test.each(inForm([2500], [0, 700, 2500, 5000]))('a line that says nothing more after %i bytes and ends late', async (after) => {
  const replica = await connect()
  const entered = [await here(replica, 'stalled'), await there('stalled there')]
  proxy.set({ cut: { direction: 'down', after, how: { stallMs: 300 } } })
  expect((await replica.sync()).ended.kind).toBe('offline')
  expect(await replica.state()).toMatchObject({ activity: 'offline', stop: null, last_error: expect.stringMatching(/./) })
  proxy.heal()
  expect(await replica.sync()).toMatchObject(synced)
  await expectWhole([remote.folder, replica.folder], entered)
  await expectSame(replica)
})

test('a request over a line that falls silent ends by its own limit', async () => {
  let isHeld = false
  const transportTo: ReplicaOptions['transportTo'] = (to) => {
    const send = httpTransport(to)
    return (request) => send(isHeld ? { ...request, timeoutMs: 400 } : request)
  }
  const replica = await connect({ transportTo })
  const entered = [await here(replica, 'silent'), await there('silent there')]
  proxy.set({ cut: { direction: 'up', after: 1500, how: { stallMs: 3_600_000 } } })
  isHeld = true
  expect((await replica.sync()).ended).toEqual({ kind: 'offline', error: expect.stringMatching(/timeout/) })
  proxy.heal()
  isHeld = false
  expect(await replica.sync()).toMatchObject(synced)
  await expectWhole([remote.folder, replica.folder], entered)
  await expectSame(replica)
})

/** A copy of the remote's folder and database that is not being served, with another identity. */
async function copyAs({ uid }: { uid?: string } = {}): Promise<string> {
  const folder = await copyOf(remote)
  toEnd.push(() => rm(folder, { recursive: true }))
  if (uid !== undefined) {
    const db = await openRaw({ folder })
    await db.exec(`UPDATE instance_settings SET value = '${uid}' WHERE key = 'instance_uid'`)
    await db.close()
  }
  return folder
}

test('another instance responds at the address: nothing is sent to it or taken from it', async () => {
  const replica = await connect()
  const folder = await copyAs({ uid: systemClock.uid() })
  const before = await readRows(folder)
  const entered = await here(replica, 'for the right one')
  const other = await serveFolder(folder, [proxy.host])
  proxy.retarget(other.url)
  const mine = await readRows(replica.folder)
  expect((await replica.sync()).ended.kind).toBe('stopped')
  expect(await replica.state()).toMatchObject({
    activity: 'stopped',
    stop: { kind: 'wrong_account', message: expect.stringMatching(/another user/) },
    counts: { waiting: 4, conflicts: 0, failed: 0 },
  })
  expect(await readRows(folder)).toEqual(before)
  expect(await readRows(replica.folder)).toEqual(mine)
  if (isBuilt) {
    const { code, stderr } = await runProgram('sync', '--data', replica.folder)
    expect({ code, lines: stderr.trim().split('\n') }).toEqual({ code: 1, lines: [expect.stringMatching(/Another instance/)] })
  }
  await other.close()
  proxy.retarget(remote.url)
  expect(await replica.sync()).toMatchObject(synced)
  await expectWhole([remote.folder, replica.folder], [entered])
  await expectSame(replica)
})

test('a token that is no longer known, and one of another user', async () => {
  const replica = await connect()
  const entered = await here(replica, 'signed')
  await writeFile(join(replica.folder, 'remote-token'), 'f'.repeat(48))
  expect((await replica.sync()).ended).toEqual({ kind: 'stopped', error: expect.stringMatching(/token/) })
  expect((await replica.state()).stop).toMatchObject({ kind: 'unauthorized' })
  await writeFile(join(replica.folder, 'remote-token'), remote.member.token)
  expect((await replica.sync()).ended).toEqual({ kind: 'stopped', error: expect.stringMatching(/another user/) })
  expect((await replica.state()).stop).toMatchObject({ kind: 'wrong_account' })
  await writeFile(join(replica.folder, 'remote-token'), remote.manager.token)
  expect(await replica.sync()).toMatchObject(synced)
  await expectWhole([remote.folder, replica.folder], [entered])
  await expectSame(replica)
})

/** A backup of the remote, and how the remote is put back to it. What is on PostgreSQL is backed up by PostgreSQL's own means. */
const backups = {
  'a copy of its data': async () => {
    const folder = await copyAs()
    return async () => {
      await remote.close()
      return folder
    }
  },
  '"outlay restore"': async () => {
    const file = join(scratch, 'remote.backup')
    expect(await runProgram('backup', file, '--data', remote.folder)).toMatchObject({ code: 0 })
    return async () => {
      await remote.close()
      expect(await runProgram('restore', file, '--data', remote.folder)).toMatchObject({ code: 0 })
      return remote.folder
    }
  },
}

const kinds = (Object.keys(backups) as Array<keyof typeof backups>).filter((kind) => !isOnPostgres || kind === 'a copy of its data')

test.runIf(isBuilt).each(kinds)(
  'the remote is put back to an older state by %s: what was confirmed since is offered again, once',
  async (kind) => {
    const replica = await connect()
    const before = [await here(replica, 'before'), await there('before there')]
    await replica.sync()
    const restore = await backups[kind]()
    const since = [await here(replica, 'since')]
    const lost = await there('since there')
    expect(await replica.sync()).toMatchObject(synced)
    const waiting = await here(replica, 'not yet sent')
    const folder = await restore()
    const again = await serveFolder(folder, [proxy.host])
    // The history that goes on from the backup gives the same ids to others.
    const newest = await enterExpense(apiOf(again.url, remote.admin.token), { organization_id, name: 'another there' })
    expect(newest.id).toBe(lost.id)
    proxy.retarget(again.url)
    expect(await replica.sync()).toMatchObject(synced)
    await replica.sync()
    await expectWhole([folder, replica.folder], [...before, ...since, waiting, newest])
    // What was made at the remote alone went with it, and is not kept here as if it were there.
    expect(await findEntered(replica.folder, lost)).toEqual({ found: 0 })
    await expectSame(replica, folder)
    await again.close()
  },
)

test.each(inForm([-10], [10, -10]))('a clock that is %i years off decides nothing', async (years) => {
  const now = () => {
    const date = systemClock.now()
    date.setUTCFullYear(date.getUTCFullYear() + years)
    return date
  }
  const replica = await connect({ clock: { ...systemClock, now } })
  const entered = [await there('timely'), await here(replica, 'untimely')]
  expect(await replica.sync()).toMatchObject(synced)
  const [first] = entered
  // Both write the same record, one after the other: the order is that in which they came.
  await replica.api.send('PATCH', `/expenses/${first?.id}`, { location: 'Recife' })
  expect(await replica.sync()).toMatchObject(synced)
  await remote.admin.api.send('PATCH', `/expenses/${first?.id}`, { location: 'Porto' })
  expect(await replica.sync()).toMatchObject(synced)
  expect((await replica.api.get(`/expenses/${first?.id}`)).body.location).toBe('Porto')
  await expectWhole([remote.folder, replica.folder], entered)
  await expectSame(replica)
})
