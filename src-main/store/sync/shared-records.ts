import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { RecordTable, Schema } from '#db/schema'
import type { Cell } from '#shared/contract/sync'
import { type Action, type Relation, may } from '#shared/domain/permissions'
import { listMembershipsOf } from '../records/organizations/membership-reader'
import type { Reader } from '../core/store'
import type { SubjectType } from '../records/conversations/activity-writer'
import {
  type Told,
  toldOfCards,
  toldOfComments,
  toldOfEmails,
  toldOfExpenses,
  toldOfOrganizations,
  toldOfUsers,
} from './told-columns'

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
  /** Organizations where they see who a tag is limited to. */
  readonly shows_tags: readonly number[]
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
    shows_tags: idsWhere('tags.show'),
    // A replica that knows other words than these gets a snapshot, and lets go of what it should not hold.
    scopes: [`person:${user_id}`, ...roles.map(({ organization_id, role }) => `organization:${organization_id}:${role}`)].sort(),
  }
}

/** Rows that belong to a record and come and go with it. */
export interface Links {
  readonly table: keyof Schema
  readonly column: string
  /** Those of some records that an audience is told of, where that is not all of them. */
  readonly rows?: (audience: Audience, owners: RawBuilder<unknown>) => RawBuilder<PlainRow>
}

/** A row as it travels. */
export type PlainRow = Readonly<Record<string, Cell>>

/** One kind of record that replicas hold. */
export interface SharedRecord {
  readonly table: RecordTable | 'user_emails'
  readonly visible: (audience: Audience) => RawBuilder<SqlBool>
  /** The organizations all of whose records of this kind the audience sees: one that left their sight was in it. */
  readonly seenIn?: (audience: Audience) => readonly number[]
  /** How the audit trail names it. */
  readonly subject?: SubjectType
  /** Whether the audience sees its entries in the audit trail, where that is less than the record. */
  readonly trail?: (audience: Audience) => RawBuilder<SqlBool>
  readonly links?: Links
  /** Deleted ones still show that there was something. */
  readonly withDeleted?: true
  /** Columns that the audience is not told as they are, and what they are told. */
  readonly told?: (audience: Audience) => Told
}

const among = (column: string | RawBuilder<unknown>, ids: readonly number[]): RawBuilder<SqlBool> =>
  ids.length === 0
    ? sql<SqlBool>`0`
    : sql<SqlBool>`${typeof column === 'string' ? sql.ref(column) : column} in (${sql.join(ids.map((id) => sql.lit(id)))})`
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
/** That an audience sees a row of `expenses`. */
export const seenExpense = paid('expenses', 'expense')
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

const reviewed = ({ reviews }: Audience) => reviews

/** Who a tag is limited to is told to those who may show it; others learn whether they may use it: an admin stands for all others. */
function tellRestrictions({ user_id, shows_tags }: Audience, owners: RawBuilder<unknown>): RawBuilder<PlainRow> {
  const isWhole = among('tags.organization_id', shows_tags)
  const admin = sql`(select user_id from memberships where organization_id = tags.organization_id and role = 'admin'
    and deleted_at is null order by id limit 1)`
  return sql<PlainRow>`select tag_id, user_id from tag_restrictions join tags on tags.id = tag_id
      where tag_id in (${owners}) and (${isWhole} or user_id = ${sql.lit(user_id)})
    union select tag_id, coalesce(${admin}, user_id) from tag_restrictions as others join tags on tags.id = tag_id
      where tag_id in (${owners}) and not ${isWhole} and not exists (select 1 from tag_restrictions as own
        where own.tag_id = others.tag_id and own.user_id = ${sql.lit(user_id)})`
}

