import type { Row } from '#db/schema'
import type { Flag } from '#shared/domain/policies'
import { isSameFinding } from '#shared/domain/policies/stored'
import { flagsOf } from '../records/expenses/expense-flags'
import { listSeenExpenses } from '../records/expenses/repeat-reader'
import { listStatement } from '../core/statement'
import type { Reader, Tx } from '../core/store'
import { getAudience } from './audience'
import { findReplicaValue, writeReplicaValue } from './replica-state'

/** Shown for a week, for the last hundred expenses: later nobody remembers the findings made offline. */
const shownMs = 7 * 86_400_000
const mostKept = 100

/** An expense's local findings before its remote judged it. */
type Verdict = Pick<Row<'expenses'>, 'uid' | 'flags'>

const listById = listStatement<number, Verdict>((db, ids) => db.selectFrom('expenses').select(['uid', 'flags']).where('id', 'in', ids))
const listByUid = listStatement<string, Verdict & { id: number }>((db, uids) =>
  db.selectFrom('expenses').select(['id', 'uid', 'flags']).where('uid', 'in', uids).where('deleted_at', 'is', null),
)

/** The local findings of some expenses. */
export function listVerdicts(reader: Reader, ids: readonly number[]): Promise<Verdict[]> {
  return reader.allOf(listById, ids)
}

/** Findings that are not among the others. */
function without(flags: readonly Flag[], others: readonly Flag[]): Flag[] {
  return flags.filter((flag) => !others.some((other) => isSameFinding(flag, other)))
}

function compare(before: Pick<Verdict, 'flags'>, now: Pick<Verdict, 'flags'>): { found: Flag[]; gone: Flag[] } {
  const [then, since] = [flagsOf(before), flagsOf(now)]
  return { found: without(since, then), gone: without(then, since) }
}

const isChanged = ({ found, gone }: ReturnType<typeof compare>) => found.length + gone.length > 0

/** Stores earlier local findings where the remote's findings differ. */
export async function noteChangedVerdicts(tx: Tx, before: readonly Verdict[]): Promise<void> {
  if (before.length === 0) return
  const now = new Map(
    (
      await tx.allOf(
        listByUid,
        before.map(({ uid }) => uid),
      )
    ).map((verdict) => [verdict.uid, verdict]),
  )
  const changed = before.filter((verdict) => {
    const judged = now.get(verdict.uid)
    return judged !== undefined && isChanged(compare(verdict, judged))
  })
  const known = (await findReplicaValue(tx, 'verdicts')) ?? []
  const judged = new Set(before.map(({ uid }) => uid))
  const kept = known.filter(({ uid }) => !judged.has(uid))
  if (changed.length === 0 && kept.length === known.length) return
  const noted = changed.map(({ uid, flags }) => ({ uid, flags, noticed_at: tx.now }))
  await writeReplicaValue(tx, 'verdicts', [...noted, ...kept].slice(0, mostKept))
}

/** Deletes these expenses' earlier findings after the user has read them. */
export async function dismissVerdicts(tx: Tx, expense_ids: readonly number[]): Promise<void> {
  const read = new Set((await tx.allOf(listById, expense_ids)).map(({ uid }) => uid))
  const known = (await findReplicaValue(tx, 'verdicts')) ?? []
  await writeReplicaValue(
    tx,
    'verdicts',
    known.filter(({ uid }) => !read.has(uid)),
  )
}

/** An expense whose remote's findings differ from the local ones. */
export interface ChangedVerdict {
  readonly expense_id: number
  readonly noticed_at: string
  /** The findings that only the remote has, and those that only this replica had. */
  readonly found: readonly Flag[]
  readonly gone: readonly Flag[]
}

/** Expenses that this replica judged differently from its remote, newest first, without those that its user may no longer see. */
export async function listChangedVerdicts(
  reader: Reader,
  { user_id, nowMs }: { user_id: number; nowMs: number },
): Promise<ChangedVerdict[]> {
  const since = new Date(nowMs - shownMs).toISOString()
  const known = ((await findReplicaValue(reader, 'verdicts')) ?? []).filter(({ noticed_at }) => noticed_at >= since)
  if (known.length === 0) return []
  const ids = (
    await reader.allOf(
      listByUid,
      known.map(({ uid }) => uid),
    )
  ).map(({ id }) => id)
  const seen = await listSeenExpenses(reader, { ids, audience: await getAudience(reader, user_id) })
  const byUid = new Map(seen.map((expense) => [expense.uid, expense]))
  return known.flatMap(({ uid, flags, noticed_at }) => {
    const expense = byUid.get(uid)
    const changes = expense && compare({ flags }, expense)
    return changes && isChanged(changes) ? [{ expense_id: expense.id, noticed_at, ...changes }] : []
  })
}
