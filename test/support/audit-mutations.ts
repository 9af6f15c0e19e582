import { readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Tx } from '#main/store/core/store'
import type { Random } from '#test/simulation/random'
import { deferGuards } from './databases/without-guards'

/** One change of a database, as someone with the file would make it; says what it did. */
type Mutation = (tx: Tx, chance: Random) => Promise<string>

type Cells = Readonly<Record<string, unknown>>

async function pickRow(tx: Tx, chance: Random, table: string): Promise<Cells> {
  return chance.pick(await tx.writeAll(`SELECT * FROM ${table} ORDER BY 1`, []))
}

/** Another value of the same type. */
function otherValue(chance: Random, value: unknown): unknown {
  if (typeof value === 'number') return value + chance.pick([-7, -1, 1, 2, 1_000])
  if (typeof value !== 'string' || value === '') return 'x'
  const at = chance.int(value.length)
  const others = ['0', '1', 'a', 'f', 'Z', ' ', 'ç', ''].filter((one) => one !== value[at])
  return `${value.slice(0, at)}${chance.pick(others)}${value.slice(at + 1)}`
}

async function changeCell(tx: Tx, chance: Random, { table, key }: { table: string; key: string }): Promise<string> {
  const row = await pickRow(tx, chance, table)
  const columns = Object.keys(row).filter((column) => !(table === 'audit_seals' && column === 'id'))
  const column = chance.pick(columns)
  const value =
    row[column] === null
      ? /_id$/.test(column)
        ? 1
        : 'x'
      : chance.int(8) === 0 && isNullable(column)
        ? null
        : otherValue(chance, row[column])
  await tx.write(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`, [value, row[key]])
  return `${table}.${column} of ${String(row[key])}: ${String(row[column])} to ${String(value)}`
}

function isNullable(column: string): boolean {
  return ['organization_id', 'source_type', 'source_id', 'request_id', 'salt'].includes(column)
}

async function removeRow(tx: Tx, chance: Random, { table, key }: { table: string; key: string }): Promise<string> {
  const row = await pickRow(tx, chance, table)
  await tx.write(`DELETE FROM ${table} WHERE ${key} = ?`, [row[key]])
  return `${table} ${String(row[key])} deleted`
}

async function insertCopy(tx: Tx, table: string, row: Cells): Promise<void> {
  const columns = Object.keys(row)
  await tx.write(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`, Object.values(row))
}

const changeEntry: Mutation = (tx, chance) => changeCell(tx, chance, { table: 'activities', key: 'id' })
/** Records that a verification compares with the trail, and what its entries say of every expense. */
const comparedRecords = [
  ['expenses', 'Expense', ['status', 'approved_amount', 'approved_amount_currency']],
  ['reimbursements', 'Reimbursement', []],
  ['advancements', 'Advancement', []],
  ['advancement_devolutions', 'AdvancementDevolution', []],
  ['closings', 'Closing', []],
] as const

/** Changes a cell of a record that an entry of the trail speaks of, or deletes the record, as a program other than Outlay would. */
const changeRecord: Mutation = async (tx, chance) => {
  const [table, subject, always] = chance.pick(comparedRecords)
  const row = await pickRow(tx, chance, table)
  const entries = await tx.writeAll('SELECT details FROM activities WHERE subject_type = ? AND subject_id = ? AND source_type IS NULL', [
    subject,
    row.id,
  ])
  const named = entries.flatMap(({ details }) => z.array(z.object({ attribute: z.string() })).parse(JSON.parse(String(details))))
  const said = [...always, ...named.map(({ attribute }) => attribute)].flatMap((name) => [name, `${name}_minor`, `${name}_scaled`])
  const column = chance.pick([...new Set([...said, 'deleted_at'])].filter((one) => one in row))
  const value = row[column] === null ? (/_minor$/.test(column) ? 1 : 'x') : otherValue(chance, row[column])
  await tx.write(`UPDATE ${table} SET ${column} = ? WHERE id = ?`, [value, row.id])
  return `record ${table}.${column} of ${String(row.id)}: ${String(row[column])} to ${String(value)}`
}
const insertRecord: Mutation = async (tx, chance) => {
  const [table] = chance.pick(comparedRecords)
  const row = await pickRow(tx, chance, table)
  const own = 'external_id' in row ? { external_id: null } : {}
  await insertCopy(tx, table, { ...row, id: Number(row.id) + 1_000_000, uid: `${String(row.uid)}-copy`, ...own })
  return `record: a copy of ${table} ${String(row.id)}`
}
const deleteRecord: Mutation = async (tx, chance) =>
  `record ${await removeRow(tx, chance, { table: chance.pick(comparedRecords)[0], key: 'id' })}`
