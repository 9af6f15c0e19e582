import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTemporaryFolder, program, runProgram, serveFolder } from '#test/support/built-program'

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
function openToOthers(of = folder): string[] {
  const inside = readdirSync(of, { recursive: true, encoding: 'utf8' }).map((name) => join(of, name))
  return [of, ...inside].filter((path) => (lstatSync(path).mode & 0o077) !== 0)
}

test.skipIf(process.platform === 'win32')('what commands write is for their user alone', async () => {
  expect(openToOthers()).toEqual([])
  const file = join(scratch, 'copy.tar')
  await runProgram('backup', file, '--data', folder)
  expect(lstatSync(file).mode & 0o777).toBe(0o600)
})

/** What an older version left under a umask of 022, a copy with wider rights too. */
function openAll(): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o666)
  }
  chmodSync(folder, 0o755)
}

test.skipIf(process.platform === 'win32')('a server takes the rights of others from a folder that an older version made', async () => {
  openAll()
  const served = await serveFolder({ path: folder, token })
  await served.stop()
  expect(openToOthers()).toEqual([])
})

test.skipIf(process.platform === 'win32').each([
  ['doctor', () => ['doctor']],
  ['export', () => ['export', 'expenses']],
  ['backup', () => ['backup', join(scratch, 'again.tar')]],
  ['restore', () => ['restore', join(scratch, 'copy.tar')]],
])('outlay %s does the same, and says so once', async (_, args) => {
  openAll()
  const run = await runProgram(...args(), '--data', folder)
  expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Other users had rights to \d+ files and folders in /) })
  expect(openToOthers()).toEqual([])
  expect((await runProgram('doctor', '--data', folder)).stderr).not.toContain('Other users')
})

test.skipIf(process.platform === 'win32')('no command leaves anything to others, whatever the umask', () => {
  const wide = join(scratch, 'wide')
  const file = join(scratch, 'wide.tar')
  for (const args of [['demo'], ['backup', file], ['restore', file], ['doctor', '--fix']]) {
    const command = [process.execPath, program, ...args, '--data', wide]
    execFileSync('sh', ['-c', 'umask 0 && exec "$@"', 'sh', ...command], { env: { PATH: process.env.PATH }, stdio: 'pipe' })
  }
  expect(openToOthers(wide)).toEqual([])
  expect(lstatSync(file).mode & 0o777).toBe(0o600)
})
