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
 * time of a command.
 */
export function runHere(...args: string[]): Promise<RunHere> {
  const ended = last.then(() => capture(() => run(args)))
  last = ended.catch(() => undefined)
  return ended
}

async function capture(work: () => Promise<number>): Promise<RunHere> {
  const written: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  const before = streams.map((stream) => Object.getOwnPropertyDescriptor(process[stream], 'write'))
  for (const stream of streams)
    process[stream].write = (chunk: string | Uint8Array, encoding?: unknown, done?: unknown) => {
      written[stream].push(Buffer.from(chunk))
      for (const one of [encoding, done]) if (typeof one === 'function') process.nextTick(one)
      return true
    }
  const mask = process.umask(0o077)
  const { OUTLAY_LOG } = process.env
  process.env.OUTLAY_LOG = 'silent'
  try {
    const code = await work()
    return { code, stdout: Buffer.concat(written.stdout), stderr: Buffer.concat(written.stderr).toString() }
  } finally {
    process.umask(mask)
    if (OUTLAY_LOG === undefined) delete process.env.OUTLAY_LOG
    else process.env.OUTLAY_LOG = OUTLAY_LOG
    for (const [index, stream] of streams.entries()) {
      Reflect.deleteProperty(process[stream], 'write')
      Object.defineProperties(process[stream], before[index] ? { write: before[index] } : {})
    }
  }
}
