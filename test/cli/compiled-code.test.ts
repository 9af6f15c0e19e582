import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeTemporaryFolder, startProgram } from '#test/support/built-program'
import packageFile from '../../package.json'

let cache: string
let versions: string
beforeEach(async () => {
  cache = await makeTemporaryFolder()
  versions = join(cache, 'outlay', 'compiled')
})
afterEach(() => rmSync(cache, { recursive: true, force: true }))

/** Runs the program with this cache folder of the platform, and returns how it ended. */
async function runWith(folder: string) {
  const { code, stdout, stderr } = await startProgram(['--version'], { XDG_CACHE_HOME: folder, NODE_COMPILE_CACHE: undefined }).ended
  return { code, stdout: stdout.trim(), stderr }
}
const success = { code: 0, stdout: packageFile.version, stderr: '' }

const filesIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' })

// Only there does the variable name the folder of the platform's cache.
test.runIf(process.platform === 'linux')('a run keeps the compiled code for its user alone', async () => {
  expect(await runWith(cache)).toEqual(success)
  const own = join(versions, packageFile.version)
  const kept = filesIn(own)
  expect(kept.length).toBeGreaterThan(2)
  expect([own, ...kept.map((name) => join(own, name))].filter((path) => (lstatSync(path).mode & 0o077) !== 0)).toEqual([])
  expect(await runWith(cache)).toEqual(success)
  expect(filesIn(own).sort()).toEqual(kept.sort())
})

test.runIf(process.platform === 'linux')('a new version removes the code of others', async () => {
  mkdirSync(join(versions, '0.0.1'), { recursive: true })
  expect(await runWith(cache)).toEqual(success)
  expect(readdirSync(versions)).toEqual([packageFile.version])
})

test.runIf(process.platform === 'linux')('a folder that others can write to is not used', async () => {
  const own = join(versions, packageFile.version)
  mkdirSync(own, { recursive: true })
  chmodSync(own, 0o777)
  expect(await runWith(cache)).toEqual(success)
  expect(filesIn(own)).toEqual([])
})

test('the program runs where nothing can be kept', async () => {
  const file = join(cache, 'file')
  writeFileSync(file, '')
  expect(await runWith(file)).toEqual(success)
})
