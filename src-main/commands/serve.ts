import { Command, InvalidArgumentError } from 'commander'
import { builtWebFolder, createApp } from '../app'
import { readSettings } from '../config/settings'
import { version } from '../config/version'
import { dataFolderOf, print } from './command-context'

interface ServeOptions {
  readonly host: string
  readonly port: number
  readonly data?: string
  readonly openLink?: true
}

function toPort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InvalidArgumentError('a port is a number from 0 to 65535')
  return port
}

/** `outlay serve`: the API and the web application, until it is told to stop. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('Serve the API and the web application')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 picks a free one', toPort, 4870)
    .option('--open-link', 'print an address that signs the browser in once')
    .option('--data <folder>', 'data folder')
    .action(serve)
}

async function serve(options: ServeOptions): Promise<void> {
  const data_folder = dataFolderOf(options)
  const app = await createApp({ data_folder, settings: readSettings(data_folder, process.env), web_folder: builtWebFolder() })
  const stopped = untilToldToStop()
  await app.server.listen({ host: options.host, port: options.port })
  const address = app.server.server.address()
  const port = typeof address === 'object' && address ? address.port : options.port
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`
  if (options.openLink) process.stderr.write(`\nOutlay is ready. Open this address; it signs you in once:\n\n  ${url}/welcome#${app.entry_codes.issue()}\n\n`)
  else print({ url, api: `${url}/api/v1`, version, pid: process.pid })
  await stopped
  await app.close()
}

function untilToldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}
