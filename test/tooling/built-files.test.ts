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

/** Parses files as modules, and prints what is wrong with each. */
const parse = `const { readFileSync } = require('node:fs')
  for (const path of process.argv.slice(1))
    try { new (require('node:vm').SourceTextModule)(readFileSync(path, 'utf8')) } catch (error) { console.log(path, error) }`

test('all can be read: a file loaded late fails late', async () => {
  const flags = ['--experimental-vm-modules', '--no-warnings', '--eval', parse]
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...files.map((name) => join(built, name))])
  expect(stdout).toBe('')
})
