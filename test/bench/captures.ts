import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import sharp from 'sharp'
import { startProgram } from './servers'

/** What the bench says about many files that are captured at once; milliseconds from the first byte sent. */
export interface CaptureFigures {
  readonly files: number
  readonly megabytes: number
  readonly first_answer_ms: number
  readonly all_answered_ms: number
  readonly all_listed_ms: number
  /** Every preview that the list shows has been fetched, largest first asked for last. */
  readonly previews_ms: number
  readonly all_processed_ms: number
  /** The slowest of the small requests that were sent meanwhile, one after the other. */
  readonly slowest_request_ms: { readonly storing: number; readonly processing: number }
}

interface Listed {
  readonly captures: ReadonlyArray<{
    readonly state: string
    readonly file: ReadonlyArray<{ readonly style: string; readonly url: string }>
  }>
  readonly count: number
}

/** As many as a browser sends at once to one host. */
const connections = 6

/** Photos of about 300 kB each as a telephone makes them: each is another, and lies on its side. */
async function makePhotos(count: number): Promise<Uint8Array[]> {
  const noise = { type: 'gaussian', mean: 128, sigma: 22 } as const
  const photo = await sharp({ create: { width: 1700, height: 1275, channels: 3, background: '#888', noise } })
    .blur(1)
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 82 })
    .toBuffer()
  return Array.from({ length: count }, (_, index) => Buffer.concat([photo, Buffer.from(`${index}`.padStart(8, '0'))]))
}

/** Captures that many photos at once on a server that holds nothing else. */
export async function measureCaptures(folder: string, files: number): Promise<CaptureFigures> {
  const program = join(import.meta.dirname, '../main/cli.js')
  const init = ['init', '--data', folder, '--organization', 'Acme', '--name', 'Ada', '--email', 'ada@example.org']
  const { token }: { token: string } = JSON.parse(execFileSync(process.execPath, [program, ...init], { encoding: 'utf8' }))
  const photos = await makePhotos(files)
  const server = await startProgram(folder)
  const headers = { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`, 'user-agent': 'bench' }
  const get = (path: string) => fetch(`${server.url}/api/v1${path}`, { headers })
  const list = async (page: number): Promise<Listed> => (await get(`/captures?per_page=100&page=${page}`)).json()
  const listAll = async () => {
    const pages = await Promise.all(Array.from({ length: Math.ceil(files / 100) }, (_, index) => list(index + 1)))
    return pages.flatMap(({ captures }) => captures)
  }
  let slowest = { storing: 0, processing: 0 }
  let phase: keyof typeof slowest | undefined = 'storing'
  const watching = (async () => {
    while (phase !== undefined) {
      const [now, asked] = [phase, performance.now()]
      await (await get('/captures?per_page=1')).text()
      slowest = { ...slowest, [now]: Math.max(slowest[now], performance.now() - asked) }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })()
  const start = performance.now()
  const since = () => performance.now() - start
  const answered: number[] = []
  const waiting = photos.entries()
  const send = async () => {
    for (const [index, body] of waiting) {
      const address = `${server.url}/api/v1/captures?source=drop&file_name=${index}.jpg`
      const { status } = await fetch(address, { method: 'POST', headers, body: new Uint8Array(body) })
      if (status !== 201) throw new Error(`A capture was answered ${status}.`)
      answered.push(since())
    }
  }
  await Promise.all(Array.from({ length: connections }, send))
  const all_answered_ms = since()
  const { length } = await listAll()
  const all_listed_ms = since()
  if (length !== files) throw new Error(`${length} of ${files} captures are listed.`)
  phase = 'processing'
  for (const { file } of await listAll())
    await (await fetch(file.find(({ style }) => style === 'thumb')?.url ?? '', { headers })).arrayBuffer()
  const previews_ms = since()
  while ((await listAll()).some(({ state }) => state === 'processing')) await new Promise((resolve) => setTimeout(resolve, 100))
  const all_processed_ms = since()
  phase = undefined
  await watching
  await server.stop()
  const megabytes = photos.reduce((sum, { length: bytes }) => sum + bytes, 0) / 1e6
  const first_answer_ms = answered[0] ?? 0
  return {
    ...{ files, megabytes, first_answer_ms, all_answered_ms, all_listed_ms, previews_ms, all_processed_ms },
    slowest_request_ms: slowest,
  }
}

/** Prints what was measured of captures. */
export function printCaptures(figures: CaptureFigures, say: (text: string) => void): void {
  const { files, megabytes, slowest_request_ms, ...times } = figures
  say(`\n${files} files at once, ${megabytes.toFixed(0)} MB`)
  for (const [name, value] of Object.entries(times)) say(`${name.replace('_ms', '').padEnd(34)}${`${value.toFixed(0)} ms`.padStart(14)}`)
  const { storing, processing } = slowest_request_ms
  say(`slowest request meanwhile          ${storing.toFixed(0)} ms while storing, ${processing.toFixed(0)} ms while processing`)
}
