import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** How long a probe waits. Load balancers wait two seconds or less. */
const patienceMs = 800

/** The probe's query. It ends if it gets no response, so that its connection is replaced. */
const question = { text: 'SELECT schema_version FROM log_head WHERE id = 1', query_timeout: 5_000 }

/**
 * Whether a pool's database responds: at once if connections fail, within a second if it is silent. On a busy machine a probe may wait its turn that
 * long; responses to other queries count meanwhile.
 */
export function createProbe(pool: pg.Pool): () => Promise<boolean> {
  let answered = 0
  pool.on('release', (error) => {
    // The pool passes the error that broke a connection, and nothing if it was released intact.
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
    // A probe without a response holds a connection, so there is one at most.
    asked ??= ask()
    try {
      return await Promise.race([asked, isAnswering])
    } finally {
      late.abort()
    }
  }
}
