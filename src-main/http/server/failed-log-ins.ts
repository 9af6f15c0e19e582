import type { SharedNotes } from '#main/store/core/engine'
import type { FailedLogIns } from '../deps'
import { isThisComputer } from './reached'

/** Programs on the same machine share a loopback address: below this many failures a minute they are not throttled. */
const loopbackLimit = 100
const windowMs = 60_000

interface Parts {
  /** Failures per source and minute. */
  readonly limit: number
  readonly monotonicMs: () => number
  /** Shared counters, for servers on one database. */
  readonly notes: SharedNotes | undefined
}

/** Counts failed sign-ins of the last minute, in memory if there is one server. */
export function createFailedLogIns({ limit, monotonicMs, notes }: Parts): FailedLogIns {
  const limitOf = (source: string) => (isThisComputer(source) ? Math.max(limit, loopbackLimit) : limit)
  if (notes)
    return {
      isThrottled: async (source) => (await notes.find(`sign-in ${source}`)) >= limitOf(source),
      note: async (source) => void (await notes.count(`sign-in ${source}`, windowMs)),
    }
  const bySource = new Map<string, number[]>()
  const recent = (source: string) => (bySource.get(source) ?? []).filter((at) => monotonicMs() - at < windowMs)
  return {
    isThrottled: (source) => bySource.has(source) && recent(source).length >= limitOf(source),
    note: (source) => {
      if (bySource.size > 10_000) bySource.clear()
      bySource.set(source, [...recent(source), monotonicMs()])
    },
  }
}
