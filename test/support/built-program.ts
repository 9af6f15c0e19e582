import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createApp, createLog } from '#main/app'
import { readSettings } from '#main/config/settings'
import { placeMigrated } from './databases/migrated-file'
import { isLong } from './form'
import { type Api, type Json, apiOf, quiet } from './instance'
import { runHere } from './processes/run-here'
import { noteStarted } from './processes/started'

/** The command line as it was built. */
export const program = join(import.meta.dirname, '../../out/main/cli.js')

/** How a run of the built program ended. */
export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** What it printed, parsed; undefined when that is not one JSON value. */
  readonly result: Json
}

/** A run of the built program that has not ended. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Run>
  /** Resolves when the program has written this to the stream; fails when it ends without. */
  wrote(stream: 'stdout' | 'stderr', text: string): Promise<void>
}

const inherited = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

/** Starts `outlay ARGUMENTS` as it was built, with no settings of this process. It logs where `env` says so. */
export function startProgram(args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}): Running {
  const child = spawn(process.execPath, [program, ...args], { env: { ...inherited, OUTLAY_LOG: 'silent', ...env } })
  noteStarted(child)
  const written = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => (written[stream] += text))
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, ...written, result: parse(written.stdout) }))
  const wrote = (stream: 'stdout' | 'stderr', text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => written[stream].includes(text) && resolve()
      child[stream].on('data', look)
      look()
      void ended.then(() => reject(new Error(`It ended without writing ${text}: ${written.stderr}`)))
    })
  return { child, ended, wrote }
}

/** Runs `outlay ARGUMENTS` to its end; answers the bytes that it wrote to standard output. */
export async function readOutput(...args: string[]): Promise<Buffer> {
  if (!isLong) return (await runHere(args)).stdout
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { encoding: 'buffer', maxBuffer: 2 ** 26 })
  return stdout
}

/**
 * Runs `outlay ARGUMENTS` to its end: as it was built in the long form, in this process in the short one. Use {@link startProgram} where a process is
 * the point.
 */
export function runProgram(...args: string[]): Promise<Run> {
  return runWith({}, ...args)
}

/** As {@link runProgram}, with settings. */
export async function runWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Run> {
  if (isLong) return startProgram(args, env).ended
  const { code, stdout, stderr } = await runHere(args, env)
  return { code, stdout: stdout.toString(), stderr, result: parse(stdout.toString()) }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

let demo: Promise<{ readonly from: string; readonly made: Json }> | undefined

/** Makes a data folder of the demo, a copy of one that `outlay demo` made; answers what that printed. */
export async function makeDemo(path: string): Promise<Json> {
  demo ??= (async () => {
    const from = await makeTemporaryFolder()
    process.on('exit', () => rmSync(from, { recursive: true, force: true }))
    return { from, made: (await runProgram('demo', '--data', from)).result }
  })()
  const { from, made } = await demo
  await cp(from, path, { recursive: true })
  return made
}

/** A data folder made by the built program. */
export interface BuiltFolder {
  readonly path: string
  readonly token: string
  readonly user_id: number
  readonly organization_id: number
  /** Runs a command on it. */
  run(...args: string[]): Promise<Run>
  start(...args: string[]): Running
  remove(): Promise<void>
}

/** A temporary folder, not yet a data folder. */
export function makeTemporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'outlay-cli-'))
}

/** Makes an organization and its admin, ada@example.org, in a new data folder; in the short form its database is not migrated once more. */
export async function initFolder(path: string): Promise<Pick<BuiltFolder, 'token' | 'user_id' | 'organization_id'>> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (!isLong) await placeMigrated(path)
  const who = ['--organization', 'Acme', '--name', 'Ada Admin', '--email', 'ada@example.org']
  const { result, stderr } = await runProgram('init', '--data', path, ...who)
  if (result === undefined) throw new Error(stderr)
  return result
}

/** Makes a data folder with an organization and its admin, ada@example.org. */
export async function makeBuiltFolder(): Promise<BuiltFolder> {
  const path = await makeTemporaryFolder()
  return {
    path,
    ...(await initFolder(path)),
    run: (...args) => runProgram(...args, '--data', path),
    start: (...args) => startProgram([...args, '--data', path]),
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

/** The built program, serving a folder on a free port. */
export interface Served extends Running {
  readonly url: string
  readonly api: Api
  /** Tells it to stop, and waits until it has. */
  stop(signal?: NodeJS.Signals): Promise<Run>
}

/** Serves a folder with the built program. */
export async function serveFolder(
  { path, token }: Pick<BuiltFolder, 'path' | 'token'>,
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const running = startProgram(['serve', '--port', '0', '--data', path], { OUTLAY_READ_RECEIPTS: '0', ...env })
  let line = ''
  running.child.stdout?.on('data', (text: string) => (line += text))
  await running.wrote('stdout', '\n')
  const { url }: { url: string } = JSON.parse(line)
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    running.child.kill(signal)
    return running.ended
  }
  return { ...running, url, api: apiOf(url, token), stop }
}

/** Serves a folder while a test asks its API, where a process is not the point: as {@link serveFolder} in the long form, in this process in the short one. */
export async function serveMeanwhile(
  folder: Pick<BuiltFolder, 'path' | 'token'>,
  env: Readonly<Record<string, string>> = {},
): Promise<Pick<Served, 'url' | 'api'> & { stop(): Promise<unknown> }> {
  if (isLong) return serveFolder(folder, env)
  const { path: data_folder, token } = folder
  const settings = { ...readSettings(data_folder, env), ...quiet }
  const app = await createApp({ data_folder, settings, web_folder: null, log: createLog(settings) })
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  return { url, api: apiOf(url, token), stop: () => app.close() }
}
