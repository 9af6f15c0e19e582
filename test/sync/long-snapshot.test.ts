import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProgram, serveMeanwhile } from '#test/support/built-program'
import { isBuilt } from '#test/support/built-server'
import { readRows } from '#test/support/sync/sync-pair'
import { type RemoteProcess, makeReplica, startRemote } from '#test/support/sync/sync-processes'

/** Enough that its rows are written apart, and their indexes made afterwards. */
const expenses = 1200

let remote: RemoteProcess
beforeAll(async () => {
  if (isBuilt) remote = await startRemote(expenses)
})
afterAll(async () => {
  await remote?.remove()
})

/** The indexes of a data folder, as they are defined. */
function readIndexes(folder: string): unknown[] {
  const db = new Database(join(folder, 'outlay.db'), { readonly: true })
  const rows = db.prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name`).all()
  db.close()
  return rows
}

async function expectSame(folder: string): Promise<void> {
  const rows = await readRows(folder)
  expect(rows).toEqual(await readRows(remote.folder))
  expect(Object.keys(rows.expenses ?? {})).toHaveLength(expenses)
  expect(readIndexes(folder)).toEqual(readIndexes(remote.folder))
  expect((await runProgram('doctor', '--data', folder)).result).toEqual({ ok: true, problems: [] })
}

test.runIf(isBuilt)('a long first snapshot comes whole, with every index, by the separate thread', async () => {
  const replica = await makeReplica(remote)
  try {
    expect(await replica.sync().ended).toMatchObject({ code: 0, result: { conflicts: 0, failed: 0 } })
    await expectSame(replica.folder)
    const served = await serveMeanwhile({ path: replica.folder, token: remote.token })
    const { body } = await served.api.get('/expenses?q[search]=imported%20777')
    await served.stop()
    expect(body.expenses).toContainEqual(expect.objectContaining({ description: 'imported 777' }))
  } finally {
    await replica.remove()
  }
})
