import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { createSnapshotKeeper } from '#main/snapshots/keeper'
import type { Recovery } from '#shared/contract/instance/recoveries'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Instance, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'
import { flip, log, of, rewrite } from '#test/support/spoiled'
import { type Entered, countStates, enterExpense, findEntered, readRows, whole } from '#test/support/sync/sync-pair'

let remote: Instance
let replica: ReplicaInstance
/** The folder of the replica as a kill left it. */
let killed: string
beforeEach(async () => {
  remote = await startInstance()
  replica = await startReplica(remote.url, remote.admin)
  killed = `${replica.folder}-killed`
})
afterEach(async () => {
  await replica.remove()
  await remote.remove()
  await rm(killed, { recursive: true, force: true })
})

const enter = (name: string) => enterExpense(replica.api, { organization_id: remote.organization_id, name })
const correct = (id: number, location: string) => replica.api.send('PATCH', `/expenses/${id}`, { location })
const told = async () => (await replica.api.get<{ recoveries: Recovery[] }>('/recoveries')).body.recoveries

/** Makes a snapshot of the replica; answers its path. */
async function takeSnapshot(): Promise<string> {
  const { app, folder: data_folder } = replica
  const folder = join(data_folder, 'snapshots')
  const keeper = createSnapshotKeeper({ store: app.store, clock: systemClock, log, data_folder, folder, everyMs: 0 })
  const path = (await keeper.make()) ?? ''
  await keeper.close()
  return path
}

interface Worked {
  /** What the remote had acknowledged before the kill, in the order of its entry. */
  readonly sent: readonly Entered[]
  readonly unsent: Entered
}

/** Work before and after the snapshot that will be opened, sent and not; at the end the program is killed. */
async function workAndKill(): Promise<Worked> {
  await replica.sync()
  const before = await enter('sent before the snapshot')
  await replica.sync()
  const pending = await enter('pending in the snapshot and sent after it')
  await correct(before.id, 'first place')
  await takeSnapshot()
  await replica.sync()
  await correct(before.id, 'second place')
  const after = await enter('made and sent after the snapshot')
  await replica.sync()
  await recordExpense(remote, remote.member, { description: 'by someone else' })
  await remote.manager.api.send('POST', `/expenses/${before.id}/comments`, { content: 'by someone else' })
  await replica.sync()
  const unsent = await enter('never sent')
  await truncate(await takeSnapshot(), 20_000)
  await cp(replica.folder, killed, { recursive: true })
  await replica.remove()
  return { sent: [before, pending, after], unsent }
}

const halve = async (path: string) => truncate(path, Math.floor((await readFile(path)).length / 8192) * 4096)

test.each([
  ['cut in half', (folder: string) => halve(of(folder))],
  ['no database any more', (folder: string) => writeFile(of(folder), 'this is a text, and no database at all. '.repeat(300))],
  ['spoiled in its log', (folder: string) => flip(of(folder, '-wal'), [{ at: 0.02, with: 1 }])],
])(
  'a replica whose database is %s resumes from its newest good snapshot: nothing is sent twice, nothing that the remote has is lost, and the rest is reported',
  async (_name, damage) => {
    const { sent, unsent } = await workAndKill()
    const atRemote = await readRows(remote.folder)
    await damage(killed)
    replica = await startReplica(remote.url, remote.admin, { folder: killed })
    expect((await replica.app.replica.state()).remote?.url).toBe(remote.url)
    await expect.poll(async () => (await told())[0]?.missing).toBeTruthy()
    expect(await told()).toMatchObject([{ what: 'database', is_replica: true, snapshot_taken_at: expect.any(String) }])

    const made = await replica.api.send('POST', '/expenses', newExpense(remote, { description: 'after the recovery', amount: 77 }))
    expect(made.status).toBe(201)
    expect(await replica.sync()).toMatchObject({ ended: 'synced', conflicts: 0, failed: 0 })
    await replica.sync()
    for (const folder of [remote.folder, killed])
      for (const entered of sent)
        expect(await findEntered(folder, entered)).toEqual(
          entered === sent[0] ? { ...whole(entered), counts: '2/1', comments: `about ${entered.name},by someone else` } : whole(entered),
        )
    const there = await readRows(remote.folder)
    expect(await readRows(killed)).toEqual(there)
    for (const [table, rows] of Object.entries(atRemote)) expect(there[table]).toMatchObject(rows)
    expect(Object.keys(there.expenses ?? {})).toHaveLength(Object.keys(atRemote.expenses ?? {}).length + 1)
    expect((await remote.admin.api.get(`/expenses/${sent[0]?.id}`)).body).toMatchObject({ location: 'second place' })
    expect(countStates(killed).pending).toBeUndefined()
    expect(await findEntered(remote.folder, unsent)).toEqual({ found: 0 })
  },
)

test('work never sent is reported by number and kept as it was written, where the damaged database can be read', async () => {
  const { unsent } = await workAndKill()
  rewrite(killed, "UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'tags'")
  replica = await startReplica(remote.url, remote.admin, { folder: killed })
  await expect.poll(async () => (await told())[0]?.missing).toBeTruthy()
  const [recovery] = await told()
  expect(recovery?.missing).toMatchObject({ is_complete: true, counts: { operations: 4 }, file: 'missing.json' })
  const kept = await readFile(join(recovery?.folder ?? '', 'missing.json'), 'utf8')
  expect(JSON.parse(kept).expenses).toContainEqual(expect.objectContaining({ uid: unsent.uid, description: unsent.name }))
})
