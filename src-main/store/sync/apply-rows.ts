import { sql } from 'kysely'
import type { Schema } from '#db/schema'
import type { Cell, RecordRef, TablePart } from '#shared/contract/sync'
import type { Link } from '#shared/records/definition'
import { type SharedLinkTable, type SharedRecordTable, records } from '#shared/records/index'
import { isSearched } from '../records/expenses/expense-search'
import { type SharedRecord, findSharedRecord } from './shared-records'
import type { Tx } from '../core/store'
import { forgetAddresses } from '../records/users/erased-person'
import { sharedTables } from './undo-triggers'

/** The remote's data contradict themselves; none of them were stored. */
export class UnreadableRows extends Error {}

type Columns = ReadonlyMap<string, { readonly isKey: boolean }>

interface Dependent {
  readonly table: SharedRecordTable | SharedLinkTable
  readonly column: string
  /** Whether the column is cleared and the row stays. */
  readonly isOptional: boolean
}

/** Every foreign key to a removable record, with the rows that are removed with the record and those that only name it. */
export const dependents: Readonly<Partial<Record<string, readonly Dependent[]>>> = Object.groupBy(
  records.flatMap(({ table, references, link }) => [
    ...Object.entries(references).map(([column, { to, whenGone }]) => ({ to, table, column, isOptional: whenGone === 'empty' })),
    ...(link ? pairsOf(table, link) : []),
  ]),
  ({ to }) => to,
)

function pairsOf(owner: string, link: Link & { readonly table: SharedLinkTable }) {
  const { table } = link
  return [
    { to: owner, table, column: link.owner, isOptional: false },
    { to: link.to, table, column: link.column, isOptional: false },
  ]
}

/** Tables whose rows others may still name: a row that cannot be removed keeps its name. */
const named: ReadonlySet<string> = new Set(records.flatMap(({ table, keepsName }) => (keepsName ? [table] : [])))

/** The audit trail's subjects for an organization and its own records. */
const organizationSubjects = [
  ...['Organization', 'Membership', 'Webhook'],
  ...records.flatMap(({ subject, isInOrganization }) => (subject !== undefined && isInOrganization ? [subject] : [])),
]

/** The tables that link records to tags. */
const tagTables = records.flatMap(({ link }) => (link?.to === 'tags' ? [link.table] : []))

/** The columns of a local table, by name. */
export async function columnsOf(tx: Tx, table: string): Promise<Columns> {
  const rows = await tx.writeAll(`SELECT name, pk FROM pragma_table_info(?)`, [table])
  return new Map(rows.map((row) => [String(row.name), { isKey: Number(row.pk) > 0 }]))
}

const isTable = (name: string): name is keyof Schema => name === 'blobs' || sharedTables.some((table) => table === name)

/** The rank of a table in the order of parents before children. */
function rankOf(name: string): number {
  return name === 'blobs' ? -1 : sharedTables.findIndex((table) => table === name)
}

/**
 * Writes the remote's rows over local ones, parents before children; returns the expenses among them, to be reindexed. Skips data of a newer remote
 * that this version cannot store: after an upgrade everything is sent again (`steps/handshake`). Throws {@link UnreadableRows}, and SQLite's errors
 * for violations of the schema.
 */
export async function applyRows(
  tx: Tx,
  parts: readonly TablePart[],
  { takeTurn }: { takeTurn: () => Promise<void> },
): Promise<Set<number>> {
  const expense_ids = new Set<number>()
  const known = parts.filter(({ name }) => isTable(name))
  for (const part of known.sort((a, b) => rankOf(a.name) - rankOf(b.name))) {
    const written = await applyPart(tx, part, takeTurn)
    if (part.name === 'users') for (const id of await forgetErased(tx, part)) expense_ids.add(id)
    if (part.name === 'expenses') for (const id of written) expense_ids.add(id)
    // Search finds an expense by its tags, too, and one without tags may get some.
    const owner = part.name === 'expense_tags' ? part.columns.indexOf('expense_id') : -1
    if (owner >= 0) for (const row of part.rows) expense_ids.add(Number(row[owner]))
  }
  return expense_ids
}

