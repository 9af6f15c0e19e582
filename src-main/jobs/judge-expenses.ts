import { judgeAgain } from '#main/store/records/expenses/expense-writer'
import type { Row } from '#db/schema'
import type { Tx } from '#main/store/core/store'
import { readPoliciesOnce } from '#main/store/records/organizations/policy-reader'
import { findPolicyRun, takeFromPolicyRun } from '#main/store/queues/policy-runs'
import { findSumRun, takeFromSumRun } from '#main/store/queues/sum-runs'
import type { JobDeps } from './job-deps'
import { type Job, createLoop } from './loop'

/** The target duration of a transaction, during which others wait; the number of expenses adapts to it between these limits. */
const sliceMs = 10
const [shortestSlice, longestSlice] = [5, 50]
const restMs = 60_000

/** Judges open expenses again when policies, or sums with other expenses, have changed. A replica gets its remote's findings. */
export function judgeExpenses({ store, log }: JobDeps): Job {
  let sliceLength = longestSlice
  const round = async () => {
    const run = (await findPolicyRun(store.reader)) ?? (await findSumRun(store.reader))
    if (!run) return { kind: 'later', afterMs: restMs } as const
    const actor = { user_id: run.user_id, origin: 'system', request_id: null, if_match: null } as const
    await store.transact(actor, async (tx) => {
      const since = performance.now()
      const rows = await takeNext(tx, sliceLength)
      const policiesOf = readPoliciesOnce(tx)
      for (const row of rows) await judgeAgain(tx, row, { policiesOf })
      const fitting = Math.round((rows.length * sliceMs) / (performance.now() - since))
      if (rows.length > 0) sliceLength = Math.min(longestSlice, Math.max(shortestSlice, fitting))
    })
    return { kind: 'again' } as const
  }
  return createLoop({ store, name: 'verdicts' }, round, (error) =>
    log.error({ err: error }, 'expenses could not be judged by their policies'),
  )
}

// Read in the transaction: another change may have restarted the run meanwhile.
async function takeNext(tx: Tx, most: number): Promise<Array<Row<'expenses'>>> {
  const changed = await findPolicyRun(tx)
  if (changed) return takeFromPolicyRun(tx, changed, most)
  const added = await findSumRun(tx)
  return added ? takeFromSumRun(tx, added, most) : []
}
