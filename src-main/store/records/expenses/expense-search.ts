import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { foldWord } from '#shared/domain/search-words'
import { attributesWith } from '#shared/records/attributes'
import { expense } from '#shared/records/expense'
import { amountText } from '../../core/amount-text'
import { listed, perDialect } from '../../core/dialect'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'
import { listUsersByIds } from '../users/user-reader'
import { type SearchTerm, readSearch } from './search-terms'

/** The words of a text in order, as SQLite's tokenizer `unicode61` splits them, without accents and case. */
function wordsOf(text: string): string[] {
  return foldWord(text)
    .split(/[^\p{L}\p{N}\p{Co}]+/u)
    .filter(Boolean)
}

/** PostgreSQL's highest position of a word. */
const lastPlace = 16_383

/** A text as a `tsvector`: each word with its position. */
function toWordPlaces(text: string): string {
  return wordsOf(text)
    .map((word, index) => `'${word}':${Math.min(index + 1, lastPlace)}`)
    .join(' ')
}

/** A word or phrase as a `tsquery`: its words are adjacent, and the last is a prefix. */
function toPrefix(phrase: string): string {
  const words = wordsOf(phrase)
  return words.length === 0 ? '' : `(${words.map((word) => `'${word}'`).join(' <-> ')}:*)`
}

/** The full-text index of expenses: SQLite's FTS5, or on PostgreSQL a `tsvector` of words that JavaScript has folded. */

/** Expenses to reindex before other work gets a turn. */
const pageLength = 100

const searchedTexts = attributesWith(expense.attributes, 'isSearched').map(([name]) => name)

const among = (ids: RawBuilder<string>) => sql<number>`(${listed(ids)})`

const deleteTexts = statement<{ ids: string }, unknown>((db, p) => db.deleteFrom('expense_search').where('rowid', 'in', among(p('ids'))))
const insertTexts = statement<{ ids: string }, unknown>((db, p) => {
  const tags = sql`(select group_concat(name, char(10)) from expense_tags join tags on tags.id = tag_id
    where expense_id = expenses.id and tags.deleted_at is null)`
  const texts = db
    .selectFrom('expenses')
    .innerJoin('users', 'users.id', 'expenses.receiver_id')
    .select([
      'expenses.id',
      sql<string>`concat_ws(char(10), ${sql.join(searchedTexts.map((column) => sql.ref(`expenses.${column}`)))}, first_name, last_name,
        amount_text(amount_minor, currency), ${tags})`.as('text'),
    ])
    .where('expenses.id', 'in', among(p('ids')))
    .where('expenses.deleted_at', 'is', null)
    .orderBy('expenses.id')
  return db.insertInto('expense_search').columns(['rowid', 'text']).expression(texts)
})
/** An expense and its searchable texts, for words made in JavaScript. */
type Indexed = Pick<Row<'expenses'>, 'id' | 'amount_minor' | 'currency'> & { readonly texts: string }

const listTexts = statement<{ ids: string }, Indexed>((db, p) => {
  const tags = sql`(select string_agg(name, chr(10)) from expense_tags join tags on tags.id = tag_id
    where expense_id = expenses.id and tags.deleted_at is null)`
  const columns = sql.join(searchedTexts.map((column) => sql.ref(`expenses.${column}`)))
  return db
    .selectFrom('expenses')
    .innerJoin('users', 'users.id', 'expenses.receiver_id')
    .select(['expenses.id', 'amount_minor', 'currency'])
    .select(sql<string>`concat_ws(chr(10), ${columns}, first_name, last_name, ${tags})`.as('texts'))
    .where('expenses.id', 'in', among(p('ids')))
    .where('expenses.deleted_at', 'is', null)
})

const listTagged = statement<{ tag_id: number }, { expense_id: number }>((db, p) =>
  db.selectFrom('expense_tags').select('expense_id').where('tag_id', '=', p('tag_id')),
)

/** An expense's own searchable columns. */
const searched = [...searchedTexts, 'amount_minor', 'currency', 'receiver_id'] as const

const searchedNames: ReadonlySet<string> = new Set([...searched, 'deleted_at'])

/** Whether a column is searchable. */
export function isSearched(column: string): boolean {
  return searchedNames.has(column)
}

/** Whether an expense's searchable values have changed. */
export function isReworded(before: Row<'expenses'>, after: Row<'expenses'>): boolean {
  return searched.some((column) => before[column] !== after[column])
}

/** Reindexes an expense when the transaction ends; its version stays. All are reindexed together, as SQLite flushes the index at every savepoint. */
export function reindexExpense(tx: Tx, expense_id: number): void {
  tx.deriveLater(indexExpenses, expense_id)
}

