import { mailNotifications } from './mail-notifications'
import { followTrail } from './notifications'
import { pushNotifications } from './push-notifications'
import { forgetCaptureFiles } from './forget-captures'
import { judgeExpenses } from './judge-expenses'
import { readFiles } from './read-files'
import { readReceipts } from './read-receipts'
import { fetchMail } from './mail-in/fetch-mail'
import { sealTrail } from './seal-trail'
import { sweepBucket } from './sweep-bucket'
import { sendSignInCodes } from './sign-in-mail'
import { sendInvitations } from './invitations'
import { pruneResponses, pruneWebhookLog } from './pruning'
import { askHolders } from './ask-holders'
import { deliverWebhooks } from './webhooks'
import { witnessHeads } from './witness-heads'
import type { Job } from './loop'
import type { JobDeps } from './job-deps'
import { createMailer } from './mailer'

/** The parts that the application provides; the mailer is made from its settings. */
export type JobParts = Omit<JobDeps, 'mailer'>

/** How long to collect commits before waking the jobs: each then queries the database, which may be behind a network. */
const burstMs = { here: 20, away: 100 } as const
/** How long the first requests after a start have the thread to themselves. */
const firstLookMs = 250

const makers: ReadonlyArray<(deps: JobDeps) => Job> = [
  sendInvitations,
  sendSignInCodes,
  followTrail,
  mailNotifications,
  pushNotifications,
  deliverWebhooks,
  pruneWebhookLog,
  pruneResponses,
  readFiles,
  fetchMail,
  readReceipts,
  judgeExpenses,
  askHolders,
  forgetCaptureFiles,
  sweepBucket,
  sealTrail,
  witnessHeads,
]

/** Starts all background work. Each commit wakes it; waiting work is in the database, so a restart loses nothing. */
export function startJobs(parts: JobParts): Pick<Job, 'close'> {
  const { OUTLAY_SMTP_URL: smtp_url, OUTLAY_MAIL_FROM: from } = parts.settings
  const mailer = createMailer({ smtp_url, from, data_folder: parts.data_folder }, parts.clock)
  const deps = { ...parts, mailer }
  const jobs = makers.map((make) => make(deps))
  const wakeAll = () => {
    for (const job of jobs) job.wake()
  }
  const first = setTimeout(wakeAll, firstLookMs).unref()
  let timer: NodeJS.Timeout | undefined
  const stopListening = deps.store.onCommit(() => {
    // During many writes each job queries the database from time to time, not after each write.
    timer ??= setTimeout(
      () => {
        timer = undefined
        wakeAll()
      },
      deps.store.isFile ? burstMs.here : burstMs.away,
    ).unref()
  })
  return {
    close: async () => {
      stopListening()
      clearTimeout(first)
      clearTimeout(timer)
      await Promise.all(jobs.map((job) => job.close()))
      mailer.close()
    },
  }
}
