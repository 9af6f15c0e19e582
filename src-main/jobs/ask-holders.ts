import { toInstant } from '#shared/domain/dates'
import { clockIn } from '#shared/domain/timezones'
import { type UnaskedHolder, listUnaskedHolders } from '#main/store/records/organizations/asked-lines'
import { findUser } from '#main/store/records/users/user-reader'
import { askForReceipts, listLinesToAskDaily } from '#main/use-cases/statements/ask-for-receipts'
import type { JobDeps } from './job-deps'
import { type Job, createLoop } from './loop'

const everyMs = 15 * 60_000
/** The hour of the holder's day from which they are asked. */
const fromHour = 8
/** Lines that were added earlier are asked about only by a manager: after an update nobody is asked about years. */
const recentMs = 14 * 24 * 60 * 60_000

const system = { origin: 'system', request_id: null, if_match: null } as const

/** Asks holders of cards for the receipts of new lines, from the morning after they were added: all of a holder's lines at once. */
export function askHolders({ store, clock, log, statements }: Pick<JobDeps, 'store' | 'clock' | 'log' | 'statements'>): Job {
  let dueMs = 0
  /** The day on which each holder's lines were last matched, by the holder's clock: once a day is enough. */
  const lookedOn = new Map<string, string>()
  const round = async () => {
    const restMs = dueMs - clock.monotonicMs()
    if (restMs > 0) return { kind: 'later', afterMs: restMs } as const
    dueMs = clock.monotonicMs() + everyMs
    const now = clock.now()
    for (const holder of await listUnaskedHolders(store.reader, toInstant(new Date(now.getTime() - recentMs)))) {
      const key = `${holder.organization_id} ${holder.user_id}`
      const day = await dayToAsk(holder, now)
      if (day === undefined || lookedOn.get(key) === day) continue
      const lines = await listLinesToAskDaily(store.reader, statements, { ...holder, now })
      if (lines.length > 0) await store.transact({ ...system, user_id: holder.user_id }, (tx) => askForReceipts(tx, lines))
      lookedOn.set(key, day)
    }
    return { kind: 'later', afterMs: everyMs } as const
  }
  const dayToAsk = async ({ user_id, since }: UnaskedHolder, now: Date) => {
    const user = await findUser(store.reader, user_id)
    if (!user) return undefined
    const { day, hour } = clockIn(user.timezone, now)
    return hour >= fromHour && clockIn(user.timezone, new Date(since)).day < day ? day : undefined
  }
  return createLoop({ store, name: 'card lines' }, round, (error) =>
    log.error({ err: error }, 'holders of cards could not be asked for receipts'),
  )
}
