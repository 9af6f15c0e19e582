import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { RecordTable, Schema } from '#db/schema'
import { type Action, type Relation, may } from '#shared/domain/permissions'
import { listMembershipsOf } from './membership-reader'
import type { Reader } from './store'
import type { SubjectType } from './activity-writer'

/** What a user may see, by the organizations they belong to (`#shared/domain/permissions`). */
export interface Audience {
  readonly user_id: number
  /** Organizations whose members, tags and rules they see. */
  readonly member_of: readonly number[]
  /** Organizations in which they see what they take part in. */
  readonly follows: readonly number[]
  /** Organizations in which they see the accountabilities that they created and the cards that they use. */
  readonly holds: readonly number[]
  /** Organizations all of whose expenses, reimbursements, advancements and accountabilities they see. */
  readonly reviews: readonly number[]
  /** Organizations all of whose cards they see. */
  readonly manages: readonly number[]
  /** The same as words: when they differ, what a replica holds is no longer what its user may see. */
  readonly scopes: readonly string[]
}

/** What a user may see now. */
export async function getAudience(reader: Reader, user_id: number): Promise<Audience> {
  const roles = await listMembershipsOf(reader, user_id)
  const idsWhere = (action: Action, relation: Omit<Relation, 'role'> = {}) =>
    roles.filter(({ role }) => may(action, { ...relation, role })).map(({ organization_id }) => organization_id)
  return {
    user_id,
    member_of: idsWhere('organizations.read'),
    follows: idsWhere('expenses.read', { is_participant: true }),
    holds: idsWhere('accountabilities.read', { is_holder: true }),
    reviews: idsWhere('expenses.read'),
    manages: idsWhere('corporative_cards.read'),
    scopes: [`user:${user_id}`, ...roles.map(({ organization_id, role }) => `organization:${organization_id}:${role}`)].sort(),
  }
}

/** Rows that belong to a record and come and go with it. */
export interface Links {
  readonly table: keyof Schema
  readonly column: string
  /** What they lead to, where it may be deleted without them. */
  readonly to?: { readonly table: keyof Schema; readonly column: string }
}

/** One kind of record that replicas hold. */
export interface SharedRecord {
  readonly table: RecordTable | 'user_emails'
  readonly visible: (audience: Audience) => RawBuilder<SqlBool>
  /** How the audit trail names it. */
  readonly subject?: SubjectType
  readonly links?: Links
  /** Deleted ones still show that there was something. */
  readonly withDeleted?: true
  /** What never leaves the remote, and what stands in its place. */
  readonly hidden?: Readonly<Record<string, string | number | null>>
}

const among = (column: string | RawBuilder<unknown>, ids: readonly number[]): RawBuilder<SqlBool> =>
  ids.length === 0 ? sql<SqlBool>`0` : sql<SqlBool>`${typeof column === 'string' ? sql.ref(column) : column} in (${sql.join(ids.map((id) => sql.lit(id)))})`
