import { JobLost, leaseMs } from '#main/store/queues/jobs'

/** How often progress is stored at most, and how often a lease is renewed at least. */
const noteEveryMs = 1_000
const renewEveryMs = leaseMs / 4

/** A lease that is kept. */
export interface KeptLease {
  /** There is progress to store. */
  note(): void
  end(): void
}

/** Renews a lease until it ends; aborts `stop` where it was lost, or could not be renewed in its time. */
export function keepLease({ renew, stop, nowMs }: { renew: () => Promise<void>; stop: AbortController; nowMs: () => number }): KeptLease {
  let renewedMs = nowMs()
  let hasNews = false
  let isRenewing = false
  const turn = async () => {
    const sinceMs = nowMs() - renewedMs
    if (sinceMs > leaseMs) stop.abort()
    if (isRenewing || (!hasNews && sinceMs < renewEveryMs)) return
    isRenewing = true
    hasNews = false
    const askedMs = nowMs()
    try {
      await renew()
      renewedMs = askedMs
    } catch (error) {
      // A database that is away keeps the lease as it was.
      if (error instanceof JobLost) stop.abort()
    } finally {
      isRenewing = false
    }
  }
  const timer = setInterval(() => void turn(), noteEveryMs)
  return { note: () => void (hasNews = true), end: () => clearInterval(timer) }
}