/** Everything that replicas hold, parents before children, and who sees it: the same rules on both sides. */
export const sharedRecords: readonly SharedRecord[] = [
  {
    table: 'organizations',
    subject: 'Organization',
    visible: ({ member_of }) => among('organizations.id', member_of),
    trail: ({ reviews }) => among('organizations.id', reviews),
    told: toldOfOrganizations,
  },
  {
    table: 'users',
    subject: 'User',
    visible: (audience) => seenMember('users.id', audience),
    trail: ({ user_id }) => is('users.id', user_id),
    told: toldOfUsers,
  },
  {
    table: 'user_emails',
    visible: (audience) =>
      sql<SqlBool>`(user_emails.user_id = ${sql.lit(audience.user_id)} or (user_emails.main = 1 and ${seenMember('user_emails.user_id', audience)}))`,
    told: toldOfEmails,
  },
  {
    table: 'memberships',
    subject: 'Membership',
    visible: ({ member_of }) => among('memberships.organization_id', member_of),
    trail: ({ reviews }) => among('memberships.organization_id', reviews),
  },
  {
    table: 'tags',
    subject: 'Tag',
    visible: ({ member_of }) => among('tags.organization_id', member_of),
    trail: ({ reviews }) => among('tags.organization_id', reviews),
    links: { table: 'tag_restrictions', column: 'tag_id', rows: tellRestrictions },
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
    seenIn: ({ manages }) => manages,
    told: toldOfCards,
  },
  { table: 'pre_expenses', subject: 'PreExpense', visible: ({ user_id }) => is('pre_expenses.receiver_id', user_id) },
  {
    table: 'reimbursements',
    subject: 'Reimbursement',
    visible: seenReimbursement,
    seenIn: reviewed,
    links: { table: 'reimbursement_tags', column: 'reimbursement_id' },
  },
  {
    table: 'advancements',
    subject: 'Advancement',
    visible: seenAdvancement,
    seenIn: reviewed,
    links: { table: 'advancement_tags', column: 'advancement_id' },
  },
  {
    table: 'advancement_devolutions',
    subject: 'AdvancementDevolution',
    visible: ({ reviews, user_id }) =>
      any(among('advancement_devolutions.payer_id', reviews), is('advancement_devolutions.receiver_id', user_id)),
    seenIn: reviewed,
  },
  {
    table: 'expenses',
    subject: 'Expense',
    visible: seenExpense,
    seenIn: reviewed,
    links: { table: 'expense_tags', column: 'expense_id' },
    told: toldOfExpenses,
  },
  {
    table: 'accountabilities',
    subject: 'Accountability',
    visible: seenAccountability,
    seenIn: reviewed,
    links: {
      table: 'accountability_expenses',
      column: 'accountability_id',
      // Whoever sees an accountability sees of its expenses those that are theirs to see, and of these none that are deleted.
      rows: (audience, owners) => sql<PlainRow>`select accountability_expenses.* from accountability_expenses
        join expenses on expenses.id = expense_id
        where accountability_id in (${owners}) and expenses.deleted_at is null and ${seenExpense(audience)}`,
    },
  },
  {
    table: 'comments',
    visible: ofParent('comments', allParents),
    seenIn: reviewed,
    links: {
      table: 'comment_mentions',
      column: 'comment_id',
      rows: (_audience, owners) => sql<PlainRow>`select comment_mentions.* from comment_mentions
        join comments on comments.id = comment_id where comment_id in (${owners}) and comments.deleted_at is null`,
    },
    withDeleted: true,
    told: toldOfComments,
  },
  { table: 'participants', visible: ofParent('participants', allParents), seenIn: reviewed },
  { table: 'attachments', visible: ofParent('attachments', ['expense_id']), seenIn: reviewed },
]

/** Tables in which replicas make records. */
const madeByReplicas = new Set([
  ...['expenses', 'comments', 'attachments', 'participants', 'reimbursements', 'advancements', 'advancement_devolutions'],
  ...['accountabilities', 'pre_expenses', 'tags'],
])

/** Whether replicas make records of a table, and lease ids of it; others are made at their remote. */
export function isMadeByReplicas(table: string): boolean {
  return madeByReplicas.has(table)
}

const byTable = new Map<string, SharedRecord>(sharedRecords.map((record) => [record.table, record]))

/** What is known of a kind of record, if replicas hold it. */
export function findSharedRecord(table: string): SharedRecord | undefined {
  return byTable.get(table)
}
