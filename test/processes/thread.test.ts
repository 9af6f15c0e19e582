import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { runInThread } from '#main/processes/thread'
import { folderOfFile } from '#test/support/of-file'

const folder = folderOfFile('outlay-thread-')
const path = join(folder, 'outlay.db')
const database = new Database(path)
database.exec('CREATE TABLE expenses (id INTEGER PRIMARY KEY)')
database.close()

const copy = (to: string) => runInThread<string | null>({ name: 'copy', task: { from: path, to: join(folder, to) } }, {})

test('what a thread throws is thrown, and the next task is done', async () => {
  writeFileSync(join(folder, 'no.db'), 'no database')
  await expect(runInThread({ name: 'copy', task: { from: join(folder, 'no.db'), to: join(folder, 'a') } }, {})).rejects.toThrow(
    'file is not a database',
  )
  expect(await copy('b')).toBeNull()
})

test('several tasks at once are done at once', async () => {
  expect(await Promise.all([copy('c'), copy('d'), copy('e')])).toEqual([null, null, null])
})

test('one that is stopped throws the reason', async () => {
  const stop = new AbortController()
  const reason = new Error('stopped')
  const stopped = runInThread({ name: 'copy', task: { from: path, to: join(folder, 'f') } }, { signal: stop.signal })
  stop.abort(reason)
  await expect(stopped).rejects.toBe(reason)
  expect(await copy('g')).toBeNull()
})
