import { createServer, connect, type Server, type Socket } from 'node:net'
import type { Page } from '@playwright/test'
import { type Api, type AppOptions, type E2eApp, apiOf, startApp } from './app'
import { makeFolder, runCli, Served } from './served'

/** The line between a replica and its remote, which a test cuts and mends; the remote itself goes on. */
export class Line {
  private server: Server | undefined
  private readonly sockets = new Set<Socket>()
  private port = 0
  /** The port of the remote. */
  target = 0

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async mend(): Promise<void> {
    const server = createServer((near) => {
      const far = connect(this.target, '127.0.0.1')
      for (const socket of [near, far]) {
        this.sockets.add(socket)
        socket.on('error', () => undefined)
        socket.on('close', () => this.sockets.delete(socket))
      }
      near.pipe(far).pipe(near)
      near.on('close', () => far.destroy())
      far.on('close', () => near.destroy())
    })
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    const address = server.address()
    if (typeof address === 'object' && address) this.port = address.port
    this.server = server
  }

  async cut(): Promise<void> {
    const { server } = this
    const closed = new Promise((resolve) => server?.close(resolve))
    for (const socket of this.sockets) socket.destroy()
    await closed
  }
}

/** A remote with its organization Acme, and a replica of its admin, Ana. */
export type Pair = {
  remote: E2eApp
  line: Line
  served: Served
  /** The replica's API. */
  api: Api
  signIn: (page: Page) => Promise<void>
  /** Asks for an exchange, as the button does. */
  exchange: () => Promise<void>
  remove: () => Promise<void>
}

/** Makes a remote and a synced replica with the built command line, and serves the replica. */
export async function startPair(options: AppOptions = {}): Promise<Pair> {
  const line = new Line()
  await line.mend()
  const remote = await startApp({ ...options, env: { ...options.env, OUTLAY_ALLOWED_HOSTS: new URL(line.url).host } })
  line.target = Number(new URL(remote.url).port)
  const folder = await makeFolder()
  await runCli('remote', 'set', line.url, '--token', remote.token, '--data', folder)
  await runCli('sync', '--data', folder)
  const served = new Served(folder, {}, ['--sync'])
  await served.start()
  const api = apiOf(served.url, remote.token)
  return {
    remote,
    line,
    served,
    api,
    signIn: async (page) => {
      await page.request.post(`${served.url}/api/v1/session`, { data: { token: remote.token }, headers: { origin: served.url } })
    },
    exchange: async () => {
      await api.send('POST', '/replica/sync', {})
    },
    remove: async () => {
      await served.remove()
      await line.cut()
      await remote.remove()
    },
  }
}
