import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Connections, closeDatabase, openDatabase } from '#main/store/core/database'
import { integrityProblems, problemsOfFile } from '#main/store/core/integrity'
import { registerRowSum } from '#main/store/core/row-sums'
import { makeOldFolder, schemas } from '#test/support/old-schema'

let folder: string
let file: string
let connections: Connections
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'outlay-sums-'))
  file = join(folder, 'outlay.db')
  await makeOldFolder(folder, { schema: 6, expenses: 100 })
  connections = await openDatabase(folder, { isOwner: false })
})
afterEach(async () => {
  await closeDatabase(connections, { isOwner: false })
  rmSync(folder, { recursive: true, force: true })
})

const problems = () => integrityProblems(connections.reader.raw)

test('an upgrade sums what is there, and each kind of write keeps the sums', () => {
  const { raw } = connections.writer
  expect(Number(raw.pragma('user_version', { simple: true }))).toBe(schemas)
  expect(problems()).toEqual([])
  const writes = [
    "UPDATE expenses SET description = 'Bus', latitude = 0.1 + 0.2, longitude = -1e-300 WHERE id < 40",
    'UPDATE expenses SET comments_count = 9 WHERE id = 3',
    'UPDATE expenses SET id = 5000, comments_count = 0 WHERE id = 7',
    'DELETE FROM expenses WHERE id > 90 AND id < 200',
    "INSERT OR IGNORE INTO blobs VALUES ('ab', 1, 'md5', 'text/xml', NULL, NULL, NULL, 'now')",
    "INSERT OR IGNORE INTO blobs VALUES ('ab', 2, 'md5', 'text/xml', NULL, NULL, NULL, 'now')",
    "INSERT INTO user_emails (user_id, email, main, created_at) VALUES (1, 'a@b.c', 0, 'x') ON CONFLICT (email) DO UPDATE SET main = 1",
    "INSERT INTO user_emails (user_id, email, main, created_at) VALUES (1, 'a@b.c', 0, 'x') ON CONFLICT (email) DO UPDATE SET main = 1",
    "INSERT INTO tags (id, uid, created_at, updated_at, organization_id, name, name_key) VALUES (1, 't', 'n', 'n', 1, 'A' || char(0) || 'B', 'a')",
    'INSERT INTO expense_tags VALUES (1, 1, 0), (2, 1, 0)',
    'UPDATE expense_tags SET position = 4 WHERE expense_id = 2',
    'DELETE FROM blobs',
    'VACUUM',
  ]
  for (const write of writes) {
    raw.exec(write)
    expect({ write, problems: problems() }).toEqual({ write, problems: [] })
  }
  raw.exec("BEGIN; UPDATE expenses SET description = 'Gone'; SAVEPOINT a; DELETE FROM expense_tags; ROLLBACK TO a; ROLLBACK")
  expect(problems()).toEqual([])
})

test('what was changed past Outlay is found, and stays found when the row is written again', () => {
  const other = new Database(file)
  other.exec("UPDATE expenses SET description = 'Taxj 20' WHERE id = 20")
  other.close()
  const found = ['A row of expenses with ids 16 to 31 is not as Outlay wrote it. Restore a snapshot or a backup.']
  expect(problems()).toEqual(found)
  connections.writer.raw.exec('UPDATE expenses SET amount_minor = 5 WHERE id = 20')
  expect(problems()).toEqual(found)
})

test('a change log in which a bit flipped, that lacks a row or is empty is found', () => {
  const { raw } = connections.writer
  const row = (id: number) =>
    `INSERT INTO change_log (nonce, organization_id, table_name, record_id, record_uid, version, operation, changed, created_at)
     VALUES ('n', 1, 'expenses', ${id}, 'uid ${id}', 1, 'update', '["amount_minor"]', 'now')`
  for (let id = 1; id <= 40; id += 1) raw.exec(row(id))
  expect(problems()).toEqual([])
  for (const damage of [
    `UPDATE change_log SET changed = '["amount_minos"]' WHERE seq = 20`,
    'DELETE FROM change_log WHERE seq = 20',
    'DELETE FROM change_log',
  ]) {
    const other = new Database(file)
    registerRowSum(other)
    other.exec(`BEGIN; ${damage}`)
    expect(integrityProblems(other)).toContainEqual(expect.stringContaining('A row of change_log'))
    other.exec('ROLLBACK')
    other.close()
  }
})

test('no bit of a text, an amount or a place can flip unseen', async () => {
  connections.writer.raw.exec(
    "UPDATE expenses SET description = 'Lunch with the auditors ' || id, location = 'Copacabana', latitude = -22.97, amount_minor = 123456",
  )
  await closeDatabase(connections, { isOwner: false })
  const content = readFileSync(file)
  const spoiled = join(folder, 'spoiled.db')
  copyFileSync(file, spoiled)
  const opened = openSync(spoiled, 'r+')
  const put = (at: number, byte: number) => writeSync(opened, Uint8Array.of(byte), 0, 1, at)
  const rows = (path: string) => {
    const raw = new Database(path, { readonly: true })
    try {
      return JSON.stringify(raw.prepare('SELECT * FROM expenses NOT INDEXED ORDER BY id').all())
    } catch {
      return 'unreadable'
    } finally {
      raw.close()
    }
  }
  const whole = rows(file)
  let changed = 0
  const missed: string[] = []
  for (let at = 8192; at < content.length; at += 1 + Math.floor(content.length / 400)) {
    const bit = 1 << (at % 8)
    const byte = content[at] ?? 0
    put(at, byte ^ bit)
    if (rows(spoiled) !== whole) {
      changed += 1
      if (problemsOfFile(spoiled).length === 0) missed.push(`byte ${at}, bit ${bit}`)
    }
    put(at, byte)
  }
  closeSync(opened)
  connections = await openDatabase(folder, { isOwner: false })
  expect(changed).toBeGreaterThan(10)
  expect(missed).toEqual([])
})
