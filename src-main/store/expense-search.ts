import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { statement } from './statement'
import type { Tx } from './store'

/** The full-text index of expenses: what SQLite alone has (FTS5) is kept in this file. */
const insertText = statement<{ rowid: number; text: string }, unknown>((db, p) =>
  db.insertInto('expense_search').values({ rowid: p('rowid'), text: p('text') }),
)
const deleteText = statement<{ rowid: number }, unknown>((db, p) =>
  db.deleteFrom('expense_search').where('rowid', '=', p('rowid')),
)

/** Makes an expense findable by these texts, instead of those it was found by before. */
export async function indexExpense(tx: Tx, id: number, texts: ReadonlyArray<string | null>): Promise<void> {
  await tx.run(deleteText, { rowid: id })
  await tx.run(insertText, { rowid: id, text: texts.filter(Boolean).join('\n') })
}

/** Makes an expense unfindable. */
export async function unindexExpense(tx: Tx, id: number): Promise<void> {
  await tx.run(deleteText, { rowid: id })
}

/** Expenses in which every word stands, or begins a word, accents and case aside. */
export function matchesSearch(search: string): RawBuilder<SqlBool> {
  const words = search.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  if (words.length === 0) return sql`1 = 0`
  const match = words.map((word) => `"${word}"*`).join(' ')
  return sql`expenses.id in (select rowid from expense_search where expense_search match ${match})`
}
