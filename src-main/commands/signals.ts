import { tell } from './data-command'

/**
 * Resolves at the first SIGINT or SIGTERM; running requests then finish. The same signal may come twice at once, from a terminal and a parent that
 * passes it on; a later one is a person who will not wait.
 */
export function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined
    const onSignal = (): void => {
      const now = performance.now()
      if (first === undefined) {
        first = now
        return resolve()
      }
      if (now - first < repeatMs) return
      tell('Stopped before running requests had ended.')
      process.exit(1)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  })
}

const repeatMs = 500
