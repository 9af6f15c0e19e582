import { type App, createApp } from './app'
import { systemClock } from './clock'
import type { Settings } from './config/settings'
import { builtWebFolder } from './config/folders'
import { openSettings } from './snapshots/open-settings'

/** What to serve, and where. */
export interface ServerOptions {
  readonly data_folder: string
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  readonly env: NodeJS.ProcessEnv
  readonly keepsInSync?: boolean
  readonly startsOver?: boolean
  /** The folder of the web application, if it is not next to the program. */
  readonly web_folder?: string
}

/** A served data folder: the API and the web application. */
export interface OpenServer {
  readonly app: App
  readonly settings: Settings
  readonly url: string
}

/** The server cannot listen on the address; the cause says why. */
export class ListenFailed extends Error {}

/** Serves a data folder until its application is closed. Throws {@link SettingsError}, {@link StartFault} and {@link ListenFailed}. */
export async function openServer({
  data_folder,
  host,
  port,
  env,
  web_folder = builtWebFolder(),
  ...rest
}: ServerOptions): Promise<OpenServer> {
  const settings = await openSettings(data_folder, { env, clock: systemClock })
  const app = await createApp({ data_folder, settings, web_folder, ...rest })
  try {
    await app.server.listen({ host, port })
  } catch (error) {
    await app.close()
    throw new ListenFailed(`${host}:${port}`, { cause: error })
  }
  const address = app.server.server.address()
  const bound = typeof address === 'object' && address ? address.port : port
  return { app, settings, url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` }
}
