import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** How long a probe waits: load balancers wait for two seconds or less. */
const patienceMs = 800

/** What is asked; it ends where it is not answered, so that its connection is replaced. */
const question = { text: 'SELECT schema_version FROM log_head WHERE id = 1', query_timeout: 5_000 }

/**
 * Whether the database of a pool answers now: at once where its connections fail, and within a second where it says nothing. On a busy machine a probe
 * may wait that long for its turn: what others were answered meanwhile counts then.
 */
export function createProbe(pool: pg.Pool): () => Promise<boolean> {
  let answered = 0
  pool.on('release', (error) => {
    // The pool says what broke a connection, and nothing where it was given back whole.
    if (!(error instanceof Error)) answered += 1
  })
  let asked: Promise<boolean> | undefined
  const ask = async () => {
    try {
      await pool.query(question)
      return true
    } catch {
      return false
    } finally {
      asked = undefined
    }
  }
  return async () => {
    const before = answered
    const late = new AbortController()
    const isAnswering = sleep(patienceMs, undefined, { signal: late.signal }).then(
      () => answered > before,
      () => false,
    )
    // One that is not answered holds a connection: there is one at most.
    asked ??= ask()
    try {
      return await Promise.race([asked, isAnswering])
    } finally {
      late.abort()
    }
  }
}
