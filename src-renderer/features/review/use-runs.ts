import { useRef, useState } from 'react'
import type { RunOptions, WriteResult } from './reviewer'

/** A run of many writes. */
export type Progress = { readonly done: number; readonly total: number; readonly stop: () => void }

/** Runs of writes, one after the other or side by side. */
export type Runs = {
  /** The run that is shown; runs of one expense are not. */
  readonly progress: Progress | null
  readonly run: (total: number, work: (options: RunOptions) => Promise<WriteResult>) => Promise<WriteResult>
  /** Waits until all that was begun is through. */
  readonly idle: () => Promise<unknown>
}

/** Follows the reviewer's writes: progress with a stop for many, and when they are all through. */
export function useRuns(): Runs {
  const [progress, setProgress] = useState<Progress | null>(null)
  const pending = useRef<Promise<unknown>>(Promise.resolve())
  const run: Runs['run'] = async (total, work) => {
    const controller = new AbortController()
    const show = (done: number) => {
      if (total > 1) setProgress({ done, total, stop: () => controller.abort() })
    }
    show(0)
    const running = work({ signal: controller.signal, onDone: show })
    pending.current = Promise.allSettled([pending.current, running])
    try {
      return await running
    } finally {
      if (total > 1) setProgress(null)
    }
  }
  return { progress, run, idle: () => pending.current }
}
