import { RawNode, type RawBuilder, sql } from 'kysely'

/** The databases that an instance can use. */
export type Dialect = 'sqlite' | 'postgres'

/** A part of a query that differs between the two databases; each connection's compiler picks its variant. */
interface Variants extends RawNode {
  readonly variants: Readonly<Record<Dialect, RawNode>>
}

/** Makes a part of a query that differs between the databases. */
export function perDialect<T>(variants: Readonly<Record<Dialect, RawBuilder<T>>>): RawBuilder<T> {
  const nodes = { sqlite: variants.sqlite.toOperationNode(), postgres: variants.postgres.toOperationNode() }
  const node: Variants = { ...RawNode.createWithSql(''), variants: { sqlite: asRaw(nodes.sqlite), postgres: asRaw(nodes.postgres) } }
  return sql<T>`${{ isExpression: true, expressionType: undefined, toOperationNode: () => node }}`
}

function asRaw(node: ReturnType<RawBuilder<unknown>['toOperationNode']>): RawNode {
  return RawNode.is(node) ? node : RawNode.createWithChild(node)
}

/** The node that a connection's compiler visits. */
export function pickDialect(node: RawNode, dialect: Dialect): RawNode {
  return isVariants(node) ? node.variants[dialect] : node
}

function isVariants(node: RawNode): node is Variants {
  return 'variants' in node
}

/** The numbers of a JSON list as rows of a query. The list is one parameter, so one prepared query serves any length. */
export function listed(list: unknown): RawBuilder<number> {
  return perDialect({
    sqlite: sql<number>`select value from json_each(${list})`,
    postgres: sql<number>`select value::bigint from json_array_elements_text((${list})::json)`,
  })
}

/** The texts of a JSON list as rows of a query. */
export function listedTexts(list: unknown): RawBuilder<string> {
  return perDialect({
    sqlite: sql<string>`select value from json_each(${list})`,
    postgres: sql<string>`select value from json_array_elements_text((${list})::json)`,
  })
}

/** The elements of a JSON list in a column, as a table with the columns `key` and `value`; see {@link namedElements}. */
export function elements(column: string): RawBuilder<{ key: number; value: string }> {
  const list = sql.ref(column)
  return perDialect({
    sqlite: sql<{ key: number; value: string }>`json_each(${list})`,
    postgres: sql<{ key: number; value: string }>`jsonb_array_elements((${list})::jsonb) with ordinality`,
  })
}

/** The alias for a table of {@link elements}. */
export function namedElements(name: string): RawBuilder<unknown> {
  return perDialect({ sqlite: sql`${sql.ref(name)}`, postgres: sql`${sql.ref(name)} (value, key)` })
}

/** {@link elements} with an alias. */
export function elementsOf(column: string, name: string): RawBuilder<unknown> {
  return sql`${elements(column)} as ${namedElements(name)}`
}

/** A JSON list, as text, of the values that a query finds; empty if it finds none. */
export function listOf(value: RawBuilder<unknown>): RawBuilder<string> {
  return perDialect({ sqlite: sql<string>`json_group_array(${value})`, postgres: sql<string>`coalesce(json_agg(${value}), '[]')::text` })
}

/** Keeps SQLite from using an index on a column. */
export const unindexed: RawBuilder<unknown> = perDialect({ sqlite: sql`+`, postgres: sql`` })

/** The order of a column: nulls first, as in SQLite and in PostgreSQL's indexes, which would otherwise not serve the order. */
export function nullsFirst(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return perDialect({ sqlite: sql`${column}`, postgres: sql`${column} nulls first` })
}
