import type { Actor } from '#main/store/core/store'
import { readTelling, storeTelling } from '#main/use-cases/notifications/fan-out'
import { gather } from './gather'
import type { JobDeps } from './job-deps'
import { type Job, type Round, createLoop } from './loop'

/** The notifier acts as no user. */
export const notifier: Actor = { user_id: 0, origin: 'notifications', request_id: null, if_match: null }

/**
 * How long to collect commits before reading the trail, in milliseconds: a tenth of a message's quiet period, so that a batch of approvals is
 * complete before its recipients are found.
 */
export function gatherMsOf({ settings }: Pick<JobDeps, 'settings'>): number {
  return Math.min(1_000, Math.ceil(settings.OUTLAY_MAIL_DIGEST_MS / 10))
}

/**
 * Follows the audit trail and stores the recipients of each event (contract 6.3). The trail is the queue: entries after the cursor are unprocessed,
 * even after a crash.
 */
export function followTrail(deps: JobDeps): Job {
  const loop = createLoop(
    { ...deps, name: 'notifications' },
    () => notifyNext(deps),
    (error) => deps.log.error({ err: error }, 'notifications could not be written'),
  )
  // At once, so that a new instance starts with events from now on.
  loop.wake()
  return gather(loop, gatherMsOf(deps))
}

async function notifyNext({ store }: JobDeps): Promise<Round> {
  const telling = await store.asRequest(() => readTelling(store.reader))
  if (!telling) return { kind: 'later', afterMs: Infinity }
  await store.transact(notifier, (tx) => storeTelling(tx, telling))
  return { kind: 'again' }
}
