import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const built = join(import.meta.dirname, '../../out/main')
const files = readdirSync(built).filter((name) => name.endsWith('.js'))

test('the program is built', () => {
  expect(files).toEqual(expect.arrayContaining(['cli.js', 'main.js', 'inspect-worker.js', 'read-worker.js', 'thread-worker.js']))
})

test.each(files)('%s can be read: a file loaded late fails late', async (name) => {
  await promisify(execFile)(process.execPath, ['--check', join(built, name)])
})
