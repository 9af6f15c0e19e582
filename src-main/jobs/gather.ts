import type { Job } from './loop'

/** A job that is woken once for all that happens within a moment: a batch of a thousand commits is one occasion. */
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
