import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Row } from '#db/schema'
import type { Condition } from '#shared/contract/filters'
import type { FollowableKind } from '#shared/contract/followables'
import { type ActivityEvent, activityEvents } from '#shared/domain/activity-events'
import { attributesWith } from '#shared/records/attributes'
import { activityAttributeOf, isActivityAttribute } from '#shared/records/audited'
import { expense } from '#shared/records/expense'
import type { ActivityDetail, SubjectType } from './activity-details'
import { type KeyedPage, type Page, type PageWindow, newestKey, readShare, toExpression } from '../../core/list-query'
import { listOrganizationIdsWhere } from '../organizations/membership-reader'
import { listStatement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'
import { followedBy, isHeldIn } from '../visible-records'

const value = z.union([z.string(), z.number(), z.boolean()]).nullable()
const stored = z.object({
  event: z.enum(activityEvents),
  details: z.array(
    z.object({ attribute: z.unknown().refine(isActivityAttribute), from: value, to: value, currency: z.string().optional() }),
  ),
})

/** An activity with parsed details. */
export interface Activity extends Omit<Row<'activities'>, 'event' | 'details'> {
  readonly event: ActivityEvent
  readonly details: readonly ActivityDetail[]
}

/** One statement for each kind of subject, made on first use. */
function perSubject<S>(make: (type: SubjectType) => S): (type: SubjectType) => S {
  const made = new Map<SubjectType, S>()
  return (type) => {
    const known = made.get(type) ?? make(type)
    made.set(type, known)
    return known
  }
}

/** With {@link bySize}, orders entries as they were made: entries that a device has not sent have the ids -1, -2 … and are the newest. */
export const sentFirst = sql`id < 0`
export const bySize = sql`abs(id)`

/** Parses the details of a row of the trail. */
export function toActivity(row: Row<'activities'>): Activity {
  const details: unknown = JSON.parse(row.details)
  return { ...row, ...stored.parse({ event: row.event, details }) }
}

/** The changes of a record that stand, of all in the order in which they were made: neither undone nor an undo. */
export function withoutUndone(changes: readonly Activity[]): Activity[] {
  const standing: Activity[] = []
  for (const change of changes) {
    if (change.details.some(({ attribute }) => attribute === 'undo')) standing.pop()
    else standing.push(change)
  }
  return standing
}

/** Newest first. Exported so that a test can check its index. */
export const listSubjectRows = statement<KeyedPage<{ type: SubjectType; id: number }>, Row<'activities'>>((db, p) =>
  db
    .selectFrom('activities')
    .selectAll()
    .where('subject_type', '=', p('type'))
    .where('subject_id', '=', p('id'))
    .where('id', '<', p('after_id'))
    .orderBy('id', 'desc')
    .limit(p('limit'))
    .offset(p('offset')),
)
const countSubjectRows = statement<{ type: SubjectType; id: number }, { count: number }>((db, p) =>
  db
    .selectFrom('activities')
    .select(sql<number>`count(*)`.as('count'))
    .where('subject_type', '=', p('type'))
    .where('subject_id', '=', p('id')),
)

const listRowsAfter = statement<{ id: number; limit: number }, Row<'activities'>>((db, p) =>
  db.selectFrom('activities').selectAll().where('id', '>', p('id')).orderBy('id').limit(p('limit')),
)
const listRowsByIds = listStatement<number, Row<'activities'>>((db, ids) =>
  db.selectFrom('activities').selectAll().where('id', 'in', ids).orderBy('id'),
)

/** Activities after an id, oldest first. Ids grow with time, so a reader that follows the trail misses nothing. */
export async function listActivitiesAfter(reader: Reader, after: { id: number; limit: number }): Promise<Activity[]> {
  return (await reader.all(listRowsAfter, after)).map(toActivity)
}

const findLast = statement<object, { id: number | null }>((db) => db.selectFrom('activities').select(sql<number | null>`max(id)`.as('id')))

/** The id of the last activity; null if there is none. */
export async function findLastActivityId(reader: Reader): Promise<number | null> {
  return (await reader.first(findLast, {}))?.id ?? null
}

/** Activities by their ids. */
export async function listActivitiesByIds(reader: Reader, ids: readonly number[]): Promise<Activity[]> {
  return (await reader.allOf(listRowsByIds, ids)).map(toActivity)
}

/** A page of a record's activities, newest first. */
export async function listActivitiesOf(
  reader: Reader,
  { subject: { type, id }, ...window }: { subject: { type: SubjectType; id: number } } & PageWindow,
): Promise<Page<Activity>> {
  const rows = await reader.all(listSubjectRows, { type, id, ...window, ...newestKey(window) })
  const counted = await reader.first(countSubjectRows, { type, id })
  return { rows: rows.map(toActivity), count: counted?.count ?? 0 }
}

const listRowsAbout = perSubject((type) =>
  listStatement<number, Row<'activities'>>((db, ids) =>
    db
      .selectFrom('activities')
      .selectAll()
      .where('subject_type', '=', sql.lit(type))
      .where('subject_id', 'in', ids)
      .orderBy(sentFirst)
      .orderBy(bySize),
  ),
)

/** The activities of several records of one kind, oldest first, with unparsed details. */
export function listActivitiesAbout(
  reader: Reader,
  { type, ids }: { type: SubjectType; ids: readonly number[] },
): Promise<Array<Row<'activities'>>> {
  return reader.allOf(listRowsAbout(type), ids)
}

/** The events that may change an expense's status or an attribute that decisions depend on. */
const changeEvents = (['expense_status_changed', 'expense_updated', 'attachment_updated', 'attachment_destroyed'] as const).map((event) =>
  sql.lit(event),
)

/** The trail's names of what decisions are about: attributes, the organization, the files of receipts. */
const decidedAttributes: ReadonlySet<string> = new Set([
  'payer_id',
  'file',
  ...attributesWith(expense.attributes, 'isDecided').map(([name, attribute]) => activityAttributeOf(name, attribute)),
])

/** Whether an activity changes what earlier decisions about an expense were about. */
function isOtherwise({ details }: Activity): boolean {
  return details.some(({ attribute }) => decidedAttributes.has(attribute))
}

const listChangeRows = listStatement<number, Row<'activities'>>((db, ids) =>
  db
    .selectFrom('activities')
    .selectAll()
    .where('subject_type', '=', sql.lit('Expense'))
    .where('subject_id', 'in', ids)
    .where('event', 'in', changeEvents)
    .orderBy(sentFirst)
    .orderBy(bySize),
)

/** An approval: who gave it, and whether it is about the expense as it is now. */
export interface GivenApproval {
  readonly user_id: number
  readonly holds: boolean
}

/** The last approval of each of these expenses, by the expense's id. */
export async function listApprovals(reader: Reader, expense_ids: readonly number[]): Promise<Map<number, GivenApproval>> {
  const approvals = new Map<number, GivenApproval>()
  const changes = Map.groupBy((await reader.allOf(listChangeRows, expense_ids)).map(toActivity), ({ subject_id }) => subject_id)
  for (const activity of [...changes.values()].flatMap(withoutUndone)) {
    const { subject_id, user_id, details } = activity
    const known = approvals.get(subject_id)
    // A payment that was undone leaves the approval that it paid.
    const isApproval = details.some(({ attribute, from, to }) => attribute === 'status' && to === 'approved' && from !== 'liquidated')
    if (isApproval) approvals.set(subject_id, { user_id, holds: true })
    else if (known && isOtherwise(activity)) approvals.set(subject_id, { ...known, holds: false })
  }
  return approvals
}

/** The user who moved an expense to `analyzed`, if that still holds: the expense was not reopened or changed since. */
export async function findLooker(reader: Reader, id: number): Promise<number | undefined> {
  let looker: number | undefined
  for (const activity of withoutUndone((await reader.allOf(listChangeRows, [id])).map(toActivity))) {
    const { user_id, details } = activity
    const status = details.find(({ attribute }) => attribute === 'status')?.to
    if (status === 'analyzed') looker = user_id
    const isUndone = status !== undefined && status !== 'analyzed' && status !== 'noncompliant'
    if (isUndone || isOtherwise(activity)) looker = undefined
  }
  return looker
}

/** Subjects that analysts do not see: only managers and above do. */
const ofManagers: readonly SubjectType[] = ['CorporativeCard', 'Webhook']

/** The saved views of an organization that a user sees: their own and shared ones. */
const isSeenView = (user_id: number) => sql`(saved_views.user_id = ${user_id} or saved_views.is_shared = 1)`

/** Each kind of subject with the ids, as SQL, of the records that a user owns, independent of their role. */
async function ownSubjects(
  reader: Reader,
  user_id: number,
): Promise<ReadonlyArray<readonly [type: SubjectType, ids: RawBuilder<unknown>]>> {
  const having = (table: string, column: string) =>
    sql`select id from ${sql.table(table)} where ${sql.ref(column)} = ${user_id} and deleted_at is null`
  const held = async (table: string, column: string, of: Parameters<typeof isHeldIn>[2]) =>
    sql`${having(table, column)} and ${await isHeldIn(reader, user_id, of)}`
  const followed = async (kind: FollowableKind) =>
    sql`${having(`${kind}s`, 'receiver_id')} union ${await followedBy(reader, user_id, kind)}`
  const created = await held('accountabilities', 'author_id', { action: 'accountabilities.read', organization: 'payer_id' })
  const cards = { action: 'corporative_cards.read', organization: 'organization_id' } as const
  const joined = await listOrganizationIdsWhere(reader, user_id, 'saved_views.list')
  const views = sql`select id from saved_views where organization_id in (${sql.join([0, ...joined])}) and deleted_at is null`
  return [
    ['SavedView', sql`${views} and ${isSeenView(user_id)}`],
    ['Expense', await followed('expense')],
    ['Advancement', await followed('advancement')],
    ['Reimbursement', await followed('reimbursement')],
    ['AdvancementDevolution', having('advancement_devolutions', 'receiver_id')],
    ['Accountability', sql`${having('accountabilities', 'receiver_id')} union ${created}`],
    ['PreExpense', having('pre_expenses', 'receiver_id')],
    ['CorporativeCard', await held('corporative_cards', 'user_id', cards)],
    ['User', sql`select cast(${user_id} as bigint)`],
  ]
}

/** The user whose view of the trail it is, and conditions that narrow it. */
interface VisibleTrail {
  readonly user_id: number
  readonly conditions?: readonly Condition[]
}

/**
 * The disjoint parts of the trail that a user sees, each read along its index: all of the organizations where they are analyst or above, elsewhere
 * only their own.
 */
async function visibleParts(reader: Reader, { user_id, conditions = [] }: VisibleTrail): Promise<RawBuilder<unknown>[]> {
  const reviewed = await listOrganizationIdsWhere(reader, user_id, 'expenses.read')
  const managed = await listOrganizationIdsWhere(reader, user_id, 'webhooks.manage')
  const hidden = sql.join(ofManagers)
  const whole = reviewed.map((id) => {
    const all = sql`organization_id = ${id} and (subject_type <> 'SavedView'
      or exists (select 1 from saved_views where saved_views.id = subject_id and ${isSeenView(user_id)}))`
    return managed.includes(id) ? all : sql`${all} and subject_type not in (${hidden})`
  })
  const own = (await ownSubjects(reader, user_id)).map(([type, ids]) => {
    const covered = ofManagers.includes(type) ? managed : reviewed
    return sql`subject_type = ${type} and subject_id in (${ids}) and (organization_id is null or organization_id not in (${sql.join([0, ...covered])}))`
  })
  const asked = conditions.map((condition) => toExpression('activities', condition))
  return [...whole, ...own].map((part) => sql`${sql.join([part, ...asked], sql` and `)}`)
}

/** The query of a page of these parts' activities, newest first. */
function newestOf(reader: Reader, parts: ReadonlyArray<RawBuilder<unknown>>, window: PageWindow) {
  const { limit, offset } = window
  const older = window.after === undefined ? sql`1 = 1` : sql`id < ${newestKey(window).after_id}`
  const newest = parts.map(
    (part) => sql`select id from (select id from activities where ${part} and ${older} order by id desc limit ${limit + offset}) as newest`,
  )
  return reader.db
    .selectFrom('activities')
    .selectAll()
    .where('id', 'in', sql<number>`(${sql.join(newest, sql` union all `)} order by id desc limit ${limit} offset ${offset})`)
    .orderBy('id', 'desc')
}

function countOf(reader: Reader, parts: ReadonlyArray<RawBuilder<unknown>>) {
  const counts = parts.map((part) => sql`(select count(*) from activities where ${part})`)
  return reader.db.selectNoFrom(sql<number>`${sql.join(counts, sql` + `)}`.as('count'))
}

/** The queries of {@link listVisibleActivities}: the page and its count. */
export async function visibleActivities(reader: Reader, trail: VisibleTrail, window: PageWindow) {
  const parts = await visibleParts(reader, trail)
  return { page: newestOf(reader, parts, window), counted: countOf(reader, parts) }
}

/** A page of all activities that a user may see, newest first (supplement 2, "Activities"). */
export async function listVisibleActivities(reader: Reader, trail: VisibleTrail, window: PageWindow): Promise<Page<Activity>> {
  const { user_id } = trail
  const { page, counted } = await visibleActivities(reader, trail, window)
  const [rows, [total]] = await readShare(reader, [page.compile(), counted.compile()], { table: 'activities', user_id })
  return { rows: rows.map(toActivity), count: total?.count ?? 0 }
}
