import type { Clock } from '#main/clock'
import type { SharedNotes } from '#main/store/core/engine'
import type { EntryCodes, FailedLogIns } from '../deps'
import { hashSecret } from './authentication'
import { isThisComputer } from './reached'

/** How long a shared code is valid: the person who reads it is waiting. */
const validMs = 24 * 60 * 60 * 1000

/** Makes one-time codes for browsers. With `notes`, any server on the database accepts them. */
export function createEntryCodes(clock: Pick<Clock, 'secret'>, notes: SharedNotes | undefined): EntryCodes {
  const codes = new Set<string>()
  const keyOf = (code: string) => `code ${hashSecret(code)}`
  const add = async (code: string) => {
    if (notes) await notes.count(keyOf(code), validMs)
    else codes.add(code)
  }
  return {
    issue: async () => {
      const code = clock.secret(16)
      await add(code)
      return code
    },
    redeem: async (code) => (notes ? notes.take(keyOf(code)) : codes.delete(code)),
    restore: add,
  }
}

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