/** Reindexes the expenses that carry a tag when the transaction ends. */
export async function reindexTagged(tx: Tx, tag_id: number): Promise<void> {
  for (const { expense_id } of await tx.all(listTagged, { tag_id })) reindexExpense(tx, expense_id)
}

/** Reindexes in pages: a tag may be on most expenses of an organization, and reads get turns in between. */
async function indexExpenses(tx: Tx, expense_ids: readonly number[]): Promise<void> {
  // In ascending order: each step back makes the index flush.
  const sorted = expense_ids.toSorted((a, b) => a - b)
  for (let start = 0; start < sorted.length; start += pageLength) {
    if (start > 0) await nextTurn()
    const ids = JSON.stringify(sorted.slice(start, start + pageLength))
    if (tx.dialect === 'sqlite') {
      await tx.run(deleteTexts, { ids })
      await tx.run(insertTexts, { ids })
    } else await indexWords(tx, ids)
  }
}

async function indexWords(tx: Tx, ids: string): Promise<void> {
  tx.post('DELETE FROM expense_search WHERE rowid IN (SELECT value::bigint FROM json_array_elements_text(CAST(? AS json)))', [ids])
  postWords(tx, await tx.all(listTexts, { ids }))
}

function postWords(tx: Tx, expenses: readonly Indexed[]): void {
  if (expenses.length === 0) return
  const values = expenses.flatMap(({ id, amount_minor, currency, texts }) => [
    id,
    toWordPlaces(`${texts}\n${amountText(amount_minor, currency)}`),
  ])
  const places = expenses.map(() => '(CAST(? AS bigint), CAST(? AS tsvector))').join(', ')
  tx.post(`INSERT INTO expense_search (rowid, words) VALUES ${places}`, values)
}

/** Indexes new expenses with their tags. PostgreSQL gets the words of what was just stored, and nothing is read again. */
export async function indexNewExpenses(
  tx: Tx,
  expenses: ReadonlyArray<{ readonly row: Row<'expenses'>; readonly tags: ReadonlyArray<Row<'tags'>> }>,
): Promise<void> {
  if (tx.dialect === 'sqlite') {
    for (const { row } of expenses) reindexExpense(tx, row.id)
    return
  }
  const receivers = await listUsersByIds(tx, [...new Set(expenses.map(({ row }) => row.receiver_id))])
  const names = new Map(receivers.map(({ id, first_name, last_name }) => [id, [first_name, last_name]]))
  const indexed = expenses.map(({ row, tags }) => {
    const texts = [...searchedTexts.map((column) => row[column]), ...(names.get(row.receiver_id) ?? []), ...tags.map(({ name }) => name)]
    return { ...row, texts: texts.filter((text) => text !== null).join('\n') }
  })
  postWords(tx, indexed)
}

/**
 * The condition that expenses match a search: they have every word, or a word that begins with it, ignoring accents and case. A number, an amount or
 * a day may also match theirs.
 */
export function matchesSearch(search: string): RawBuilder<SqlBool> {
  const terms = readSearch(search)
  return terms.length === 0 ? sql`1 = 0` : sql`(${sql.join(terms.map(meets), sql` and `)})`
}

function meets({ words, id, phrases = [], day }: SearchTerm): RawBuilder<SqlBool> {
  const texts = [words.map((word) => `"${word}"*`).join(' '), ...phrases.map((phrase) => `"${phrase}"*`)]
  const match = texts.map((text) => `(${text})`).join(' OR ')
  const asked = [words.map(toPrefix).filter(Boolean).join(' & '), ...phrases.map(toPrefix)].filter(Boolean).map((text) => `(${text})`)
  const found = [
    perDialect<unknown>({
      sqlite: sql`select rowid from expense_search where expense_search match ${match}`,
      postgres: sql`select rowid from expense_search where words @@ cast(${asked.join(' | ')} as tsquery)`,
    }),
  ]
  if (id !== undefined) found.push(sql`select cast(${id} as bigint)`)
  if (day?.year !== undefined) {
    const start = `${day.year}-${day.month}-${day.day}`
    found.push(sql`select id from expenses where occurred_at >= ${start} and occurred_at < ${`${start}U`}`)
  } else if (day) found.push(sql`select id from expenses where substr(occurred_at, 6, 5) = ${`${day.month}-${day.day}`}`)
  // Each part uses its own index; with OR it would be a scan.
  return sql<SqlBool>`expenses.id in (${sql.join(found, sql` union all `)})`
}
