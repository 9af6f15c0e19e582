import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDemo, makeTemporaryFolder, runProgram, serveFolder } from '#test/support/built-program'

let scratch: string
let killed: string
beforeAll(async () => {
  scratch = await makeTemporaryFolder()
  killed = join(scratch, 'killed')
  const { token } = await makeDemo(killed)
  const served = await serveFolder({ path: killed, token })
  for (let count = 0; count < 10; count += 1)
    await served.api.send('POST', '/expenses', { payer: { id: 1, type: 'Organization' }, amount: 1, occurred_at: '2024-05-01' })
  await served.stop('SIGKILL')
  const path = join(killed, 'outlay.db-wal')
  const log = readFileSync(path)
  // In the middle of what was acknowledged: a transaction before it and transactions after it are whole.
  const frameBytes = 24 + log.readUInt32BE(8)
  const place = 32 + Math.floor((log.length - 32) / frameBytes / 2) * frameBytes + 1000
  log[place] = (log[place] ?? 0) ^ 1
  writeFileSync(path, log)
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test.each([
  ['doctor'],
  ['backup', 'FILE'],
  ['token', 'list'],
  ['export', 'expenses'],
  ['organization', 'renew', '1'],
  ['init', '--add', '--organization', 'Later', '--name', 'Late', '--email', 'late@example.org'],
])('outlay %s says that the log of a killed server is damaged, and changes nothing', async (...args) => {
  const folder = join(scratch, args[0] ?? '')
  cpSync(killed, folder, { recursive: true })
  const content = () => ['outlay.db', 'outlay.db-wal'].map((name) => readFileSync(join(folder, name)).toString('base64'))
  const before = content()
  const words = args.map((word) => (word === 'FILE' ? join(scratch, 'copy.tar') : word))
  const { code, stdout, stderr } = await runProgram(...words, '--data', folder)
  expect({ code, said: /frame \d+ of the write-ahead log does not fit/.test(stdout + stderr) }).toEqual({ code: 1, said: true })
  expect(content()).toEqual(before)
})
