import { type RawBuilder, sql } from 'kysely'
import type { Row } from '#db/schema'
import type { Policy } from '#shared/domain/policies'
import { type Counted, adds, findExceededSpan } from '../records/expenses/policy-sums'
import { isReplica } from '../sync/replica-state'
import { perDialect } from '../core/dialect'
import { statement } from '../core/statement'
import type { Reader, Tx } from '../core/store'

/** A claimant whose expenses of some dates wait for new findings, starting at a place. `user_id`: who changed an expense. */
export type SumRun = Row<'sum_runs'>

const findRun = statement<object, SumRun>((db) =>
  db.selectFrom('sum_runs').selectAll().orderBy('organization_id').orderBy('claimant_id').limit(1),
)
const upsertRun = statement<Omit<SumRun, 'after_at' | 'after_id'>, unknown>((db, p) =>
  db
    .insertInto('sum_runs')
    .values({
      organization_id: p('organization_id'),
      claimant_id: p('claimant_id'),
      user_id: p('user_id'),
      from_at: p('from_at'),
      to_at: p('to_at'),
      after_at: sql.lit(''),
      after_id: sql.lit(0),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'claimant_id'])
        .doUpdateSet({
          user_id: p('user_id'),
          from_at: sql`case when sum_runs.from_at < excluded.from_at then sum_runs.from_at else excluded.from_at end`,
          to_at: sql`case when sum_runs.to_at > excluded.to_at then sum_runs.to_at else excluded.to_at end`,
          after_at: sql.lit(''),
          after_id: sql.lit(0),
        }),
    ),
)
const advanceRun = statement<Pick<SumRun, 'organization_id' | 'claimant_id' | 'after_at' | 'after_id'>, unknown>((db, p) =>
  db
    .updateTable('sum_runs')
    .set({ after_at: p('after_at'), after_id: p('after_id') })
    .where('organization_id', '=', p('organization_id'))
    .where('claimant_id', '=', p('claimant_id')),
)
const deleteRun = statement<Pick<SumRun, 'organization_id' | 'claimant_id'>, unknown>((db, p) =>
  db.deleteFrom('sum_runs').where('organization_id', '=', p('organization_id')).where('claimant_id', '=', p('claimant_id')),
)
const later = (one: RawBuilder<string>, other: RawBuilder<string>) =>
  perDialect({ sqlite: sql`max(${one}, ${other})`, postgres: sql`greatest(${one}::text, ${other}::text)` })
const listNext = statement<Omit<SumRun, 'user_id'> & { most: number }, Row<'expenses'>>((db, p) =>
  db
    .selectFrom('expenses')
    .selectAll()
    .where('payer_id', '=', p('organization_id'))
    .where('receiver_id', '=', p('claimant_id'))
    .where('occurred_at', '<', p('to_at'))
    .where(sql<boolean>`(occurred_at, id) > (${later(p('from_at'), p('after_at'))}, ${p('after_id')})`)
    .where('deleted_at', 'is', null)
    .orderBy('occurred_at')
    .orderBy('id')
    .limit(p('most')),
)

/** An expense before or after a change. `tag_ids` are read only if a policy adds up expenses. */
type Claimed = Omit<Counted, 'tag_ids'> & { readonly tag_ids: () => Promise<readonly number[]> | readonly number[] }

/**
 * Queues the expenses whose findings may change with this one: those that exceed a limit together with it, before or after a change. `policies`: the
 * organization's. Runs in the background on behalf of the acting user; a replica leaves it to its remote.
 */
export async function addSumRun(tx: Tx, policies: readonly Policy[], claimed: Claimed): Promise<void> {
  const { payer_id: organization_id, receiver_id: claimant_id } = claimed
  const adding = policies.filter(({ versions }) => versions.some(adds))
  if (adding.length === 0 || (await isReplica(tx))) return
  const span = await findExceededSpan(tx, adding, { ...claimed, tag_ids: await claimed.tag_ids() })
  if (!span) return
  await tx.run(upsertRun, { organization_id, claimant_id, user_id: tx.actor.user_id, from_at: span.from, to_at: span.to })
}

/** The next run to continue. */
export function findSumRun(reader: Reader): Promise<SumRun | undefined> {
  return reader.first(findRun, {})
}

/** Takes a run's next expenses and moves it past them; ends the run if there are none. */
export async function takeFromSumRun(tx: Tx, { user_id: _, ...run }: SumRun, most: number): Promise<Row<'expenses'>[]> {
  const rows = await tx.all(listNext, { ...run, most })
  const last = rows.at(-1)
  if (last) await tx.run(advanceRun, { ...run, after_at: last.occurred_at, after_id: last.id })
  else await tx.run(deleteRun, run)
  return rows
}
