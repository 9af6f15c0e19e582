import { createPageStore } from '#renderer/api/page/page-state'
import type { RunOptions } from './batch-plan'

/** A run of many writes. */
export type Progress = { readonly done: number; readonly total: number; readonly stop: () => void }

/** The run that is shown, on whatever screen it was begun; runs of one expense are not. */
export const useProgress = createPageStore<{ progress: Progress | null }>(() => ({ progress: null }))

/** Follows work on many expenses, with a way to stop it. */
export async function track<T>(total: number, work: (options: RunOptions) => Promise<T>): Promise<T> {
  if (total <= 1) return work({})
  const controller = new AbortController()
  const onDone = (done: number) => useProgress.setState({ progress: { done, total, stop: () => controller.abort() } })
  onDone(0)
  try {
    return await work({ signal: controller.signal, onDone })
  } finally {
    useProgress.setState({ progress: null })
  }
}
