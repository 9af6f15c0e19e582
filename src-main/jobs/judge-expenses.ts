import { judgeAgain } from '#main/store/records/expenses/expense-writer'
import { findPolicyRun, takeFromPolicyRun } from '#main/store/queues/policy-runs'
import type { JobDeps } from './job-deps'
import { type Job, createLoop } from './loop'

/** Judged in one transaction: others wait for no more than this. */
const sliceLength = 50
const restMs = 60_000

/** Judges the open expenses of an organization again when its policies have changed. A replica gets what its remote finds. */
export function judgeExpenses({ store, log }: JobDeps): Job {
  const round = async () => {
    const waiting = await findPolicyRun(store.reader)
    if (!waiting) return { kind: 'later', afterMs: restMs } as const
    const actor = { user_id: waiting.user_id, origin: 'system', request_id: null, if_match: null } as const
    await store.transact(actor, async (tx) => {
      // Another change may have begun it again meanwhile.
      const run = await findPolicyRun(tx)
      if (!run) return
      for (const row of await takeFromPolicyRun(tx, run, sliceLength)) await judgeAgain(tx, row)
    })
    return { kind: 'again' } as const
  }
  return createLoop({ store }, round, (error) => log.error({ err: error }, 'expenses could not be judged by their policies'))
}