const changeSeal: Mutation = (tx, chance) => changeCell(tx, chance, { table: 'audit_seals', key: 'id' })
const changePart: Mutation = (tx, chance) => changeCell(tx, chance, { table: 'audit_parts', key: 'activity_id' })
const deleteEntry: Mutation = (tx, chance) => removeRow(tx, chance, { table: 'activities', key: 'id' })
const deleteSeal: Mutation = (tx, chance) => removeRow(tx, chance, { table: 'audit_seals', key: 'id' })
const deletePart: Mutation = (tx, chance) => removeRow(tx, chance, { table: 'audit_parts', key: 'activity_id' })

/** Puts a copy of an entry before another; those after it move up. */
const insertEntry: Mutation = async (tx, chance) => {
  const [row, before] = [await pickRow(tx, chance, 'activities'), await pickRow(tx, chance, 'activities')]
  await tx.write('UPDATE activities SET id = -id - 1 WHERE id >= ?', [before.id])
  await tx.write('UPDATE activities SET id = -id WHERE id < 0', [])
  await insertCopy(tx, 'activities', { ...row, id: before.id, uid: `copy-${String(row.uid)}` })
  return `a copy of entry ${String(row.id)} before ${String(before.id)}`
}

const swapEntries: Mutation = async (tx, chance) => {
  const [one, other] = [await pickRow(tx, chance, 'activities'), await pickRow(tx, chance, 'activities')]
  if (one.id === other.id) return changeEntry(tx, chance)
  await tx.write('UPDATE activities SET id = -1 WHERE id = ?', [one.id])
  await tx.write('UPDATE activities SET id = ? WHERE id = ?', [one.id, other.id])
  await tx.write('UPDATE activities SET id = ? WHERE id = -1', [other.id])
  return `entries ${String(one.id)} and ${String(other.id)} swapped`
}

const swapSeals: Mutation = async (tx, chance) => {
  const one = await pickRow(tx, chance, 'audit_seals')
  const chain = await tx.writeAll('SELECT * FROM audit_seals WHERE organization_id = ? AND id <> ?', [one.organization_id, one.id])
  const other = chance.pick(chain)
  await tx.write('UPDATE audit_seals SET number = -1 WHERE id = ?', [one.id])
  await tx.write('UPDATE audit_seals SET number = ? WHERE id = ?', [one.number, other.id])
  await tx.write('UPDATE audit_seals SET number = ? WHERE id = ?', [other.number, one.id])
  return `seals ${String(one.number)} and ${String(other.number)} swapped`
}

const appendSeal: Mutation = async (tx, chance) => {
  const { id: _id, ...row } = await pickRow(tx, chance, 'audit_seals')
  const [last] = await tx.writeAll('SELECT max(number) AS number FROM audit_seals WHERE organization_id = ?', [row.organization_id])
  await insertCopy(tx, 'audit_seals', { ...row, number: Number(last?.number) + 1 })
  return `a copy of seal ${String(row.number)} at the end`
}

const insertPart: Mutation = async (tx, chance) => {
  const bare = await tx.writeAll('SELECT id FROM activities WHERE id NOT IN (SELECT activity_id FROM audit_parts)', [])
  const { id } = chance.pick(bare)
  await insertCopy(tx, 'audit_parts', {
    activity_id: id,
    sha256: chance.pick([null, 'ab'.repeat(32)]),
    salt: null,
    details_hash: 'cd'.repeat(32),
  })
  return `a part of entry ${String(id)}`
}

