/** Runs a job when it is its turn. */
export type TakeTurn = <Result>(owner: unknown, job: () => Promise<Result>) => Promise<Result>

/**
 * Lets `count` jobs run at once, of one owner never more than one. Owners take turns: how much one has waiting makes nobody
 * else wait longer. Jobs of one owner run in the order they came.
 */
export function createFairTurns(count: number): TakeTurn {
  const waiting = new Map<unknown, Array<() => void>>()
  const running = new Set<unknown>()
  const startNext = () => {
    for (const [owner, jobs] of waiting) {
      if (running.size >= count) return
      if (running.has(owner)) continue
      const start = jobs.shift()
      // Behind all others that wait.
      waiting.delete(owner)
      if (jobs.length > 0) waiting.set(owner, jobs)
      running.add(owner)
      start?.()
    }
  }
  return async (owner, job) => {
    await new Promise<void>((resolve) => {
      const jobs = waiting.get(owner)
      if (jobs) jobs.push(resolve)
      else waiting.set(owner, [resolve])
      startNext()
    })
    try {
      return await job()
    } finally {
      running.delete(owner)
      startNext()
    }
  }
}
