import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { runProgram } from '#test/support/built-program'
import { type Api, apiOf } from '#test/support/instance'
import { noteStarted } from '#test/support/processes/started'

const cli = join(import.meta.dirname, '../../out/main/cli.js')

/** Whether the program has been built; `npm test` builds it first. */
export const isBuilt = existsSync(cli)

/** A server as people run it: the built program in a process of its own. */
export interface BuiltServer {
  readonly url: string
  readonly process: ChildProcess
  /** Ends the process in the middle of whatever it does, as a power cut would. */
  kill(): Promise<void>
  /** Tells the process to stop and waits until it has. */
  stop(): Promise<void>
}

/** Runs a command and answers what it printed, parsed. */
export async function runBuilt<T>(...argv: string[]): Promise<T> {
  const { code, result, stderr } = await runProgram(...argv)
  if (code !== 0) throw new Error(stderr)
  return result
}

/** Starts the built server on a free port of a data folder; ready when this resolves. Throws when it ends before. */
export async function startBuilt(data: string, env: Record<string, string> = {}): Promise<BuiltServer> {
  const server = spawn(process.execPath, [cli, 'serve', '--port', '0', '--data', data], {
    env: { ...process.env, OUTLAY_LOG: 'silent', OUTLAY_READ_RECEIPTS: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  noteStarted(server)
  const ended = once(server, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    server.kill(signal)
    await ended
  }
  const line = new Promise<string>((resolve) => createInterface(server.stdout).once('line', resolve))
  const early = ended.then(() => Promise.reject(new Error('The server ended before it was ready')))
  early.catch(() => undefined)
  const { url } = JSON.parse(await Promise.race([line, early]))
  return { url, process: server, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}

/** A client of a built server. */
export function clientOf({ url }: BuiltServer, token: string): { api: Api } {
  return { api: apiOf(url, token) }
}
