import type { Logger } from 'pino'
import type { Clock } from '#main/clock'
import type { Settings } from '#main/config/settings'
import type { Store } from '#main/store/store'
import type { VapidKeys } from '#main/use-cases/notifications/vapid-keys'
import { sendInvitations } from './invitations'
import type { Job } from './loop'
import type { Mailer } from './mailer'

/** What the jobs of an instance are put together from. */
export interface JobDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  readonly mailer: Mailer
  readonly settings: Settings
  /** How push services know this instance. */
  readonly vapid_keys: VapidKeys
  /** {scheme}://{host} by which people reach this instance: links in messages begin with it. */
  readonly public_url: () => string
}

const makers: ReadonlyArray<(deps: JobDeps) => Job> = [sendInvitations]

/** Starts everything that leaves the server beside answers. Each commit wakes it; what is waiting is in the database, so it survives. */
export function startJobs(deps: JobDeps): Pick<Job, 'close'> {
  const jobs = makers.map((make) => make(deps))
  const wakeAll = () => {
    for (const job of jobs) job.wake()
  }
  const stopListening = deps.store.onCommit(wakeAll)
  wakeAll()
  return {
    close: async () => {
      stopListening()
      await Promise.all(jobs.map((job) => job.close()))
    },
  }
}