/** Writes a part; returns the ids of rows whose searchable values may have changed. */
async function applyPart(tx: Tx, part: TablePart, takeTurn: () => Promise<void>): Promise<number[]> {
  const known = await columnsOf(tx, part.name)
  const used = part.columns.flatMap((column, index) => (known.has(column) ? [{ column, index }] : []))
  const keys = [...known].filter(([, { isKey }]) => isKey).map(([name]) => name)
  if (!keys.every((key) => used.some(({ column }) => column === key))) throw new UnreadableRows(`${part.name} without its key`)
  const names = used.map(({ column }) => column)
  const incoming = part.rows.map((cells) => used.map(({ index }) => cells[index] ?? null))
  const idColumn = keys.join() === 'id' ? names.indexOf('id') : -1
  const idOf = (row: readonly Cell[]) => Number(row[idColumn])
  const linked = idColumn < 0 ? new Set<number>() : await dropLinks(tx, part.name, incoming.map(idOf))
  const present =
    idColumn < 0 ? new Map<number, readonly Cell[]>() : await readPresent(tx, { table: part.name, names, ids: incoming.map(idOf) })
  const reworded = [...linked]
  for (const row of incoming) {
    const before = present.get(idOf(row))
    if (!before) continue
    const changed = names.filter((_, index) => row[index] !== before[index])
    if (changed.some(isSearched)) reworded.push(idOf(row))
    if (changed.length > 0)
      await updateRow(tx, part.name, { id: idOf(row), changed, values: changed.map((name) => row[names.indexOf(name)] ?? null) })
    await takeTurn()
  }
  const fresh = incoming.filter((row) => !present.has(idOf(row)))
  await insertRows(tx, { table: part.name, names, keys, rows: fresh, takeTurn })
  if (part.name === 'tags') await dropTakenOff(tx, part)
  return idColumn < 0 ? [] : [...reworded, ...fresh.map(idOf)]
}

/** Removes the links of some records, which are sent again with them; returns the records that had any. */
async function dropLinks(tx: Tx, table: string, ids: readonly number[]): Promise<Set<number>> {
  const links = findSharedRecord(table)?.links
  if (!links) return new Set()
  const among = `FROM ${links.table} WHERE ${links.column} IN (SELECT value FROM json_each(?))`
  const text = JSON.stringify(ids)
  const owners = await tx.writeAll(`SELECT DISTINCT ${links.column} AS id ${among}`, [text])
  if (owners.length > 0) await tx.write(`DELETE ${among}`, [text])
  return new Set(owners.map(({ id }) => Number(id)))
}

/** The local rows, by id. */
async function readPresent(
  tx: Tx,
  { table, names, ids }: { table: string; names: readonly string[]; ids: readonly number[] },
): Promise<Map<number, readonly Cell[]>> {
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const { rows } = await tx.cells(
    sql`select ${columns} from ${sql.table(table)} where id in (select value from json_each(${JSON.stringify(ids)}))`,
  )
  const idColumn = names.indexOf('id')
  return new Map(rows.map((row) => [Number(row[idColumn]), row]))
}

/** Writes only values that differ: SQLite updates every index of a column that a statement names, even if its value stays. */
async function updateRow(
  tx: Tx,
  table: string,
  { id, changed, values }: { id: number; changed: readonly string[]; values: readonly Cell[] },
) {
  await tx.write(`UPDATE ${table} SET ${changed.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`, [...values, id])
}

interface Insert {
  readonly table: string
  readonly names: readonly string[]
  readonly keys: readonly string[]
  readonly rows: ReadonlyArray<readonly Cell[]>
  readonly takeTurn: () => Promise<void>
}

async function insertRows(tx: Tx, { table, names, keys, rows, takeTurn }: Insert): Promise<void> {
  const sets = names.filter((name) => !keys.includes(name)).map((name) => `${name} = excluded.${name}`)
  const conflict = `ON CONFLICT (${keys.join(', ')}) DO ${sets.length === 0 ? 'NOTHING' : `UPDATE SET ${sets.join(', ')}`}`
  const row = `(${places(names.length)})`
  for (const part of statementsOf(rows)) {
    await tx.write(`INSERT INTO ${table} (${names.join(', ')}) VALUES ${part.map(() => row).join(', ')} ${conflict}`, part.flat())
    await takeTurn()
  }
}

