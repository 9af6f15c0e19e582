import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { readOrMakeAuditKey } from '#main/use-cases/audit/audit-key'
import { sealNext } from '#main/use-cases/audit/seal-next'
import { copyOf, putBack } from '#test/support/copies'
import { withoutGuards } from '#test/support/databases/without-guards'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Instance, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'

let remote: Instance
let replica: ReplicaInstance
const folders: string[] = []
beforeEach(async () => {
  remote = await startInstance()
  replica = await startReplica(remote.url, remote.admin)
})
afterEach(async () => {
  await replica.remove()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  await remote.remove()
})

/** Seals all that waits at the remote. */
async function seal({ app, folder }: Instance): Promise<void> {
  await sealNext(app.store, { key: await readOrMakeAuditKey(folder), clock: systemClock })
}

const status = async () => (await replica.api.get(`/organizations/${remote.organization_id}/audit`)).body
const forks = async () => (await replica.api.get('/replica')).body.trail_forks

test('a replica keeps the heads that it has seen, and follows them as long as each continues the last', async () => {
  await replica.sync()
  expect(await status()).toMatchObject({ is_replica: true, last: null })
  for (let number = 1; number <= 10; number += 1) {
    await recordExpense(remote, remote.member)
    await seal(remote)
    if (number % 5 === 1) await replica.sync()
  }
  await replica.api.send('POST', '/expenses', newExpense(remote))
  await replica.sync()
  await seal(remote)
  await replica.sync()
  const there = (await remote.admin.api.get(`/organizations/${remote.organization_id}/audit`)).body
  expect(await status()).toMatchObject({ last: there.last, sealed: there.sealed, public_key: there.public_key, fork: null })
  // It has no seals to verify, and does not say that all is well.
  expect((await replica.api.get(`/organizations/${remote.organization_id}/audit/verification`)).status).toBe(422)
  expect(await forks()).toEqual([])
  expect((await replica.app.store.reader.db.selectFrom('audit_seals').select('id').execute()).length).toBe(0)
})

test('a remote restored from a backup shows as a fork with its time, and stays shown', async () => {
  await recordExpense(remote, remote.member)
  await seal(remote)
  await replica.sync()
  const yesterday = await copyOf(remote)
  folders.push(yesterday)
  await recordExpense(remote, remote.member)
  await seal(remote)
  await replica.sync()
  const seen = await status()
  remote = await putBack(remote, yesterday)
  await replica.sync()
  const [fork] = await forks()
  expect(fork).toMatchObject({ organization_id: remote.organization_id, kind: 'head', number: 2, sealed_at: seen.last.sealed_at })
  expect(Date.parse(fork.noticed_at)).not.toBeNaN()
  await recordExpense(remote, remote.member, { amount: 99 })
  await seal(remote)
  await replica.sync()
  await replica.sync()
  expect(await forks()).toMatchObject([{ kind: 'head', number: 2 }])
  expect((await status()).fork).toMatchObject({ kind: 'head', number: 2 })
})

test('entries that the remote changed before it sealed them differ from those that are here', async () => {
  await recordExpense(remote, remote.member)
  await seal(remote)
  await replica.sync()
  const { id } = await recordExpense(remote, remote.member)
  await replica.sync()
  const nobody = { user_id: 0, origin: 'system', request_id: null, if_match: null }
  await remote.app.store.transact(nobody, async (tx) => {
    await withoutGuards(tx)
    await tx.write("UPDATE activities SET user_id = ? WHERE subject_type = 'Expense' AND subject_id = ?", [remote.admin.user_id, id])
  })
  await seal(remote)
  await replica.sync()
  expect(await forks()).toMatchObject([{ kind: 'entries', number: 1 }])
})
