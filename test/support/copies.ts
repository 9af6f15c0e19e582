import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp, createLog } from '#main/app'
import { readSettings } from '#main/config/settings'
import { copyDatabase, dropDatabaseOf, putDatabaseBack } from './databases/database-of'
import type { Instance } from './instance'

/** A copy of a data folder and of its database, made while it is served, as a backup of the machine would have it. */
export async function copyOf({ folder, app }: { folder: string; app: App }): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'outlay-copy-'))
  if (!(await copyDatabase(folder, copy))) await app.store.copyTo(join(copy, 'outlay.db'))
  for (const name of ['blobs', 'remote-token']) await cp(join(folder, name), join(copy, name), { recursive: true }).catch(() => undefined)
  return copy
}

/** Puts an instance's database back to a copy's, on the same port, without a word to anybody. Its blobs stay. */
export async function putBack(instance: Instance, copy: string): Promise<Instance> {
  const { folder, url } = instance
  await instance.close()
  if (!(await putDatabaseBack(folder, copy))) {
    for (const name of ['outlay.db', 'outlay.db-wal', 'outlay.db-shm']) await rm(join(folder, name), { force: true })
    await cp(join(copy, 'outlay.db'), join(folder, 'outlay.db'))
  }
  const settings = { ...readSettings(folder, {}), OUTLAY_LOG: 'silent' as const }
  const app = await createApp({ data_folder: folder, settings, web_folder: null, log: createLog(settings) })
  await app.server.listen({ host: '127.0.0.1', port: Number(new URL(url).port) })
  const remove = async () => {
    await app.close().catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
    await dropDatabaseOf(folder)
  }
  return { ...instance, app, close: () => app.close(), remove }
}
