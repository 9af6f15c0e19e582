import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { folderOfFile } from '#test/support/of-file'

const folder = folderOfFile('outlay-lent-')

/** What a script prints that forks a program which answers what it is sent, as servers of one process of the browser tests do. */
async function runServers(program: string, script: string): Promise<unknown> {
  const [worker, servers] = [join(folder, `${program}.mjs`), join(folder, `${program}-servers.mjs`)]
  await writeFile(
    worker,
    `process.on('message', (said) => process.send({ said, by: process.pid }))
process.on('disconnect', () => process.exit())
process.send({ kind: 'ready' })`,
  )
  await writeFile(
    servers,
    `await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../e2e/support/shared-processes.mjs')).href)})
const { fork } = await import('node:child_process')
const take = async () => {
  const child = fork(${JSON.stringify(worker)}, [])
  await new Promise((resolve) => child.once('message', resolve))
  return child
}
const ask = (child, said) => new Promise((resolve) => { child.once('message', resolve); child.send(said) })
${script}
process.exit()`,
  )
  const { stdout } = await promisify(execFile)(process.execPath, [servers])
  return JSON.parse(stdout)
}

test('an inspecting process that a server of the browser tests gives back is of one other server, which gets its own answers', async () => {
  const seen = await runServers(
    'inspect-worker',
    `const ended = await take()
const first = await ask(ended, 'first')
// A server that closes ends its process, once more when the task that it cut short ends, and sends what it was about to send.
ended.kill('SIGKILL')
ended.kill('SIGKILL')
const [a, b] = [await take(), await take()]
ended.send('late')
const answers = await Promise.all([ask(a, 'a'), ask(b, 'b')])
console.log(JSON.stringify({ isReused: answers.some(({ by }) => by === first.by), said: answers.map(({ said }) => said), processes: new Set(answers.map(({ by }) => by)).size }))`,
  )
  expect(seen).toEqual({ isReused: true, said: ['a', 'b'], processes: 2 })
})

test('a reading process has closed its database when its server takes it for ended, and the next one hears nothing of it', async () => {
  const seen = await runServers(
    'read-worker',
    `const { EventEmitter } = await import('node:events')
const said = []
const emit = EventEmitter.prototype.emit
EventEmitter.prototype.emit = function (name, message, ...more) {
  if (name === 'message' && message?.said?.name === 'close') said.push('closed')
  return emit.call(this, name, message, ...more)
}
const ended = await take()
const first = await ask(ended, 'first')
ended.once('exit', () => said.push('ended'))
ended.kill('SIGKILL')
await new Promise((resolve) => ended.once('exit', resolve))
const next = await ask(await take(), 'next')
console.log(JSON.stringify({ isReused: next.by === first.by, said: [...said, next.said] }))`,
  )
  expect(seen).toEqual({ isReused: true, said: ['closed', 'ended', 'next'] })
})
