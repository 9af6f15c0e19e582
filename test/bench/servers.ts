import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A server in a process of its own. */
export interface Running {
  readonly url: string
  /** Milliseconds from the start of the process to its saying that it listens. */
  readonly ready_ms: number
  readonly pid: number
  stop(): Promise<void>
}

async function start(args: readonly string[], folder: string, env: Record<string, string> = {}): Promise<Running> {
  const started = performance.now()
  // The log goes where a service manager would put it: to a file.
  const log = openSync(join(folder, 'bench.log'), 'a')
  const child: ChildProcess = spawn(process.execPath, [...args], {
    stdio: ['ignore', 'pipe', log],
    env: { ...process.env, NODE_ENV: 'production', ...env },
  })
  const ended = once(child, 'exit')
  const end = () => child.kill('SIGKILL')
  process.prependOnceListener('exit', end)
  child.once('exit', () => process.off('exit', end))
  if (!child.stdout) throw new Error('The server has no output.')
  const lines = createInterface(child.stdout)
  const line = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    ended.then(() => Promise.reject(new Error(`The server ended before it was ready; see ${join(folder, 'bench.log')}.`))),
  ])
  const { url }: { url: string } = JSON.parse(line)
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, ready_ms: performance.now() - started, pid: child.pid ?? 0, stop }
}

/** The built program, as people run it. */
export function startProgram(folder: string, settings: Record<string, string> = {}): Promise<Running> {
  return start([join(import.meta.dirname, '../main/cli.js'), 'serve', '--port', '0', '--data', folder], folder, settings)
}

/** The built program as `outlay serve ARGUMENTS`, with a module loaded before it. */
export function startProgramWith(folder: string, { load, args, env }: { load: string; args: string[]; env: Record<string, string> }) {
  const program = join(import.meta.dirname, '../main/cli.js')
  return start(['--import', load, program, 'serve', '--port', '0', '--data', folder, ...args], folder, env)
}

/** A part of the bench as a server in a process of its own. */
export function startRole(role: string, folder: string): Promise<Running> {
  return start([process.argv[1] ?? '', '--role', role, folder], folder)
}

/** The floor of {@link serveFloor}. */
export function startFloor(folder: string): Promise<Running> {
  return start([process.argv[1] ?? '', '--role', 'floor', folder], folder)
}
