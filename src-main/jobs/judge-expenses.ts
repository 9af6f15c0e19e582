import { judgeAgain } from '#main/store/records/expenses/expense-writer'
import type { Row } from '#db/schema'
import type { Tx } from '#main/store/core/store'
import { findPolicyRun, takeFromPolicyRun } from '#main/store/queues/policy-runs'
import { findSumRun, takeFromSumRun } from '#main/store/queues/sum-runs'
import type { JobDeps } from './job-deps'
import { type Job, createLoop } from './loop'

/** Judged in one transaction: others wait for no more than this. */
const sliceLength = 50
const restMs = 60_000

/** Judges open expenses again when the policies of their organization, or what they come to with others, have changed. A replica gets what its remote finds. */
export function judgeExpenses({ store, log }: JobDeps): Job {
  const round = async () => {
    const run = (await findPolicyRun(store.reader)) ?? (await findSumRun(store.reader))
    if (!run) return { kind: 'later', afterMs: restMs } as const
    const actor = { user_id: run.user_id, origin: 'system', request_id: null, if_match: null } as const
    await store.transact(actor, async (tx) => {
      for (const row of await takeNext(tx)) await judgeAgain(tx, row)
    })
    return { kind: 'again' } as const
  }
  return createLoop({ store, name: 'verdicts' }, round, (error) => log.error({ err: error }, 'expenses could not be judged by their policies'))
}

// Another change may have begun a run again meanwhile: it is read in the transaction.
async function takeNext(tx: Tx): Promise<Array<Row<'expenses'>>> {
  const changed = await findPolicyRun(tx)
  if (changed) return takeFromPolicyRun(tx, changed, sliceLength)
  const added = await findSumRun(tx)
  return added ? takeFromSumRun(tx, added, sliceLength) : []
}
