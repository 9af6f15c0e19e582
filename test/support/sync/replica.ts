import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp, createLog } from '#main/app'
import type { Settings } from '#main/config/settings'
import type { ReplicaParts, SyncReport } from '#main/sync/replica'
import { placeMigrated } from '../databases/migrated-file'
import { type Api, type Person, apiOf, shortWaits, testSettings } from '../instance'

/** A replica of a remote instance on a folder of its own, with its server listening. */
export interface ReplicaInstance {
  readonly app: App
  readonly folder: string
  readonly url: string
  /** Speaks to the replica's own API as its user. */
  readonly api: Api
  /** One exchange; answers what the command line would print. */
  sync(): Promise<{ ended: string; error: string | null } & SyncReport>
  close(): Promise<void>
  remove(): Promise<void>
}

export interface ReplicaOptions {
  readonly folder?: string
  readonly transportTo?: ReplicaParts['transportTo']
  readonly keepsInSync?: boolean
  readonly settings?: Partial<Settings>
}

/** Starts a replica of the instance at `url` for a person; on a folder that is one already, it goes on as that. */
export async function startReplica(url: string, person: Pick<Person, 'token'>, options: ReplicaOptions = {}): Promise<ReplicaInstance> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'outlay-replica-')))
  if (options.folder === undefined) await placeMigrated(folder)
  const settings = testSettings(folder, options.settings)
  const app = await createApp({
    data_folder: folder,
    settings,
    web_folder: null,
    log: createLog(settings),
    capture_waits: shortWaits,
    transportTo: options.transportTo,
    keepsInSync: options.keepsInSync,
  })
  const own = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const state = await app.replica.state()
  if (state.remote === null) {
    const outcome = await app.replica.connect({ url, token: person.token })
    if (outcome.kind === 'failed') throw new Error(outcome.message)
  }
  return {
    app,
    folder,
    url: own,
    api: apiOf(own, person.token),
    sync: async () => {
      const { ended, report } = await app.replica.sync()
      return { ended: ended.kind, error: ended.error, ...report }
    },
    close: () => app.close(),
    remove: async () => {
      await app.close().catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
