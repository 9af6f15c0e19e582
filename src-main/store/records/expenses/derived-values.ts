import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isCurrency } from '#shared/domain/currencies'
import { toScaled } from '#shared/domain/money'
import { findRecord, records } from '#shared/records/index'
import { reindexExpense } from './expense-search'
import type { Reader, Tx } from '../../core/store'

/**
 * Derived values that are stored for speed: counts, amounts in the common scale and the search index. They are written in the transaction of their
 * sources; this file finds and repairs wrong ones.
 */
interface DerivedColumn {
  readonly table: string
  readonly column: string
  readonly value: RawBuilder<number>
}

const counted = records.flatMap(({ table, subject, counts = [] }) => counts.map((count) => ({ table, subject, count })))

const scaled = records.flatMap(({ table, attributes = {} }) =>
  Object.entries(attributes).flatMap(([amount, attribute]) =>
    attribute.kind === 'amount' ? [{ table, amount, currency: attribute.currency }] : [],
  ),
)

function countOf({ table, subject, count }: (typeof counted)[number]): RawBuilder<number> {
  const id = sql.ref(`${table}.id`)
  if (count === 'activities') return sql`(select count(*) from activities where subject_type = ${subject} and subject_id = ${id})`
  const [parent = ''] = Object.entries(findRecord(count)?.references ?? {}).find(([, { to }]) => to === table) ?? []
  return sql`(select count(*) from ${sql.table(count)} where ${sql.ref(parent)} = ${id} and deleted_at is null)`
}

async function derivedColumns(reader: Reader): Promise<DerivedColumn[]> {
  const columns: DerivedColumn[] = counted.map((one) => ({ table: one.table, column: `${one.count}_count`, value: countOf(one) }))
  for (const { table, amount, currency } of scaled) {
    const { rows } = await sql<{
      code: string
    }>`select distinct ${sql.ref(currency)} as code from ${sql.table(table)} where ${sql.ref(currency)} is not null`.execute(reader.db)
    const cases = rows.filter(({ code }) => isCurrency(code)).map(({ code }) => sql`when ${code} then ${sql.lit(toScaled(1, code))}`)
    if (cases.length === 0) continue
    const factor = sql`case ${sql.ref(currency)} ${sql.join(cases, sql` `)} end`
    columns.push({ table, column: `${amount}_scaled`, value: sql`${sql.ref(`${amount}_minor`)} * ${factor}` })
  }
  return columns
}

function differs({ column, value }: DerivedColumn): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} is distinct from ${value}`
}

/** Lists wrong derived values, one line each; empty if all are right. */
export async function listDerivedProblems(reader: Reader): Promise<string[]> {
  const problems: string[] = []
  for (const derived of await derivedColumns(reader)) {
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(derived.table)} where ${differs(derived)} limit 1000`.execute(
      reader.db,
    )
    if (rows.length > 0)
      problems.push(`${derived.column} is wrong in ${rows.length} of ${derived.table}, the first with id ${rows[0]?.id ?? ''}.`)
  }
  return [...problems, ...(await listSearchProblems(reader))]
}

async function findSearchFaults({ db }: Reader): Promise<{ missing: number[]; extra: number[] }> {
  const idsOf = async (query: RawBuilder<{ id: number }>) => (await query.execute(db)).rows.map(({ id }) => id)
  return {
    missing: await idsOf(sql`select id from expenses where deleted_at is null and id not in (select rowid from expense_search)`),
    extra: await idsOf(sql`select rowid as id from expense_search where rowid not in (select id from expenses where deleted_at is null)`),
  }
}

async function listSearchProblems(reader: Reader): Promise<string[]> {
  const { missing, extra } = await findSearchFaults(reader)
  return [
    ...(missing.length > 0 ? [`${missing.length} expenses are missing from the search index, the first with id ${missing[0] ?? ''}.`] : []),
    ...(extra.length > 0
      ? [`The search index names ${extra.length} expenses that are not there, the first with id ${extra[0] ?? ''}.`]
      : []),
  ]
}

/** Derives everything again. Versions stay: no entered data has changed. */
export async function mendDerived(tx: Tx): Promise<void> {
  for (const derived of await derivedColumns(tx))
    await sql`update ${sql.table(derived.table)} set ${sql.ref(derived.column)} = ${derived.value} where ${differs(derived)}`.execute(tx.db)
  const { missing, extra } = await findSearchFaults(tx)
  for (const id of [...missing, ...extra]) reindexExpense(tx, id)
}
