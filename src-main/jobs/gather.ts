import type { Job } from './loop'

/** Wakes a job once for everything that happens within a moment: a thousand commits in a batch count as one. */
export function gather(job: Job, withinMs: number): Job {
  let timer: NodeJS.Timeout | undefined
  return {
    wake: () => {
      timer ??= setTimeout(() => {
        timer = undefined
        job.wake()
      }, withinMs)
      timer.unref()
    },
    close: () => {
      clearTimeout(timer)
      return job.close()
    },
  }
}
