import type { Row } from '#db/schema'
import { statement } from '../core/statement'
import type { Reader, Tx } from '../core/store'

/** An organization whose open expenses wait for new findings, starting at an id. `user_id`: who changed a policy. */
export type PolicyRun = Row<'policy_runs'>

const findRun = statement<object, PolicyRun>((db) => db.selectFrom('policy_runs').selectAll().orderBy('organization_id').limit(1))
const insertRun = statement<PolicyRun, unknown>((db, p) =>
  db
    .insertInto('policy_runs')
    .values({ organization_id: p('organization_id'), user_id: p('user_id'), after_id: p('after_id') })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ user_id: p('user_id'), after_id: p('after_id') })),
)
const deleteRun = statement<{ organization_id: number }, unknown>((db, p) =>
  db.deleteFrom('policy_runs').where('organization_id', '=', p('organization_id')),
)
const listNext = statement<Pick<PolicyRun, 'organization_id' | 'after_id'> & { most: number }, Row<'expenses'>>((db, p) =>
  db
    .selectFrom('expenses')
    .selectAll()
    .where('payer_id', '=', p('organization_id'))
    .where('id', '>', p('after_id'))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(p('most')),
)

/** Queues all open expenses of an organization for new findings, in the background and on behalf of the acting user. */
export async function addPolicyRun(tx: Tx, organization_id: number): Promise<void> {
  await tx.run(insertRun, { organization_id, user_id: tx.actor.user_id, after_id: 0 })
}

/** The next run to continue. */
export function findPolicyRun(reader: Reader): Promise<PolicyRun | undefined> {
  return reader.first(findRun, {})
}

/** Takes a run's next expenses and moves it past them; ends the run if there are none. */
export async function takeFromPolicyRun(tx: Tx, { organization_id, after_id }: PolicyRun, most: number): Promise<Row<'expenses'>[]> {
  const rows = await tx.all(listNext, { organization_id, after_id, most })
  const last = rows.at(-1)
  if (last) await tx.run(insertRun, { organization_id, user_id: tx.actor.user_id, after_id: last.id })
  else await tx.run(deleteRun, { organization_id })
  return rows
}

/** The number of an organization's expenses that wait for new findings; another process counts it, for a user. */
export async function countPolicyRun(
  reader: Reader,
  { organization_id, user_id }: { organization_id: number; user_id: number },
): Promise<number> {
  const waiting = reader.db
    .selectFrom('policy_runs')
    .innerJoin('expenses', 'expenses.payer_id', 'policy_runs.organization_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('policy_runs.organization_id', '=', organization_id)
    .whereRef('expenses.id', '>', 'policy_runs.after_id')
    .where('expenses.deleted_at', 'is', null)
    .compile()
  const [[counted]] = await reader.readApart([waiting], { user_id })
  return counted?.count ?? 0
}
