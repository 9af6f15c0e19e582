import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { translate } from '#shared/i18n/translations'
import { type Tracing, collectSpans } from '#main/spans'
import { version } from '../config/version'
import { dataFolderOf } from './command-context'
import { type DataOption, WorkFailed, print, tell } from './data-command'
import { waitForSignal } from './signals'

interface ServeOptions extends DataOption {
  readonly host: string
  readonly port: number
  readonly openLink?: true
  readonly sync?: true
  readonly recover?: true
}

function toPort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('a port is a number from 0 to 65535')
  return port
}

/** `outlay serve`: serves the API and the web application until stopped. */
export function serveCommand(command: Command): Command {
  return command
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 picks a free one', toPort, 4870)
    .option('--sync', 'keep a replica in step with its remote while serving')
    .option('--recover', 'start over if the database is damaged and no snapshot is good')
    .option('--open-link', 'print an address that signs the browser in once')
    .action(serve)
}

async function serve(options: ServeOptions): Promise<void> {
  const stop = waitForSignal()
  const data_folder = dataFolderOf(options)
  await assertFree(options)
  // Loaded here, so that other commands do not wait for the server's libraries.
  const { ListenFailed, openServer } = await import('../open-server')
  const tracing = await traceIfAsked(process.env)
  const { host, port } = options
  const switches = { keepsInSync: options.sync === true, startsOver: options.recover === true }
  const { app, settings, url } = await openServer({ data_folder, host, port, env: process.env, ...switches }).catch((error: unknown) => {
    throw error instanceof ListenFailed ? new WorkFailed(explainListening(error.cause, error.message)) : error
  })
  try {
    if (!app.store.hasRoom()) tell(translate('en', 'start:no_room.text', { folder: data_folder }))
    if (options.openLink)
      tell(`\nOutlay is ready. Open this address; it signs you in once:\n\n  ${url}/welcome#${await app.entry_codes.issue()}\n`)
    else print({ url, api: `${url}/api/v1`, version, pid: process.pid })
    await stop
    app.stopSoon()
    // A load balancer notices at its next probe.
    await sleep(settings.OUTLAY_STOP_AFTER_MS)
  } finally {
    await app.close()
    await tracing?.close()
  }
}

/** Collects spans if the environment names a collector; loaded only then. */
async function traceIfAsked(env: NodeJS.ProcessEnv): Promise<Tracing | undefined> {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: all,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces = all,
    OTEL_SDK_DISABLED,
    OTEL_TRACES_EXPORTER,
  } = env
  if (!traces || OTEL_SDK_DISABLED === 'true' || OTEL_TRACES_EXPORTER === 'none') return undefined
  const tracing = (await import('../monitoring/tracing')).openTracing(env)
  collectSpans(tracing)
  return tracing
}

/** Checks for a port in use before a folder is created or changed. */
async function assertFree({ host, port }: ServeOptions): Promise<void> {
  if (port === 0) return
  const probe = createServer()
  try {
    probe.listen({ host, port })
    await once(probe, 'listening')
  } catch (error) {
    throw new WorkFailed(explainListening(error, `${host}:${port}`))
  }
  await new Promise((resolve) => probe.close(resolve))
}

function explainListening(error: unknown, address: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `${address} is in use by another program. Choose another with --port, or 0 for any free one.`
  if (code === 'EACCES') return `${address} may not be listened on by this user. Choose a port above 1023 with --port.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${address} is not an address of this machine. Choose another with --host.`
  return `${address} cannot be listened on: ${error instanceof Error ? error.message : String(error)}`
}
