import { sql } from 'kysely'
import type { Row } from '#db/schema'
import type { Reader } from './store'

/** An expense with what hangs on it, as it was made before there was a remote. */
export interface LocalExpense {
  readonly expense: Row<'expenses'>
  readonly tags: readonly string[]
  readonly attachments: readonly Row<'attachments'>[]
  readonly comments: readonly string[]
}

/** Every live expense of an instance that is about to get a remote. */
export async function listLocalExpenses({ db }: Reader): Promise<LocalExpense[]> {
  const expenses = await db.selectFrom('expenses').selectAll().where('deleted_at', 'is', null).orderBy('id').execute()
  const attachments = await db.selectFrom('attachments').selectAll().where('deleted_at', 'is', null).orderBy('id').execute()
  const comments = await db
    .selectFrom('comments')
    .select(['expense_id', 'content'])
    .where('deleted_at', 'is', null)
    .where('expense_id', 'is not', null)
    .orderBy('id')
    .execute()
  const tags = await sql<{ expense_id: number; name: string }>`select expense_id, name from expense_tags
    join tags on tags.id = expense_tags.tag_id order by expense_id, position`.execute(db)
  const attachmentsOf = Map.groupBy(attachments, ({ expense_id }) => expense_id)
  const commentsOf = Map.groupBy(comments, ({ expense_id }) => expense_id)
  const tagsOf = Map.groupBy(tags.rows, ({ expense_id }) => expense_id)
  return expenses.map((expense) => ({
    expense,
    tags: (tagsOf.get(expense.id) ?? []).map(({ name }) => name),
    attachments: attachmentsOf.get(expense.id) ?? [],
    comments: (commentsOf.get(expense.id) ?? []).map(({ content }) => content),
  }))
}

/** Whether an instance holds anything of anybody's. */
export async function hasAnything({ db }: Reader): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).execute()).length > 0
}
