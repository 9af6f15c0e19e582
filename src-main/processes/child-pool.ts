import { type ChildProcess, fork } from 'node:child_process'
import { z } from 'zod'
import { Lifetime, Stopping } from '#main/lifetime'
import { createFairTurns } from './fair-turns'

/** What became of a task: `failed` it threw, `too_large` its process needed more memory than it may have, `died` it crashed. */
export type Outcome =
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'timed_out' | 'too_large' | 'died' }

/** How the processes of a pool are run. */
export interface ChildPoolOptions {
  /** The program that each runs; it calls `serveTasks`. */
  readonly file: string
  /** How many at once. */
  readonly processes: number
  /** The most memory that one may hold, in megabytes; beyond it the process is killed. */
  readonly maxMemoryMb: number
}

/** A piece of work for a process. */
export interface Task {
  readonly name: string
  readonly task: unknown
  /** Counted from when the process has the task. */
  readonly timeoutMs: number
  /** How much processor time it may take, in milliseconds; without it, any. */
  readonly processorMs?: number
  /** Whose it is: of one owner one task runs at a time. None: its own. */
  readonly owner?: unknown
}

/** Processes that do what must not harm this one. They start with the first task, and end when there has been none for a while. */
export interface ChildPool {
  /** Throws {@link Stopping} after `close`. */
  run(task: Task): Promise<Outcome>
  /** Ends them and whatever they are at. */
  close(): Promise<void>
}

const idleTimeoutMs = 60_000
const startTimeoutMs = 60_000
/** What a process gets of this one's environment: no setting, and no secret. */
const passedOn = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG', 'TZ', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH']

/** The allocator of Linux gives memory back, instead of one heap a thread that fragments: a process that read a receipt kept 450 MB, and 340 MB with this. */
const allocator = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '1000000', MALLOC_MMAP_THRESHOLD_: '262144' }

/** What a signal that ends a process says: `serveTasks` ends its own with the first two. Others come from outside, such as when a service is stopped. */
const endedBy: Partial<Record<NodeJS.Signals, 'too_large' | 'timed_out'>> = {
  SIGKILL: 'too_large',
  SIGXCPU: 'timed_out',
  SIGABRT: 'too_large',
}

interface Child {
  readonly process: ChildProcess
  readonly ended: Promise<Outcome>
  readonly lifetime: Lifetime<Outcome>
  readonly ready: Promise<unknown>
  idle?: NodeJS.Timeout
}

/** A pool of processes. */
export function createChildPool(options: ChildPoolOptions): ChildPool {
  const takeTurn = createFairTurns(options.processes)
  const children = new Set<Child>()
  const resting: Child[] = []
  let isClosed = false

  const take = (): Child => {
    const child = resting.pop() ?? startChild(options)
    clearTimeout(child.idle)
    setHolding(child, true)
    if (!children.has(child)) {
      children.add(child)
      void child.ended.then(() => {
        children.delete(child)
        stopResting(child)
      })
    }
    return child
  }
  const stopResting = (child: Child) => {
    const at = resting.indexOf(child)
    if (at !== -1) resting.splice(at, 1)
  }
  const endIdle = (child: Child) => {
    // It ends a little later: no task may get it until then.
    stopResting(child)
    child.process.kill('SIGKILL')
  }
  const rest = (child: Child) => {
    resting.push(child)
    child.idle = setTimeout(endIdle, idleTimeoutMs, child).unref()
    setHolding(child, false)
  }

  return {
    run: ({ owner = Symbol('task'), ...task }) =>
      takeTurn(owner, async () => {
        if (isClosed) throw new Stopping()
        const child = take()
        const { outcome, isSpent } = await runIn(child, task)
        if (isClosed) throw new Stopping()
        if ((outcome.kind === 'done' || outcome.kind === 'failed') && !isSpent) rest(child)
        else child.process.kill('SIGKILL')
        return outcome
      }),
    close: async () => {
      isClosed = true
      await Promise.all([...children].map(end))
    },
  }
}

/** A process that has something to do keeps this one from ending, an idle one does not. */
function setHolding({ process }: Child, isHolding: boolean): void {
  if (isHolding) {
    process.ref()
    process.channel?.ref()
  } else {
    process.unref()
    process.channel?.unref()
  }
}

/** Ends a process and waits for that: an idle one would not keep this one from ending before it had closed what is left. */
function end(child: Child): Promise<Outcome> {
  setHolding(child, true)
  child.process.kill('SIGKILL')
  return child.ended
}

function startChild({ file, maxMemoryMb }: ChildPoolOptions): Child {
  const env = Object.fromEntries(passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
  const child = fork(file, [String(maxMemoryMb)], {
    env: { ...env, ...allocator, ELECTRON_RUN_AS_NODE: '1' },
    execArgv: [`--max-old-space-size=${maxMemoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = new Promise<Outcome>((resolve) => {
    child.on('error', () => resolve({ kind: 'died' }))
    // Nobody else kills it so: it has killed itself, or the system has, or its heap is full.
    child.on('exit', (_code, signal) => resolve({ kind: (signal && endedBy[signal]) ?? 'died' }))
  })
  const lifetime = new Lifetime<Outcome>()
  void ended.then((outcome) => lifetime.end(outcome))
  const ready = new Promise((resolve) => child.once('message', resolve))
  return { process: child, ended, lifetime, ready }
}

/** How a task ended. `isSpent`: its process kept so much memory that the next task may not get enough. */
interface Ended {
  readonly outcome: Outcome
  readonly isSpent: boolean
}

async function runIn(child: Child, { name, task, timeoutMs, processorMs }: Omit<Task, 'owner'>): Promise<Ended> {
  const ended = (outcome: Outcome): Ended => ({ outcome, isSpent: false })
  const hasStarted = await within(startTimeoutMs, child.lifetime.during(child.ready))
  if (hasStarted === 'timed_out') return ended({ kind: 'died' })
  let isSpent = false
  const answered = new Promise<Outcome>((resolve) =>
    child.process.once('message', (response) => {
      const { data } = responseSchema.safeParse(response)
      isSpent = data?.isSpent === true
      resolve(data ? outcomeOf(data) : { kind: 'died' })
    }),
  )
  child.process.send({ name, task, processorMs }, () => undefined)
  const outcome = await within(timeoutMs, child.lifetime.during(answered))
  return outcome === 'timed_out' ? ended({ kind: 'timed_out' }) : { outcome, isSpent }
}

const isSpent = z.boolean().optional()
const responseSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), value: z.unknown(), isSpent }),
  z.object({ kind: z.literal('failed'), message: z.string(), isSpent }),
])

function outcomeOf(response: z.infer<typeof responseSchema>): Outcome {
  return response.kind === 'done' ? { kind: 'done', value: response.value } : { kind: 'failed', message: response.message }
}

async function within<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result | 'timed_out'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'timed_out'>((resolve) => {
    timer = setTimeout(() => resolve('timed_out'), timeoutMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
