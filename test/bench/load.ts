import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createRandom } from './seed'

/** Requests of one kind, sent as fast as they are answered. `{id}` in the path stands for the next of `ids`. */
export interface Load {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly ids?: { readonly first: number; readonly count: number; readonly order: 'rising' | 'random' }
  /** One for each lap over the ids, in turn. */
  readonly bodies?: readonly string[]
}

/** What a run of a load came to. */
export interface Measured {
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
}

interface Run {
  readonly url: string
  readonly token: string
  readonly load: Load
  readonly seconds: number
  readonly connections: number
  /** Where the script for wrk may lie. */
  readonly folder: string
}

const hasWrk = spawnSync('wrk', ['--version']).error === undefined

/** What sends the requests, always in a process of its own. */
export const loadTool = hasWrk ? 'wrk' : 'node:http'

function headersOf(token: string): Record<string, string> {
  return {
    Authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
    'Content-Type': 'application/json',
    'User-Agent': 'bench',
  }
}

/** Sends a load from another process. Throws when anything but a success was answered. */
export async function measure(run: Run): Promise<Measured> {
  return hasWrk ? measureWithWrk(run) : measureWithNode(run)
}

function toLua({ load: { method, path, ids, bodies = [] }, token }: Run): string {
  const quote = JSON.stringify
  const headers = Object.entries(headersOf(token)).map(([name, value]) => `wrk.headers[${quote(name)}] = ${quote(value)}`)
  const next =
    ids?.order === 'random' ? `${ids.first} + math.random(0, ${ids.count - 1})` : `${ids?.first ?? 0} + (sent % ${ids?.count ?? 1})`
  return `
wrk.method = ${quote(method)}
local bodies = { ${bodies.map((body) => quote(body)).join(', ')} }
${headers.join('\n')}
-- wrk makes one request that it does not send.
local sent = -2
math.randomseed(7)
function request()
  sent = sent + 1
  local id = ${next}
  local body = bodies[1 + math.floor(sent / ${ids?.count ?? 1}) % ${Math.max(bodies.length, 1)}]
  return wrk.format(nil, (string.gsub(${quote(path)}, "{id}", id)), nil, body)
end`
}

async function measureWithWrk(run: Run): Promise<Measured> {
  // Servers of one folder are measured at once, each with its own ids.
  const script = join(run.folder, `load-${new URL(run.url).port}.lua`)
  writeFileSync(script, toLua(run))
  const args = ['-t1', `-c${run.connections}`, `-d${run.seconds}s`, '--latency', '--timeout', '30s', '-s', script, run.url]
  const { stdout } = await promisify(execFile)('wrk', args)
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${run.load.method} ${run.load.path} was refused:\n${stdout}`)
  const read = (pattern: RegExp) => pattern.exec(stdout)?.slice(1) ?? []
  const toMs = ([value = '0', unit = 'ms']: string[]) => Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? 1)
  return {
    per_second: Number(read(/Requests\/sec:\s+([\d.]+)/)[0]),
    p50_ms: toMs(read(/50%\s+([\d.]+)(us|ms|s)/)),
    p99_ms: toMs(read(/99%\s+([\d.]+)(us|ms|s)/)),
  }
}

async function measureWithNode(run: Run): Promise<Measured> {
  const args = [process.argv[1] ?? '', '--role', 'load', JSON.stringify(run)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout)
}

/** The sender for machines without wrk: this process becomes it. */
export async function sendLoad(text: string): Promise<void> {
  const run: Run = JSON.parse(text)
  const { ids = { first: 0, count: 1, order: 'rising' } } = run.load
  const agent = new Agent({ keepAlive: true, maxSockets: run.connections })
  const random = createRandom(7)
  const end = performance.now() + run.seconds * 1000
  const times: number[] = []
  let sent = 0
  const sendOne = () => {
    const id = ids.first + (ids.order === 'random' ? random(ids.count) : sent % ids.count)
    const lap = Math.floor(sent / ids.count)
    sent += 1
    const start = performance.now()
    return new Promise<void>((resolve, reject) => {
      const { method, path, bodies = [] } = run.load
      const outgoing = request(
        new URL(path.replace('{id}', String(id)), run.url),
        { method, agent, headers: headersOf(run.token) },
        (response) => {
          if ((response.statusCode ?? 500) >= 300) return reject(new Error(`${method} ${path} answered ${response.statusCode}`))
          response.resume().on('end', () => {
            times.push(performance.now() - start)
            resolve()
          })
        },
      )
      outgoing.on('error', reject).end(bodies[lap % bodies.length])
    })
  }
  const worker = async () => {
    while (performance.now() < end) await sendOne()
  }
  await Promise.all(Array.from({ length: run.connections }, worker))
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  agent.destroy()
  process.stdout.write(JSON.stringify({ per_second: times.length / run.seconds, p50_ms: at(0.5), p99_ms: at(0.99) }))
}
