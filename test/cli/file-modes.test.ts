import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTemporaryFolder, runProgram, serveFolder } from '#test/support/built-program'

let scratch: string
let folder: string
let token: string
beforeAll(async () => {
  scratch = await makeTemporaryFolder()
  folder = join(scratch, 'data')
  token = (await runProgram('demo', '--data', folder)).result.token
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** What others than its user may do with any file or folder of the data folder. */
function openToOthers(): string[] {
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  return [folder, ...inside].filter((path) => (lstatSync(path).mode & 0o077) !== 0)
}

test.skipIf(process.platform === 'win32')('what commands write is for their user alone', async () => {
  expect(openToOthers()).toEqual([])
  const file = join(scratch, 'copy.tar')
  await runProgram('backup', file, '--data', folder)
  expect(lstatSync(file).mode & 0o777).toBe(0o600)
})

test.skipIf(process.platform === 'win32')('a server takes the rights of others from a folder that an older version made', async () => {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644)
  }
  chmodSync(folder, 0o755)
  const served = await serveFolder({ path: folder, token })
  await served.stop()
  expect(openToOthers()).toEqual([])
})
