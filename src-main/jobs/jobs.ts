import type { Logger } from 'pino'
import type { Clock } from '#main/clock'
import type { Settings } from '#main/config/settings'
import type { BlobStore } from '#main/files/blob-store'
import type { Inspector } from '#main/files/inspect'
import type { Store } from '#main/store/core/store'
import type { VapidKeys } from '#main/use-cases/notifications/vapid-keys'
import { mailNotifications } from './mail-notifications'
import { followTrail } from './notifications'
import { type PushPayload, pushNotifications } from './push-notifications'
import { forgetCaptureFiles } from './forget-captures'
import { readInvoices } from './read-invoices'
import { sendInvitations } from './invitations'
import { pruneWebhookLog } from './webhook-pruning'
import { deliverWebhooks } from './webhooks'
import type { Job } from './loop'
import { type Mailer, createMailer } from './mailer'

/** What the jobs of an instance are put together from. */
export interface JobDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  readonly mailer: Mailer
  readonly settings: Settings
  readonly blobs: BlobStore
  readonly inspector: Inspector
  /** How push services know this instance. */
  readonly vapid_keys: VapidKeys
  /** {scheme}://{host} by which people reach this instance: links in messages begin with it. */
  readonly public_url: () => string
  /** Shows a notification on the computer that this runs on. */
  readonly showHere?: (payload: PushPayload) => void
}

/** What the application gives; the mailer is made of its settings. */
export type JobParts = Omit<JobDeps, 'mailer'> & { readonly data_folder: string }

/** How long commits are gathered before the jobs are woken. */
const burstMs = 20

const makers: ReadonlyArray<(deps: JobDeps) => Job> = [
  sendInvitations,
  followTrail,
  mailNotifications,
  pushNotifications,
  deliverWebhooks,
  pruneWebhookLog,
  readInvoices,
  forgetCaptureFiles,
]

/** Starts all background work. Each commit wakes it; waiting work is in the database, so it survives. */
export function startJobs({ data_folder, ...parts }: JobParts): Pick<Job, 'close'> {
  const { OUTLAY_SMTP_URL: smtp_url, OUTLAY_MAIL_FROM: from } = parts.settings
  const mailer = createMailer({ smtp_url, from, data_folder }, parts.clock)
  const deps = { ...parts, mailer }
  const jobs = makers.map((make) => make(deps))
  const wakeAll = () => {
    for (const job of jobs) job.wake()
  }
  let timer: NodeJS.Timeout | undefined
  const stopListening = deps.store.onCommit(() => {
    // Under a flood of writes each job asks the database now and then, not after each of them.
    timer ??= setTimeout(() => {
      timer = undefined
      wakeAll()
    }, burstMs).unref()
  })
  wakeAll()
  return {
    close: async () => {
      stopListening()
      clearTimeout(timer)
      await Promise.all(jobs.map((job) => job.close()))
      mailer.close()
    },
  }
}
