import { type QueryCreator, sql } from 'kysely'
import { z } from 'zod'
import type { Row, Schema } from '#db/schema'
import { type ExpenseStatus, expenseStatuses, isUndecided } from '#shared/domain/expense-status'
import { type Flag, type JudgedExpense, type Policy, type PolicyVersion, judge, versionAt } from '#shared/domain/policies'
import { canBeFoundBy, isJudgedAgain, isSameFinding, othersIn } from '#shared/domain/policies/stored'
import { listAllVersions, readPoliciesOnce } from '../organizations/policy-reader'
import { type Statement, listStatement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'
import { flagsOf, listTagIdsOf } from './expense-flags'

const sliceLength = 500
const decided = expenseStatuses.filter((status) => !isUndecided(status))

type Expense = Row<'expenses'>

const judging = (db: QueryCreator<Schema>) => db.selectFrom('policies').select('organization_id').where('deleted_at', 'is', null)
const listDecided = statement<{ after_id: number }, Expense & { erased: string | null }>((db, p) =>
  db
    .selectFrom('expenses')
    .innerJoin('users', 'users.id', 'expenses.receiver_id')
    .selectAll('expenses')
    .select('users.deleted_at as erased')
    .where('expenses.id', '>', p('after_id'))
    .where('expenses.deleted_at', 'is', null)
    .where('expenses.status', 'in', decided)
    .where((is) => is.or([is('expenses.flags', 'is not', null), is('expenses.payer_id', 'in', judging(db))]))
    .orderBy('expenses.id')
    .limit(sliceLength),
)

interface Entry {
  readonly id: number
  readonly subject_id: number
  readonly event: string
  readonly details: string
}

const listTrail = listStatement<number, Entry>((db, ids) =>
  db
    .selectFrom('activities')
    .select(['id', 'subject_id', 'event', 'details'])
    .where('subject_type', '=', sql.lit('Expense'))
    .where('subject_id', 'in', ids)
    .orderBy('id'),
)
const lastEntry = sql<number>`max(activities.id)`.as('last')
const listPolicyChanges: Statement<object, { id: number; last: number }> = statement((db) =>
  db.selectFrom('activities').select(['subject_id as id', lastEntry]).where('subject_type', '=', 'Policy').groupBy('subject_id'),
)
const listTagDeletions: Statement<object, { id: number; last: number }> = statement((db) =>
  db
    .selectFrom('tags')
    .innerJoin('activities', (on) => on.onRef('activities.subject_id', '=', 'tags.id').on('activities.subject_type', '=', 'Tag'))
    .select(['tags.organization_id as id', lastEntry])
    .where('tags.deleted_at', 'is not', null)
    .groupBy('tags.organization_id'),
)

const detailsShape = z.array(z.object({ attribute: z.string(), from: z.unknown(), to: z.unknown() }))

/** Attributes that may change after a decision without changing what policies check. */
const apart: ReadonlySet<string> = new Set(['status', 'responsible_user_id', 'ignore_noncompliant', 'approved_amount', 'content'])
const approval = 'approved_amount_currency'

/** The entry that last decided an expense. `isApprovedLater`: a later entry chose the approved currency. */
interface Decision {
  readonly id: number
  readonly isApprovedLater: boolean
}

/** The entry that last decided an expense; undefined if there is none, or if something that policies check has changed since. */
function findDecision(trail: readonly Entry[]): Decision | undefined {
  let decision: Decision | undefined
  for (const { id, event, details } of trail) {
    const changes = detailsShape.safeParse(JSON.parse(details)).data ?? []
    const status = changes.find(({ attribute }) => attribute === 'status')
    if (status && isMove(status)) decision = isUndecided(status.from) && !isUndecided(status.to) ? { id, isApprovedLater: false } : decision
    else if (/^attachment_/.test(event)) decision = undefined
    if (!decision || decision.id === id) continue
    const others = changes.filter(({ attribute }) => !apart.has(attribute))
    if (others.length > 0)
      decision = others.every(({ attribute }) => attribute === approval) ? { ...decision, isApprovedLater: true } : undefined
  }
  return decision
}

const isStatus = (value: unknown): value is ExpenseStatus => expenseStatuses.some((status) => status === value)

function isMove(detail: { from?: unknown; to?: unknown }): detail is { from: ExpenseStatus; to: ExpenseStatus } {
  return isStatus(detail.from) && isStatus(detail.to)
}

/** The history for judging decided expenses: all versions of policies, and the last entries that changed policies and deleted tags. */
interface Past {
  readonly versions: ReadonlyMap<number, readonly PolicyVersion[]>
  readonly policyChanges: ReadonlyMap<number, number>
  readonly tagDeletions: ReadonlyMap<number, number>
}

const toMap = (rows: ReadonlyArray<{ id: number; last: number }>) => new Map(rows.map(({ id, last }) => [id, last]))

/**
 * Yields decided expenses whose findings contradict their policies' versions. An expense that has not changed since its decision is judged again:
 * sums with the value found then, and policies without findings if they have not changed since. Findings that depend on later facts, or on a changed
 * expense, are compared with the version that they name.
 */
export async function* contradictedOnes(reader: Reader): AsyncGenerator<number> {
  const past: Past = {
    versions: await listAllVersions(reader),
    policyChanges: toMap(await reader.all(listPolicyChanges, {})),
    tagDeletions: toMap(await reader.all(listTagDeletions, {})),
  }
  const policiesOf = readPoliciesOnce(reader)
  let slice = await reader.all(listDecided, { after_id: 0 })
  for (let last = slice.at(-1); last; last = slice.at(-1)) {
    const trails = Map.groupBy(
      await reader.allOf(
        listTrail,
        slice.map(({ id }) => id),
      ),
      ({ subject_id }) => subject_id,
    )
    for (const row of slice) {
      const decision = row.erased === null ? findDecision(trails.get(row.id) ?? []) : undefined
      const tag_ids = decision === undefined ? [] : await listTagIdsOf(reader, row.id)
      if (isContradicted(row, { past, decision, tag_ids, policies: await policiesOf(row.payer_id) })) yield row.id
    }
    slice = await reader.all(listDecided, { after_id: last.id })
  }
}

interface Decided {
  readonly past: Past
  readonly decision: Decision | undefined
  readonly tag_ids: readonly number[]
  readonly policies: readonly Policy[]
}

function isContradicted(row: Expense, { past, decision, tag_ids, policies }: Decided): boolean {
  const found = new Map(flagsOf(row).flatMap((flag) => (flag.policy_id === null ? [] : [[flag.policy_id, flag] as const])))
  const expense = { ...row, tag_ids, invoices: [], others: new Map() }
  const knowsTags = decision !== undefined && (past.tagDeletions.get(row.payer_id) ?? 0) < decision.id
  const known = { knowsTags, knowsApproval: decision?.isApprovedLater === false }
  const isWrong = [...found].some(([id, flag]) => {
    const version = past.versions.get(id)?.find(({ number }) => number === flag.version)
    if (!version || !canBeFoundBy(flag, version)) return true
    return decision !== undefined && isJudgedAgain(version, known) && !isFoundAgain(flag, { id, version, expense })
  })
  if (isWrong || decision === undefined) return isWrong
  const unchanged = policies.filter(({ id }) => (past.policyChanges.get(id) ?? Infinity) < decision.id)
  return unchanged.some((policy) => {
    const version = versionAt(policy, row.occurred_at)
    const flag = found.get(policy.id)
    if (flag) return version?.number !== flag.version
    // The others' total is stored only in a finding: without one, `others` is empty and a sum finds nothing.
    return version !== undefined && isJudgedAgain(version, known) && judge([policy], expense).length > 0
  })
}

function isFoundAgain(flag: Flag, { id, version, expense }: { id: number; version: PolicyVersion; expense: JudgedExpense }): boolean {
  const others = othersIn(flag, expense)
  if (others < 0) return false
  const [again] = judge([{ id, versions: [{ ...version, holds_from: null }] }], { ...expense, others: new Map([[id, others]]) })
  return again !== undefined && isSameFinding(again, flag) && again.is_explained === flag.is_explained
}
