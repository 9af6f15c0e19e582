import type { Logger } from 'pino'
import type { Damage } from '#shared/contract/instance/recoveries'
import type { Clock } from '#main/clock'
import { runInThread } from '#main/processes/thread'
import { databasePath } from '#main/store/core/database-files'

/** What a verifier needs. */
export interface VerifierParts {
  readonly data_folder: string
  readonly clock: Clock
  readonly log: Logger
  /** How long it rests after each few thousand rows. */
  readonly pauseMs?: number
  /** Called when a verification has ended. */
  readonly onEnd?: () => void
}

/** Compares the rows of a database that is used with their sums. */
export interface Verifier {
  /** Verifies all rows soon, and again every few hours. */
  begin(): void
  /** Verifies all rows now; answers and logs what does not match. */
  verify(): Promise<string[]>
  /** What the last verification found; null where nothing. */
  latest(): Damage | null
  /** Ends it. */
  close(): Promise<void>
}

const firstAfterMs = 10 * 60_000
const everyMs = 6 * 3_600_000
const restMs = 200

/** The verifier of a data folder. Damage is only reported: a person decides between what is there and an older copy. */
export function createVerifier({ data_folder, clock, log, pauseMs = restMs, onEnd }: VerifierParts): Verifier {
  const ending = new AbortController()
  let running: Promise<string[]> = Promise.resolve([])
  let timer: NodeJS.Timeout | undefined
  let latest: Damage | null = null

  const attempt = async (): Promise<string[]> => {
    try {
      const task = { path: databasePath(data_folder), pauseMs }
      const found = await runInThread<string[]>({ name: 'verify', task }, { signal: ending.signal })
      latest = found.length > 0 ? { found_at: clock.now().toISOString(), problems: found } : null
      if (latest) log.error({ found }, 'the database is damaged: restore a snapshot or a backup')
      onEnd?.()
      return found
    } catch (error) {
      if (!ending.signal.aborted) log.error({ err: error }, 'the database could not be verified')
      return []
    }
  }
  const verify = () => (running = running.then(attempt))
  const schedule = (ms: number) => {
    timer = setTimeout(() => void verify().then(() => schedule(everyMs)), ms).unref()
    if (ending.signal.aborted) clearTimeout(timer)
  }
  return {
    begin: () => schedule(firstAfterMs),
    verify,
    latest: () => latest,
    close: async () => {
      ending.abort()
      clearTimeout(timer)
      await running
    },
  }
}
