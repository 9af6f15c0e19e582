import { findLastSealed, findNewestEntry } from '#main/store/audit/seal-reader'
import { type AuditKey, readOrMakeAuditKey } from '#main/use-cases/audit/audit-key'
import { sealNext, sealedAtOnce } from '#main/use-cases/audit/seal-next'
import type { JobDeps } from './job-deps'
import { type Job, createLoop } from './loop'

/**
 * Seals the audit trail a limited time after an entry was written, and earlier if many wait. Nobody waits for a seal; entries that are unsealed when
 * the process ends are sealed by the next one.
 */
export function sealTrail({ store, clock, settings, data_folder, log }: JobDeps): Job {
  const everyMs = settings.OUTLAY_SEAL_MS
  let key: AuditKey | undefined
  // Since when entries have been waiting, by a monotonic clock.
  let since: number | undefined
  const round = async () => {
    const waiting = (await findNewestEntry(store.reader)) - Math.max(0, await findLastSealed(store.reader))
    if (waiting <= 0) {
      since = undefined
      return { kind: 'later', afterMs: everyMs } as const
    }
    since ??= clock.monotonicMs()
    const leftMs = since + everyMs - clock.monotonicMs()
    if (waiting < sealedAtOnce && leftMs > 0) return { kind: 'later', afterMs: leftMs } as const
    key ??= await readOrMakeAuditKey(data_folder)
    const sealed = await sealNext(store, { key, clock })
    if (sealed < sealedAtOnce) since = undefined
    return { kind: 'again' } as const
  }
  return createLoop({ store, name: 'seals' }, round, (error) => log.error({ err: error }, 'the audit trail could not be sealed'))
}
