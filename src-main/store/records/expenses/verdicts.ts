import type { Row } from '#db/schema'
import { expenseStatuses, isUndecided } from '#shared/domain/expense-status'
import { isInClosedMonth } from '../organizations/closed-months'
import { addPolicyRun, findPolicyRun } from '../../queues/policy-runs'
import { findSumRun } from '../../queues/sum-runs'
import { isReplica } from '../../sync/replica-state'
import { type Statement, statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { contradictedOnes } from './decided-verdicts'
import { flagsOf, judgeExpense, listTagIdsOf } from './expense-flags'
import { judgeAgain } from './expense-writer'

const sliceLength = 500
const open = expenseStatuses.filter(isUndecided)

const listJudging: Statement<object, { organization_id: number }> = statement((db) =>
  db.selectFrom('policies').select('organization_id').distinct().where('deleted_at', 'is', null).orderBy('organization_id'),
)
const listOrganizations: Statement<object, { id: number }> = statement((db) =>
  db.selectFrom('organizations').select('id').where('deleted_at', 'is', null).orderBy('id'),
)
const listOpen = statement<{ organization_id: number; after_id: number }, Row<'expenses'>>((db, p) =>
  db
    .selectFrom('expenses')
    .selectAll()
    .where('payer_id', '=', p('organization_id'))
    .where('id', '>', p('after_id'))
    .where('deleted_at', 'is', null)
    .where('status', 'in', open)
    .orderBy('id')
    .limit(sliceLength),
)

async function* openExpenses(reader: Reader): AsyncGenerator<Row<'expenses'>> {
  for (const { organization_id } of await reader.all(listJudging, {})) {
    let slice = await reader.all(listOpen, { organization_id, after_id: 0 })
    for (let last = slice.at(-1); last; last = slice.at(-1)) {
      yield* slice
      slice = await reader.all(listOpen, { organization_id, after_id: last.id })
    }
  }
}

/** The findings of policies as text, without those that no policy asks for. */
function verdictOf(columns: Pick<Row<'expenses'>, 'flags'>): string {
  return JSON.stringify(flagsOf(columns).filter(({ policy_id }) => policy_id !== null))
}

async function* wrongOnes(reader: Reader): AsyncGenerator<Row<'expenses'>> {
  // A replica has its remote's findings, and expenses that wait for new ones are not wrong yet.
  if ((await isReplica(reader)) || (await findPolicyRun(reader)) || (await findSumRun(reader))) return
  for await (const row of openExpenses(reader)) {
    if (await isInClosedMonth(reader, row)) continue
    const judged = await judgeExpense(reader, row, { repeats: 0, tag_ids: () => listTagIdsOf(reader, row.id) })
    if (judged && verdictOf(judged) !== verdictOf(row)) yield row
  }
}

/**
 * Lists wrong findings, one line each: of open expenses, findings that differ from their policies; of decided ones, findings that cannot have been
 * found at that time.
 */
export async function listVerdictProblems(reader: Reader): Promise<string[]> {
  const problems: string[] = []
  for await (const { id } of wrongOnes(reader)) problems.push(`The findings of expense ${id} are not those that its policies give.`)
  if (!(await isReplica(reader)))
    for await (const id of contradictedOnes(reader))
      problems.push(`The findings of decided expense ${id} are not those that the versions of its policies give.`)
  return problems
}

/** Judges the listed open expenses again. The findings of decided ones are evidence and stay. */
export async function mendVerdicts(tx: Tx): Promise<void> {
  for await (const row of wrongOnes(tx)) await judgeAgain(tx, row)
}

/**
 * Queues all open expenses for new findings in the background: another version of the program may find other things and repeats. A replica gets its
 * remote's findings.
 */
export async function judgeAllAgain(tx: Tx): Promise<void> {
  if (await isReplica(tx)) return
  for (const { id } of await tx.all(listOrganizations, {})) await addPolicyRun(tx, id)
}