const places = (count: number) => '?, '.repeat(count - 1) + '?'

/** Rows per statement: on a table with many indexes, beginning a statement costs as much as a row. */
const statementRows = [20, 5, 1]

function* statementsOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0, length = 0; start < rows.length; start += length) {
    length = statementRows.find((one) => one <= rows.length - start) ?? 1
    yield rows.slice(start, start + length)
  }
}

/** Removes deleted tags from what carried them, which is not a change of those records. */
async function dropTakenOff(tx: Tx, { columns, rows }: TablePart): Promise<void> {
  const [id, deleted] = [columns.indexOf('id'), columns.indexOf('deleted_at')]
  for (const row of rows)
    if (row[deleted] !== null) for (const table of tagTables) await tx.write(`DELETE FROM ${table} WHERE tag_id = ?`, [row[id]])
}

/** Erases local addresses of people who were erased. Returns their expenses, to be reindexed by the new name. */
async function forgetErased(tx: Tx, { columns, rows }: TablePart): Promise<number[]> {
  const [id, deleted] = [columns.indexOf('id'), columns.indexOf('deleted_at')]
  const expense_ids: number[] = []
  for (const row of rows) {
    if (row[deleted] === null || row[deleted] === undefined) continue
    await forgetAddresses(tx, Number(row[id]))
    const own = await tx.writeAll('SELECT id FROM expenses WHERE receiver_id = ?', [row[id]])
    expense_ids.push(...own.map((expense) => Number(expense.id)))
  }
  return expense_ids
}

/** Removes records that this device may no longer see, with everything that depends on them. Returns the expenses among them. */
export async function removeRecords(tx: Tx, refs: ReadonlyArray<Pick<RecordRef, 'table' | 'id'>>): Promise<Set<number>> {
  const expense_ids = new Set<number>()
  for (const { table, id } of refs) {
    const record = findSharedRecord(table)
    if (!record) continue
    if (table === 'expenses') expense_ids.add(id)
    await removeRecord(tx, record, id)
  }
  return expense_ids
}

async function removeRecord(tx: Tx, { table, subject }: SharedRecord, id: number): Promise<void> {
  if (named.has(table)) return removeUnlessNamed(tx, table, id)
  for (const { table: other, column, isOptional } of dependents[table] ?? []) {
    if (isOptional) await tx.write(`UPDATE ${other} SET ${column} = NULL WHERE ${column} = ?`, [id])
    else if (findSharedRecord(other)) {
      const children = await tx.writeAll(`SELECT id FROM ${other} WHERE ${column} = ?`, [id])
      await removeRecords(
        tx,
        children.map((child) => ({ table: other, id: Number(child.id) })),
      )
    } else await tx.write(`DELETE FROM ${other} WHERE ${column} = ?`, [id])
  }
  if (subject) await tx.write('DELETE FROM activities WHERE subject_type = ? AND subject_id = ?', [subject, id])
  await tx.write(`DELETE FROM ${table} WHERE id = ?`, [id])
}

/** Removes a person or an organization. If others still name it, keeps only its name. */
async function removeUnlessNamed(tx: Tx, table: string, id: number): Promise<void> {
  if (table === 'organizations')
    await tx.write(
      `DELETE FROM activities WHERE organization_id = ? AND subject_type IN (${organizationSubjects.map(() => '?').join(', ')})`,
      [id, ...organizationSubjects],
    )
  if (table !== 'users' && !(await isNamed(tx, table, id))) await tx.write(`DELETE FROM ${table} WHERE id = ?`, [id])
}

/** Whether a row of any shared table refers to this record. */
async function isNamed(tx: Tx, table: string, id: number): Promise<boolean> {
  for (const other of sharedTables) {
    const keys = await tx.writeAll('SELECT "table" AS parent, "from" AS name FROM pragma_foreign_key_list(?)', [other])
    for (const { name } of keys.filter(({ parent }) => parent === table))
      if ((await tx.writeAll(`SELECT 1 AS found FROM ${other} WHERE ${String(name)} = ? LIMIT 1`, [id])).length > 0) return true
  }
  return false
}
