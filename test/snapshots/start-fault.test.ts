import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartFault, toStartFault } from '#main/snapshots/start-fault'
import { type Instance, startInstance } from '#test/support/instance'
import { start } from '#test/support/spoiled'

let instance: Instance
beforeEach(async () => {
  instance = await startInstance()
})
afterEach(() => instance.remove())

test('a folder that another process serves is refused, in both languages', async () => {
  const fault = await start(instance.folder)
  expect(fault).toMatchObject({ kind: 'in_use' })
  if (!(fault instanceof StartFault)) return
  expect(fault.textIn('en')).toContain(instance.folder)
  expect(fault.titleIn('pt')).toBe('O Outlay já está aberto com estes dados')
})

test('a database of a newer program is left untouched, and the message names the version that wrote it', async () => {
  await instance.close()
  const file = join(instance.folder, 'outlay.db')
  const raw = new Database(file)
  raw.exec("UPDATE instance_settings SET value = '9.9.9' WHERE key = 'program_version'")
  raw.pragma('user_version = 99')
  raw.close()
  const before = await readFile(file)
  const fault = await start(instance.folder)
  expect(fault).toMatchObject({ kind: 'newer', message: expect.stringContaining('9.9.9') })
  expect((await readFile(file)).equals(before)).toBe(true)
  await rm(`${file}-wal`, { force: true })
})

test.each([
  ['SQLITE_FULL', 'disk_full'],
  ['ENOSPC', 'disk_full'],
  ['SQLITE_READONLY_DIRECTORY', 'no_permission'],
  ['SQLITE_CANTOPEN', 'no_permission'],
  ['EACCES', 'no_permission'],
  ['EROFS', 'no_permission'],
  ['SQLITE_BUSY', 'in_use'],
  ['SQLITE_IOERR_READ', 'disk_failing'],
])('%s of the machine is the fault %s', (code, kind) => {
  const fault = toStartFault(Object.assign(new Error('refused'), { code }), '/data')
  expect(fault).toMatchObject({ kind, message: expect.stringContaining('/data') })
})
