import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Served, runProgram, serveFolder } from '../built-program'
import { type Api, type Json, apiOf } from '../instance'
import { type S3, startS3 } from '../s3'
import { type RoundRobin, startRoundRobin } from './round-robin'

/** Several built programs that serve one database and one bucket, and a proxy in front of them. */
export interface Servers {
  readonly list: ReadonlyArray<Served>
  readonly proxy: RoundRobin
  readonly bucket: S3
  /** The organization and its admin, as `init` printed them. */
  readonly init: Json
  /** The client of one of the servers, as the admin. */
  api(index: number): Api
  /** Asks whichever server has its turn. */
  readonly any: Api
  /** Starts a server again in its place, after it has ended. */
  start(index: number): Promise<void>
  close(): Promise<void>
}

interface ServersOptions {
  readonly count: number
  readonly settings?: Record<string, unknown>
  /** By how much the clock of each is wrong, in milliseconds. */
  readonly skewsMs?: readonly number[]
}

const skewedClock = join(import.meta.dirname, 'skewed-clock.mjs')

/** Starts so many servers on a database. */
export async function startServers(url: string, { count, settings = {}, skewsMs = [] }: ServersOptions): Promise<Servers> {
  const bucket = await startS3(() => new Date())
  const folders = await Promise.all(Array.from({ length: count }, () => mkdtemp(join(tmpdir(), 'outlay-server-'))))
  const all = { OUTLAY_DATABASE_URL: url, OUTLAY_READ_RECEIPTS: false, ...bucket.fileSettings, ...settings }
  for (const folder of folders) await writeFile(join(folder, 'settings.json'), JSON.stringify(all))
  const named = ['--organization', 'Acme', '--name', 'Ada Admin', '--email', 'ada@example.org']
  const { result: init, stderr } = await runProgram('init', ...named, '--data', folders[0] ?? '')
  if (init === undefined) throw new Error(stderr)
  // At the same time, as a proxy's servers are.
  const serve = (path: string, index: number) => {
    const skewMs = skewsMs[index]
    const env: Record<string, string> =
      skewMs === undefined ? {} : { NODE_OPTIONS: `--import=${skewedClock}`, CLOCK_SKEW_MS: String(skewMs) }
    return serveFolder({ path, token: init.token }, env)
  }
  const list = await Promise.all(folders.map(serve))
  const proxy = await startRoundRobin(() => list.map((server) => server.url))
  return {
    list,
    proxy,
    bucket,
    init,
    api: (index) => apiOf(list[index]?.url ?? '', init.token),
    any: apiOf(proxy.url, init.token),
    start: async (index) => {
      list[index] = await serve(folders[index] ?? '', index)
    },
    close: async () => {
      await proxy.close()
      await Promise.all(list.map((server) => server.stop()))
      await bucket.close()
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
    },
  }
}