const is = (column: string, id: number): RawBuilder<SqlBool> => sql<SqlBool>`${sql.ref(column)} = ${sql.lit(id)}`
const any = (...conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> => sql<SqlBool>`(${sql.join(conditions, sql` or `)})`

const all = (...conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> => sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

function followed(
  table: string,
  kind: 'expense' | 'reimbursement' | 'advancement',
  { user_id, follows }: Audience,
): RawBuilder<SqlBool> {
  const parent = sql.ref(`followed.${kind}_id`)
  return sql<SqlBool>`${among(`${table}.payer_id`, follows)} and exists (select 1 from participants as followed where ${parent} = ${sql.ref(`${table}.id`)}
    and followed.user_id = ${sql.lit(user_id)} and followed.deleted_at is null)`
}

function paid(table: 'expenses' | 'reimbursements' | 'advancements', kind: 'expense' | 'reimbursement' | 'advancement') {
  return (audience: Audience) =>
    any(
      among(`${table}.payer_id`, audience.reviews),
      is(`${table}.receiver_id`, audience.user_id),
      followed(table, kind, audience),
    )
}
const seenReimbursement = paid('reimbursements', 'reimbursement')
const seenAdvancement = paid('advancements', 'advancement')
const seenAccountability = (audience: Audience) =>
  any(
    among('accountabilities.payer_id', audience.reviews),
    is('accountabilities.receiver_id', audience.user_id),
    all(is('accountabilities.author_id', audience.user_id), among('accountabilities.payer_id', audience.holds)),
  )
const plainlySeenExpense = paid('expenses', 'expense')
/** Whoever sees an accountability sees the expenses in it. */
const seenExpense = (audience: Audience) =>
  any(
    plainlySeenExpense(audience),
    sql<SqlBool>`exists (select 1 from accountability_expenses join accountabilities on accountabilities.id = accountability_id
      where expense_id = expenses.id and accountabilities.deleted_at is null and ${seenAccountability(audience)})`,
  )
const seenMember = (column: string, audience: Audience) =>
  any(
    is(column, audience.user_id),
    sql<SqlBool>`exists (select 1 from memberships as fellow where fellow.user_id = ${sql.ref(column)}
      and ${among('fellow.organization_id', audience.member_of)} and fellow.deleted_at is null)`,
  )

/** The parents of comments, participants and attachments, by the column that names them. */
export const parentTables = {
  expense_id: 'expenses',
  reimbursement_id: 'reimbursements',
  advancement_id: 'advancements',
} as const
const seenParent = { expenses: seenExpense, reimbursements: seenReimbursement, advancements: seenAdvancement } as const

function ofParent(table: string, columns: ReadonlyArray<keyof typeof parentTables>) {
  return (audience: Audience) =>
    any(
      ...columns.map((column) => {
        const parent = parentTables[column]
        return sql<SqlBool>`exists (select 1 from ${sql.table(parent)} where ${sql.ref(`${parent}.id`)} = ${sql.ref(`${table}.${column}`)}
          and ${sql.ref(`${parent}.deleted_at`)} is null and ${seenParent[parent](audience)})`
      }),
    )
}
const allParents = ['expense_id', 'reimbursement_id', 'advancement_id'] as const

/** Everything that replicas hold, parents before children, and who sees it: the same rules on both sides. */
export const sharedRecords: readonly SharedRecord[] = [
  { table: 'organizations', subject: 'Organization', visible: ({ member_of }) => among('organizations.id', member_of) },
  { table: 'users', subject: 'User', visible: (audience) => seenMember('users.id', audience) },
  {
    table: 'user_emails',
    visible: (audience) =>
      sql<SqlBool>`(user_emails.user_id = ${sql.lit(audience.user_id)} or (user_emails.main = 1 and ${seenMember('user_emails.user_id', audience)}))`,
  },
  { table: 'memberships', subject: 'Membership', visible: ({ member_of }) => among('memberships.organization_id', member_of) },
  {
    table: 'tags',
    subject: 'Tag',
    visible: ({ member_of }) => among('tags.organization_id', member_of),
    links: { table: 'tag_restrictions', column: 'tag_id' },
  },
  { table: 'distance_rules', visible: ({ member_of }) => among('distance_rules.organization_id', member_of) },
  {
    table: 'corporative_cards',
    subject: 'CorporativeCard',
    visible: ({ manages, holds, user_id }) =>
      any(
        among('corporative_cards.organization_id', manages),
        // The plus keeps SQLite from a second index: rows are read in the order of their ids.
        all(is('corporative_cards.user_id', user_id), among(sql`+corporative_cards.organization_id`, holds)),
      ),
    hidden: { number_hmac: '' },
  },
  { table: 'pre_expenses', subject: 'PreExpense', visible: ({ user_id }) => is('pre_expenses.receiver_id', user_id) },
  {
    table: 'reimbursements',
    subject: 'Reimbursement',
    visible: seenReimbursement,
    links: { table: 'reimbursement_tags', column: 'reimbursement_id' },
  },
  {
    table: 'advancements',
    subject: 'Advancement',
    visible: seenAdvancement,
    links: { table: 'advancement_tags', column: 'advancement_id' },
  },
  {
    table: 'advancement_devolutions',
    subject: 'AdvancementDevolution',
    visible: ({ reviews, user_id }) =>
      any(among('advancement_devolutions.payer_id', reviews), is('advancement_devolutions.receiver_id', user_id)),
  },
  { table: 'expenses', subject: 'Expense', visible: seenExpense, links: { table: 'expense_tags', column: 'expense_id' } },
  {
    table: 'accountabilities',
    subject: 'Accountability',
    visible: seenAccountability,
    links: {
      table: 'accountability_expenses',
      column: 'accountability_id',
      to: { table: 'expenses', column: 'expense_id' },
    },
  },
  {
    table: 'comments',
    visible: ofParent('comments', allParents),
    links: { table: 'comment_mentions', column: 'comment_id' },
    withDeleted: true,
  },
  { table: 'participants', visible: ofParent('participants', allParents) },
  { table: 'attachments', visible: ofParent('attachments', ['expense_id']) },
]

const byTable = new Map<string, SharedRecord>(sharedRecords.map((record) => [record.table, record]))

/** What is known of a kind of record, if replicas hold it. */
export function findSharedRecord(table: string): SharedRecord | undefined {
  return byTable.get(table)
}

/**
 * Which entries of the audit trail are seen: those of records that are. The plus keeps SQLite from an index by subject: a page of
 * the trail is read in the order of its ids, and not gathered from all of it each time.
 */
export function visibleActivities(audience: Audience): RawBuilder<SqlBool> {
  return any(
    ...sharedRecords.flatMap(({ table, subject, visible }) =>
      subject === undefined
        ? []
        : [
            sql<SqlBool>`(+activities.subject_type = ${sql.lit(subject)} and exists (select 1 from ${sql.table(table)}
              where ${sql.ref(`${table}.id`)} = activities.subject_id and ${visible(audience)}))`,
          ],
    ),
  )
}