/** Cuts the end off everything, so that what is left agrees with itself: only a head that someone kept shows it. */
const cutTail: Mutation = async (tx, chance) => {
  const { last_id } = await pickRow(tx, chance, 'audit_seals')
  const [{ id: from } = { id: 0 }] = await tx.writeAll('SELECT min(id) AS id FROM activities WHERE id >= ?', [last_id])
  await tx.write('DELETE FROM audit_seals WHERE last_id >= ?', [from])
  await tx.write('DELETE FROM activities WHERE id >= ?', [from])
  await tx.write('DELETE FROM audit_parts WHERE activity_id >= ?', [from])
  return `everything from entry ${String(from)} on cut off`
}

const cutEntries: Mutation = async (tx, chance) => {
  const { id } = await pickRow(tx, chance, 'activities')
  await tx.write('DELETE FROM activities WHERE id >= ?', [id])
  return `entries from ${String(id)} on cut off`
}

const cutSeals: Mutation = async (tx, chance) => {
  const { id } = await pickRow(tx, chance, 'audit_seals')
  await tx.write('DELETE FROM audit_seals WHERE id >= ?', [id])
  return `seals from ${String(id)} on cut off`
}

const mutations: readonly Mutation[] = [
  ...[changeEntry, changeEntry, changeEntry, changeEntry, changeSeal, changeSeal, changePart, deleteEntry, deleteSeal, deletePart],
  ...[insertEntry, swapEntries, swapSeals, appendSeal, insertPart, cutTail, cutEntries, cutSeals],
  ...[changeRecord, changeRecord, changeRecord, changeRecord, changeRecord, changeRecord, insertRecord, deleteRecord],
]

/** Changes a database whose guards have been dropped at random, inside a transaction that is to be rolled back; says what was done. */
export async function mutateDatabase(tx: Tx, chance: Random): Promise<string> {
  await deferGuards(tx)
  return chance.pick(mutations)(tx, chance)
}

/** Changes bytes so that they differ. */
function changedBytes(bytes: Buffer, chance: Random): Buffer {
  const at = chance.int(bytes.length)
  const changed = Buffer.from(bytes)
  switch (chance.int(4)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([chance.int(256)]), bytes.subarray(at)])
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
    default:
      changed[at] = (changed[at] ?? 0) ^ (1 << chance.int(8))
      return changed
  }
}

/** Changes, removes, adds or swaps lines: what someone does who knows the format. */
function changedLines(bytes: Buffer, chance: Random): Buffer {
  const lines = bytes.toString('utf8').split('\n').slice(0, -1)
  const [at, to] = [chance.int(lines.length), chance.int(lines.length)]
  const line = lines[at] ?? ''
  if (chance.int(3) === 0) lines.splice(at, 1)
  else if (chance.int(2) === 0 || at === to) lines.splice(to, 0, line)
  else [lines[at], lines[to]] = [lines[to] ?? '', line]
  return Buffer.from(lines.map((one) => `${one}\n`).join(''))
}

/** Changes a file of a folder at random; returns what it did, and how to undo it. */
export function mutateFile(folder: string, chance: Random, isMeant: (name: string) => boolean): { what: string; undo: () => void } {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => isMeant(name) && statSync(join(folder, name)).isFile(),
  )
  const name = chance.pick(names.sort())
  const path = join(folder, name)
  const bytes = readFileSync(path)
  const undo = () => writeFileSync(path, bytes)
  const isList = name.endsWith('.jsonl')
  switch (chance.int(isList ? 6 : 4)) {
    case 0: {
      const to = `${path}.moved`
      renameSync(path, to)
      return { what: `${name} renamed`, undo: () => renameSync(to, path) }
    }
    case 1:
      rmSync(path)
      return { what: `${name} removed`, undo }
    case 2:
    case 3:
      return write(path, changedBytes(bytes, chance), { what: `bytes of ${name}`, undo })
    default: {
      const changed = changedLines(bytes, chance)
      return write(path, changed.equals(bytes) ? changedBytes(bytes, chance) : changed, { what: `lines of ${name}`, undo })
    }
  }
}

function write(path: string, bytes: Buffer, result: { what: string; undo: () => void }) {
  writeFileSync(path, bytes)
  return result
}
