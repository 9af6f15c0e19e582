import { run } from '#main/commands/program'

/** How a run of the command line in this process ended. */
export interface RunHere {
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: string
}

const streams = ['stdout', 'stderr'] as const

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs `outlay ARGUMENTS` in this process, as `src-main/cli.ts` does, one run after the other. Starting a process and loading the program takes most of the
 * time of a command. `env`: settings for this run.
 */
export function runHere(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<RunHere> {
  const ended = last.then(() => capture(() => run([...args]), env))
  last = ended.catch(() => undefined)
  return ended
}

async function capture(work: () => Promise<number>, env: Readonly<Record<string, string>>): Promise<RunHere> {
  const written: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  const before = streams.map((stream) => Object.getOwnPropertyDescriptor(process[stream], 'write'))
  for (const stream of streams)
    process[stream].write = (chunk: string | Uint8Array, encoding?: unknown, done?: unknown) => {
      written[stream].push(Buffer.from(chunk))
      for (const one of [encoding, done]) if (typeof one === 'function') process.nextTick(one)
      return true
    }
  const mask = process.umask(0o077)
  const settings = { OUTLAY_LOG: 'silent', ...env }
  const earlier = Object.keys(settings).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, settings)
  try {
    const code = await work()
    return { code, stdout: Buffer.concat(written.stdout), stderr: Buffer.concat(written.stderr).toString() }
  } finally {
    process.umask(mask)
    for (const [name, value] of earlier)
      if (value === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = value
    for (const [index, stream] of streams.entries()) {
      Reflect.deleteProperty(process[stream], 'write')
      Object.defineProperties(process[stream], before[index] ? { write: before[index] } : {})
    }
  }
}
