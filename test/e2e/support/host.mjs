// Serves many data folders from one process: what a server loads and compiles is then there for the next one. Asked by messages:
// { id, data_folder, env } opens one and answers { id, url }, { id } alone closes it and answers { id }; a failure answers { id, error }.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

process.umask(0o077)
const built = join(import.meta.dirname, '../../../out/main')
const file = readdirSync(built).find((name) => /^open-server-[\w-]+\.js$/.test(name))
const { openServer } = await import(join(built, file))

const opened = new Map()

async function answer({ id, data_folder, env }) {
  if (data_folder === undefined) {
    await opened.get(id).app.close()
    opened.delete(id)
    return { id }
  }
  const server = await openServer({ data_folder, env, host: '127.0.0.1', port: 0 })
  opened.set(id, server)
  return { id, url: server.url }
}

process.on('message', (message) => {
  answer(message)
    .catch((error) => ({ id: message.id, error: String(error?.stack ?? error) }))
    .then((said) => process.send(said))
})
process.on('disconnect', () => process.exit())
