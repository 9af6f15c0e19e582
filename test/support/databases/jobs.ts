import { readdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JobKey, endJob, findJob, putJob, removeJob } from '#main/store/queues/jobs'
import type { Store } from '#main/store/core/store'
import type { Instance } from '../instance'

const nobody = { user_id: 0, origin: 'test', request_id: null, if_match: null }
type Kept = Pick<Instance, 'app' | 'folder'>

/** Stores a job that has ended. */
export async function storeJob(store: Store, kind: string, record: { readonly id: string }): Promise<void> {
  const text = JSON.stringify(record)
  await store.transact(nobody, async (tx) => {
    await putJob(tx, { kind, id: record.id }, text)
    await endJob(tx, { kind, id: record.id }, { record: text, place: null })
  })
}

/** Removes the row of a job, but not its files. */
export function dropJob(store: Store, key: JobKey): Promise<void> {
  return store.transact(nobody, (tx) => removeJob(tx, key))
}

/** Has nobody touch a job for years. */
export async function ageJob({ app }: Kept, { id }: { readonly id: string }): Promise<void> {
  await app.store.transact(nobody, (tx) => tx.write(`UPDATE jobs SET changed_at = '2020-01-01T00:00:00Z' WHERE id = ?`, [id]))
}

/** Leaves a job as a process leaves it that is killed in the middle. */
export async function leaveHalfDone({ app }: Kept, key: JobKey, changes: object): Promise<void> {
  const { record = '' } = (await findJob(app.store.reader, key)) ?? {}
  await app.store.transact(nobody, (tx) =>
    tx.write(`UPDATE jobs SET record = ?, waits = 1, holder = 'killed' WHERE kind = ? AND id = ?`, [
      JSON.stringify({ ...JSON.parse(record), ...changes }),
      key.kind,
      key.id,
    ]),
  )
}

/** Leaves a job as an earlier version kept it: what is known of it in a file too. */
export async function leaveInFiles({ app, folder }: Kept, key: JobKey, changes: object = {}): Promise<void> {
  const { record = '', place = null } = (await findJob(app.store.reader, key)) ?? {}
  await dropJob(app.store, key)
  const own = join(folder, key.kind, key.id)
  if (place !== null) {
    for (const name of readdirSync(join(own, place))) renameSync(join(own, place, name), join(own, name))
    rmdirSync(join(own, place))
  }
  writeFileSync(join(own, `${key.kind.slice(0, -1)}.json`), JSON.stringify({ ...JSON.parse(record), ...changes }))
}
