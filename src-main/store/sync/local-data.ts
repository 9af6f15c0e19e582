import { sql } from 'kysely'
import type { RecordTable, Row } from '#db/schema'
import type { Reader } from '../core/store'

/** People's data in an instance that is about to get a remote: existing rows, oldest first, with dependent rows. */
export interface LocalData extends LocalRecords {
  /** The first user, who set the instance up. */
  readonly first_user_id: number | undefined
  /** Whether a tag is restricted to some people. */
  isRestricted(tag_id: number): boolean
  /** The names of a record's tags, in their order. */
  tagsOf(record: TaggedRecord): string[]
  commentsOf(record: TaggedRecord): ReadonlyArray<Row<'comments'>>
  attachmentsOf(expense_id: number): ReadonlyArray<Row<'attachments'>>
  /** The `uid`s of an accountability's expenses. */
  expensesOf(accountability_id: number): string[]
}

type LocalRecords = Awaited<ReturnType<typeof readRecords>>

/** A record that can have tags and comments. */
export interface TaggedRecord {
  readonly kind: 'expense' | 'advancement'
  readonly id: number
}

/** Reads everything that an instance is about to offer to its remote. */
export async function readLocalData(reader: Reader): Promise<LocalData> {
  const { db } = reader
  const restricted = new Set((await db.selectFrom('tag_restrictions').select('tag_id').execute()).map(({ tag_id }) => tag_id))
  const tagNames = { expense: await readTagNames(reader, 'expense'), advancement: await readTagNames(reader, 'advancement') }
  const comments = await readLive(reader, 'comments')
  const commentsOf = {
    expense: Map.groupBy(comments, ({ expense_id }) => expense_id),
    advancement: Map.groupBy(comments, ({ advancement_id }) => advancement_id),
  }
  const attachmentsOf = Map.groupBy(await readLive(reader, 'attachments'), ({ expense_id }) => expense_id)
  const joined = await db
    .selectFrom('accountability_expenses')
    .innerJoin('expenses', 'expenses.id', 'expense_id')
    .select(['accountability_id', 'expenses.uid'])
    .where('expenses.deleted_at', 'is', null)
    .orderBy('expenses.id')
    .execute()
  const expensesOf = Map.groupBy(joined, ({ accountability_id }) => accountability_id)
  const [first] = await readLive(reader, 'users')
  return {
    ...(await readRecords(reader)),
    first_user_id: first?.id,
    isRestricted: (tag_id) => restricted.has(tag_id),
    tagsOf: ({ kind, id }) => (tagNames[kind].get(id) ?? []).map(({ name }) => name),
    commentsOf: ({ kind, id }) => commentsOf[kind].get(id) ?? [],
    attachmentsOf: (expense_id) => attachmentsOf.get(expense_id) ?? [],
    expensesOf: (accountability_id) => (expensesOf.get(accountability_id) ?? []).map(({ uid }) => uid),
  }
}

async function readRecords(reader: Reader) {
  return {
    tags: await readLive(reader, 'tags'),
    pre_expenses: await readLive(reader, 'pre_expenses'),
    expenses: await readLive(reader, 'expenses'),
    advancements: await readLive(reader, 'advancements'),
    devolutions: await readLive(reader, 'advancement_devolutions'),
    reimbursements: await readLive(reader, 'reimbursements'),
    accountabilities: await readLive(reader, 'accountabilities'),
    corporative_cards: await readLive(reader, 'corporative_cards'),
    distance_rules: await readLive(reader, 'distance_rules'),
    webhooks: await readLive(reader, 'webhooks'),
  }
}

async function readLive<T extends RecordTable>({ db }: Reader, table: T): Promise<Array<Row<T>>> {
  const { rows } = await sql<Row<T>>`select * from ${sql.table(table)} where deleted_at is null order by id`.execute(db)
  return rows
}

async function readTagNames({ db }: Reader, kind: TaggedRecord['kind']) {
  const of = sql.ref(`${kind}_id`)
  const { rows } = await sql<{ id: number; name: string }>`select ${of} as id, name from ${sql.table(`${kind}_tags`)}
    join tags on tags.id = tag_id order by ${of}, position`.execute(db)
  return Map.groupBy(rows, ({ id }) => id)
}

/** Whether an instance holds any user's data. */
export async function hasAnything({ db }: Reader): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).execute()).length > 0
}
