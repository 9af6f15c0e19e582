import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outlay-lent-'))
  await writeFile(
    join(folder, 'inspect-worker.mjs'),
    `process.on('message', (said) => process.send({ said, by: process.pid }))
process.on('disconnect', () => process.exit())
process.send({ kind: 'ready' })`,
  )
  await writeFile(
    join(folder, 'two-servers.mjs'),
    `await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../e2e/support/shared-inspectors.mjs')).href)})
const { fork } = await import('node:child_process')
const take = async () => {
  const child = fork(${JSON.stringify(join(folder, 'inspect-worker.mjs'))}, [])
  await new Promise((resolve) => child.once('message', resolve))
  return child
}
const ask = (child, said) => new Promise((resolve) => { child.once('message', resolve); child.send(said) })
const ended = await take()
const first = await ask(ended, 'first')
// A server that closes ends its process, once more when the task that it cut short ends, and sends what it was about to send.
ended.kill('SIGKILL')
ended.kill('SIGKILL')
const [a, b] = [await take(), await take()]
ended.send('late')
const answers = await Promise.all([ask(a, 'a'), ask(b, 'b')])
console.log(JSON.stringify({ isReused: answers.some(({ by }) => by === first.by), said: answers.map(({ said }) => said), processes: new Set(answers.map(({ by }) => by)).size }))
process.exit()`,
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('an inspecting process that a server of the browser tests gives back is of one other server, which gets its own answers', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'two-servers.mjs')])
  expect(JSON.parse(stdout)).toEqual({ isReused: true, said: ['a', 'b'], processes: 2 })
})
