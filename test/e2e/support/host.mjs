// Serves many data folders from one process: what a server loads and compiles is then there for the next one. Asked by messages:
// { id, data_folder, env } opens one and answers { id, url }, { id } alone closes it and answers { id }; { id, argv } runs a command of the command
// line and answers { id, printed }; a failure answers { id, error }.
// With `web_folder` it serves that page, and the first that is open has one port throughout: what is on a kept page stays on its origin.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import './shared-processes.mjs'

process.umask(0o077)
const built = join(import.meta.dirname, '../../../out/main')
const load = (name) =>
  import(
    join(
      built,
      readdirSync(built).find((file) => file.startsWith(`${name}-`) && file.endsWith('.js')),
    )
  )
const { openServer } = await load('open-server')

const opened = new Map()
const kept = { port: 0, id: undefined }
let lastCommand = Promise.resolve()

/** Runs a command after those before: what it prints is then its own. */
function command(argv) {
  lastCommand = lastCommand
    .catch(() => undefined)
    .then(async () => {
      const { run } = await load('program')
      const { stdout } = process
      const write = stdout.write
      let printed = ''
      stdout.write = (text) => (printed += text) !== ''
      try {
        const code = await run(argv)
        if (code !== 0) throw new Error(`outlay ${argv.join(' ')}: ${code}`)
        return printed
      } finally {
        stdout.write = write
      }
    })
  return lastCommand
}

async function answer({ id, data_folder, env, argv, web_folder }) {
  if (argv !== undefined) return { id, printed: await command(argv) }
  if (data_folder === undefined) {
    await opened.get(id).app.close()
    opened.delete(id)
    if (kept.id === id) kept.id = undefined
    return { id }
  }
  const isKept = web_folder !== undefined && kept.id === undefined
  if (isKept) kept.id = id
  const server = await openServer({ data_folder, env, web_folder, host: '127.0.0.1', port: isKept ? kept.port : 0 })
  if (isKept) kept.port = Number(new URL(server.url).port)
  opened.set(id, server)
  return { id, url: server.url }
}

process.on('message', (message) => {
  answer(message)
    .catch((error) => ({ id: message.id, error: String(error?.stack ?? error) }))
    .then((said) => process.send(said))
})
process.on('disconnect', () => process.exit())
