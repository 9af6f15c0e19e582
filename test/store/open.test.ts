import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrations } from '#db/index'
import { type Connections, closeDatabase, openDatabase } from '#main/store/core/database'
import { DatabaseError } from '#main/store/core/database-error'
import { lockDataFolder } from '#main/store/core/folder-locks'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outlay-store-'))
  file = join(folder, 'outlay.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const owner = { isOwner: true }
const end = (connections: Connections) => closeDatabase(connections, owner)
async function refusal(work: () => unknown): Promise<{ kind: string; message: string }> {
  const error = await Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
  expect(error).toBeInstanceOf(DatabaseError)
  return error as DatabaseError
}

test('both connections write ahead, sync in full and hold foreign keys', async () => {
  const connections = await openDatabase(folder, owner)
  for (const { raw } of [connections.writer, connections.reader])
    expect(['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema'].map((name) => raw.pragma(name, { simple: true }))).toEqual([
      'wal',
      2,
      1,
      0,
    ])
  // Mapped pages of what is written would count as memory of the process.
  expect(connections.writer.raw.pragma('mmap_size', { simple: true })).toBe(0)
  expect(() => connections.reader.raw.exec("INSERT INTO sync_state VALUES ('a', 'b', 'c')")).toThrow(/readonly/)
  expect(() =>
    connections.writer.raw.exec(
      "INSERT INTO api_tokens (uid, user_id, token_hash, description, created_at) VALUES ('a', 9, 'b', 'c', 'd')",
    ),
  ).toThrow(/FOREIGN KEY/)
  await end(connections)
})

test('opening again finds the same data, at the schema’s own version', async () => {
  const first = await openDatabase(folder, owner)
  first.writer.raw.exec("INSERT INTO sync_state VALUES ('a', 'b', 'c')")
  await end(first)
  const second = await openDatabase(folder, owner)
  expect(second.reader.raw.prepare('SELECT value FROM sync_state').pluck().all()).toEqual(['b'])
  expect(second.reader.raw.pragma('user_version', { simple: true })).toBe(Object.keys(migrations).length)
  await end(second)
})

test('a newer schema is rejected with an explanation, and not changed', async () => {
  await end(await openDatabase(folder, owner))
  const raw = new Database(file)
  raw.pragma('user_version = 99')
  raw.close()
  const before = readFileSync(file)
  const { kind, message } = await refusal(() => openDatabase(folder, owner))
  expect(kind).toBe('newer')
  expect(message).toMatch(/newer Outlay/)
  expect(readFileSync(file).equals(before)).toBe(true)
})

/** Fills the file, closes it as told, and spoils pages far from those that every opening reads. */
async function spoil({ isClean }: { isClean: boolean }): Promise<void> {
  const connections = await openDatabase(folder, owner)
  const insert = connections.writer.raw.prepare("INSERT INTO sync_state VALUES (?, ?, 'c')")
  for (let row = 0; row < 2000; row += 1) insert.run(`key-${row}`, 'x'.repeat(200))
  if (isClean) await end(connections)
  else {
    connections.reader.raw.close()
    connections.writer.raw.close()
  }
  const { size } = statSync(file)
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(4096 * 4, 0xa5), 0, 4096 * 4, Math.floor((size * 0.8) / 4096) * 4096)
  closeSync(descriptor)
}

describe('a damaged file', () => {
  test('that is not a database is rejected with advice', async () => {
    writeFileSync(file, 'this is a text, and no database at all. '.repeat(200))
    const { kind, message } = await refusal(() => openDatabase(folder, owner))
    expect(kind).toBe('damaged')
    expect(message).toMatch(/Restore a backup/)
  })

  test('is found after a crash, when the whole file is checked', async () => {
    await spoil({ isClean: false })
    const { kind, message } = await refusal(() => openDatabase(folder, owner))
    expect(kind).toBe('damaged')
    expect(message).toMatch(/damaged \(.+\)\. Restore a backup/)
  })

  test('costs no check when the last owner closed it cleanly', async () => {
    await spoil({ isClean: true })
    await end(await openDatabase(folder, owner))
  })
})

test('an owner that has not closed leaves its mark, and a command next to it leaves none', async () => {
  const connections = await openDatabase(folder, owner)
  const mark = () => connections.reader.raw.prepare("SELECT value FROM instance_settings WHERE key = 'closed_cleanly'").pluck().get()
  expect(mark()).toBe('no')
  const command = await openDatabase(folder, { isOwner: false })
  await closeDatabase(command, { isOwner: false })
  expect(mark()).toBe('no')
  await end(connections)
  const raw = new Database(file)
  expect(raw.prepare("SELECT value FROM instance_settings WHERE key = 'closed_cleanly'").pluck().get()).toBe('yes')
  raw.close()
})

describe('the lock of a data folder', () => {
  test('is held by one, and free again when released', async () => {
    const unlock = lockDataFolder(folder)
    expect(await refusal(() => lockDataFolder(folder))).toMatchObject({
      kind: 'in_use',
      message: 'Another Outlay is already serving this data folder.',
    })
    unlock()
    lockDataFolder(folder)()
  })

  test('ends with its process, however that ends', async () => {
    const script = `const raw = new (require('better-sqlite3'))(process.argv[1]); raw.exec('BEGIN EXCLUSIVE'); console.log('held'); setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['-e', script, join(folder, 'owner.lock')], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    expect(await refusal(() => lockDataFolder(folder))).toMatchObject({ kind: 'in_use' })
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockDataFolder(folder)()
  })
})
