import type { Row } from '#db/schema'
import { findDevice, markDeviceGone } from '#main/store/records/users/devices'
import type { NotificationHeap } from '#main/store/queues/notification-queue'
import { findUser } from '#main/store/records/users/user-reader'
import type { DeliveryOutcome, Told } from '#main/use-cases/notifications/deliveries'
import { hereEndpoint } from '#main/use-cases/notifications/devices'
import { type Delivered, deliverBy, notifier } from './notifications'
import { postGuarded } from './guarded-post'
import type { JobDeps, PushPayload } from './job-deps'
import type { Job } from './loop'
import { type Words, amountOf, cut, groupOf, loadWords, pathOf, say, wordSentence, titleOf } from '#main/use-cases/notifications/words'

/** Pushes are sent after this fraction of an e-mail's quiet period; at the latest after thirty times as long. */
const partOfQuiet = 5
const longestQuiets = 30
/** For more than this many, one push gives the number. */
const mostPushes = 3
const timeoutMs = 10_000
/** How long a push service keeps an undelivered message, in seconds. */
const keptS = 24 * 60 * 60
/** An encrypted push holds about 4 KB. */
const longestTitle = 100
const longestBody = 300

/** Pushes each user's mobile notifications to their devices (contract 6.3; supplement 2, "Notifications"). */
export function pushNotifications(deps: JobDeps): Job {
  const quietMs = Math.ceil(deps.settings.OUTLAY_MAIL_DIGEST_MS / partOfQuiet)
  return deliverBy(
    { channel: 'mobile', patience: { quietMs, longestMs: longestQuiets * quietMs }, deliver: (heap, told) => push(deps, heap, told) },
    deps,
  )
}

async function* push(deps: JobDeps, heap: NotificationHeap, told: readonly Told[]): AsyncIterable<Delivered> {
  const { reader } = deps.store
  const user = await findUser(reader, heap.user_id)
  const device = await findDevice(reader, heap.device_id ?? 0)
  if (!user || !device || device.gone_at !== null) {
    yield { told, outcome: { kind: 'ended', reason: 'no device' } }
    return
  }
  const words = await loadWords(reader, user, told)
  const pushes = told.length > mostPushes ? [told] : told.map((one) => [one])
  for (const [index, some] of pushes.entries()) {
    const outcome = await send(deps, device, toPayload(words, some))
    // The next push would be rejected for the same reason.
    yield { told: outcome.kind === 'sent' ? some : pushes.slice(index).flat(), outcome }
    if (outcome.kind !== 'sent') return
  }
}

/** Writes one push for one or several notifications. */
export function toPayload(words: Words, told: readonly Told[]): PushPayload {
  const [first] = told
  const last = told.at(-1)
  if (!first || !last) throw new Error('There is nothing to tell.')
  if (told.length > 1) {
    const titles = [...new Set(told.map((one) => titleOf(words, one)))]
    const title = say(words, 'changes', { count: told.length })
    return { title, body: cut(titles.join(' · '), longestBody), url: urlOf(words, told), tag: 'changes' }
  }
  const title = [titleOf(words, first), amountOf(words, first)].filter(Boolean).join(' · ')
  return {
    title: cut(title, longestTitle),
    body: cut(wordSentence(words, first), longestBody),
    url: pathOf(words, first) ?? '/',
    tag: groupOf(first),
  }
}

function urlOf(words: Words, told: readonly Told[]): string {
  const [path, ...others] = [...new Set(told.map((one) => pathOf(words, one)))]
  return others.length === 0 && path !== undefined ? path : '/'
}

async function send(deps: JobDeps, device: Row<'devices'>, payload: PushPayload): Promise<DeliveryOutcome> {
  const { push_endpoint: endpoint, push_p256dh: p256dh, push_auth: auth } = device
  if (endpoint === null || p256dh === null || auth === null) return { kind: 'ended', reason: 'no subscription' }
  if (endpoint === hereEndpoint) {
    // A headless server has nobody to show it to.
    if (!deps.showHere) return { kind: 'ended', reason: 'nothing shows it here' }
    deps.showHere(payload)
    return { kind: 'sent' }
  }
  const { default: webPush } = await import('web-push')
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(payload), {
    vapidDetails: {
      subject: `mailto:${addressIn(deps.settings.OUTLAY_MAIL_FROM)}`,
      publicKey: deps.vapid_keys.public_key,
      privateKey: deps.vapid_keys.private_key,
    },
    TTL: keptS,
  })
  const allow_private = deps.settings.OUTLAY_WEBHOOK_ALLOW_PRIVATE
  const response = await postGuarded({ url: endpoint, headers, body: body ?? '', timeoutMs, allow_private })
  if (response.kind === 'refused') return { kind: 'ended', reason: 'the address leads inside' }
  if (response.kind === 'failed') return response
  const { status } = response
  if (status >= 200 && status < 300) return { kind: 'sent' }
  const reason = `the push service answered ${status}`
  if (status === 404 || status === 410) {
    await deps.store.transact(notifier, async (tx) => markDeviceGone(tx, device))
    return { kind: 'ended', reason }
  }
  return status === 429 || status >= 500 ? { kind: 'failed', reason } : { kind: 'ended', reason }
}

/** The address in a sender such as `Outlay <outlay@example.org>`. */
function addressIn(from: string): string {
  return /<([^<>\s]+)>\s*$/.exec(from)?.[1] ?? from.trim()
}
