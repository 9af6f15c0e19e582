import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../main/cli.js')

/** What `outlay sync` prints. */
export interface Report {
  readonly pushed: number
  readonly pulled: number
  readonly conflicts: number
  readonly failed: number
  readonly ms: number
}

/** Runs a command of the built program on a folder, and answers what it printed. */
export async function outlay(folder: string, ...args: string[]): Promise<Report> {
  const { stdout } = await run(process.execPath, [program, ...args, '--data', folder], {
    env: { ...process.env, NODE_ENV: 'production', OUTLAY_LOG: 'warn' },
  })
  return JSON.parse(stdout)
}

/** Runs a part of the bench in a process of its own, and answers what it printed. */
export async function runRole<T>(role: string, input: unknown): Promise<T> {
  const { stdout } = await run(process.execPath, [process.argv[1] ?? '', '--role', role, JSON.stringify(input)])
  return JSON.parse(stdout)
}

/** What went over the wire, both ways: as it went, and as it is unpacked. */
export interface Traffic {
  requests: number
  packed: number
  raw: number
  sent: number
}

/** Passes requests on to a remote and counts what passes. */
export async function startCounting(target: () => string) {
  const traffic: Traffic = { requests: 0, packed: 0, raw: 0, sent: 0 }
  const server = createServer((asked, response) => {
    traffic.requests += 1
    asked.on('data', (part: Buffer) => (traffic.sent += part.byteLength))
    const { method, headers } = asked
    const passed = request(`${target()}${asked.url}`, { method, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const whole = Buffer.concat(parts)
        traffic.packed += whole.byteLength
        traffic.raw += answer.headers['content-encoding'] === 'gzip' ? gunzipSync(whole).byteLength : whole.byteLength
        response.writeHead(answer.statusCode ?? 502, answer.headers).end(whole)
      })
    })
    asked.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    /** What passed since this was last asked. */
    take: (): Traffic => {
      const taken = { ...traffic }
      Object.assign(traffic, { requests: 0, packed: 0, raw: 0, sent: 0 })
      return taken
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
