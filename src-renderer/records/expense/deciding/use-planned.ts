import { useState } from 'react'
import { planBatch, type BatchPlan, type ExpensePages } from './batch-plan'
import type { Decision } from './decision'

/** What the server says that an act would do. `plan`: undefined until it has said so of all; `total`: of how many, where that is known. */
export type Planned = { readonly plan: BatchPlan | undefined; readonly done: number; readonly total: number | undefined }

/** Nothing said yet of so many. */
export const unplanned = (total: number | undefined): Planned => ({ plan: undefined, done: 0, total })

/** Whether all of a known number will be done. */
export const isAsAsked = ({ plan, total }: Planned): boolean => total !== undefined && plan?.acting.length === total

type Planning = {
  readonly act: Decision
  readonly total: number | undefined
  readonly pages: ExpensePages
  readonly onPlanned: (planned: Planned) => void
  readonly onFailure: (error: unknown) => void
}

/** Asks the server what an act would do, and follows how far it is; one question at a time. */
function createPlanning(): { begin: (planning: Planning) => void; end: () => void } {
  let running: AbortController | undefined
  const end = () => running?.abort()
  const begin = ({ act, total, pages, onPlanned, onFailure }: Planning) => {
    end()
    const { signal } = (running = new AbortController())
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

/** What begins a question to the server, and what ends it; the same as long as the screen stays. */
export const usePlanning = () => useState(createPlanning)[0]
