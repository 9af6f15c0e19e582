import { mailAddressOf } from '#main/config/settings'
import { markEmailBounced } from '#main/store/queues/notification-queue'
import { findUser } from '#main/store/records/users/user-reader'
import { personalAddressOf } from '#main/use-cases/captures/address-for-receipts'
import type { DeliveryOutcome, Told } from '#main/use-cases/notifications/deliveries'
import { findMailAddress } from '#main/use-cases/notifications/fan-out'
import { type Delivered, deliverBy, notifier } from './notifications'
import type { JobDeps } from './job-deps'
import type { Job } from './loop'
import { toDigest } from './notification-mail'
import { loadWords } from '#main/use-cases/notifications/words'

/** A message is sent after this many times its quiet period at the latest: five minutes for ten seconds. */
const longestQuiets = 30

/** Sends each person one message for notifications close together (contract 6.3; supplement 2, "Notifications"). */
export function mailNotifications(deps: JobDeps): Job {
  const quietMs = deps.settings.OUTLAY_MAIL_DIGEST_MS
  const courier = {
    channel: 'email',
    patience: { quietMs, longestMs: longestQuiets * quietMs },
    async *deliver({ user_id }: { user_id: number }, told: readonly Told[]): AsyncIterable<Delivered> {
      yield { told, outcome: await send(deps, user_id, told) }
    },
  } as const
  return deliverBy(courier, deps)
}

async function send(
  { store, mailer, public_url, settings, signing_secret }: JobDeps,
  user_id: number,
  told: readonly Told[],
): Promise<DeliveryOutcome> {
  const user = await findUser(store.reader, user_id)
  const main = user && (await findMailAddress(store.reader, user_id))
  if (!main) return { kind: 'ended', reason: 'no address' }
  const words = await loadWords(store.reader, user, told)
  const mail = toDigest(words, told, { to: main.email, base: public_url() })
  // The same id if a message is sent again because the process ended before its outcome was stored: mail programs show it once.
  const id = `${told.at(0)?.row.uid ?? ''}.${told.at(-1)?.row.uid ?? ''}`
  // Where this instance takes receipts by mail, a photo is an answer.
  const address = mailAddressOf(settings)
  const isAsked = told.some(({ activity: { subject_type } }) => subject_type === 'StatementLine')
  const reply: Record<string, string> =
    isAsked && address !== null ? { 'Reply-To': personalAddressOf(user_id, { address, signing_secret }) } : {}
  const outcome = await mailer.send({ ...mail, headers: { 'Message-ID': `<${id}@outlay>`, ...reply } })
  if (outcome.kind === 'kept') return { kind: 'sent' }
  if (outcome.kind !== 'bounced') return outcome
  await store.transact(notifier, (tx) => markEmailBounced(tx, main))
  return { kind: 'ended', reason: outcome.reason }
}
