import { useRef } from 'react'
import { planBatch, type BatchPlan, type ExpensePages } from './batch-plan'
import type { ReviewDecision } from './decision'

/** What the server says that an act would do. `plan`: undefined until it has said so of all; `total`: of how many, where that is known. */
export type Planned = { readonly plan: BatchPlan | undefined; readonly done: number; readonly total: number | undefined }

type Planning = {
  readonly act: ReviewDecision
  readonly total: number | undefined
  readonly pages: ExpensePages
  readonly onPlanned: (planned: Planned) => void
  readonly onFailure: (error: unknown) => void
}

/** Asks the server what an act would do, and follows how far it is; one question at a time. Returns what begins, and what ends it. */
export function usePlanning(): { begin: (planning: Planning) => void; end: () => void } {
  const running = useRef<AbortController>(undefined)
  const end = () => running.current?.abort()
  const begin = ({ act, total, pages, onPlanned, onFailure }: Planning) => {
    end()
    const { signal } = (running.current = new AbortController())
    const tell = (planned: Omit<Planned, 'total'>) => {
      if (!signal.aborted) onPlanned({ ...planned, total })
    }
    planBatch(act, pages, { signal, onDone: (done) => tell({ plan: undefined, done }) }).then(
      (plan) => tell({ plan, done: plan.acting.length }),
      (error: unknown) => {
        if (!signal.aborted) onFailure(error)
      },
    )
  }
  return { begin, end }
}
