import { Worker } from 'node:worker_threads'
import { threadFile } from '#main/worker-file'

/** A task of `thread-worker.ts`, and what it is about. */
export interface ThreadWork {
  readonly name: string
  readonly task: unknown
}

/** What a thread receives: a task, or the turn to write. */
export type ToThread = ThreadWork | 'write'

/** What a thread says to who started it. */
export type FromThread<Outcome = unknown, Progress = unknown> =
  /** It would write, and waits for its turn. */
  | { readonly kind: 'waiting' }
  /** What it wrote is stored, or undone. */
  | { readonly kind: 'written' }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly outcome: Outcome }

/** How work in a thread is followed and stopped. */
export interface ThreadOptions<Progress> {
  /** Ends it, but never while it has the turn to write. */
  readonly signal?: AbortSignal
  /** It is ended when it has not had the turn to write for so long. */
  readonly silentMs?: number
  readonly onProgress?: (progress: Progress) => void
  /** Runs `write` while nobody else writes. */
  readonly lend?: (write: () => Promise<void>) => Promise<unknown>
}

/** A thread wrote nothing for too long. */
export class ThreadTooSlow extends Error {}

/** A thread that takes more than this is ended rather than the server with it. */
const maxHeapMb = 1024

/** For so long a thread that has done its work waits for more: starting one takes a quarter of a second of a processor. */
const idleMs = 30_000

const resting = new Map<Worker, NodeJS.Timeout>()

function takeThread(): Worker {
  const [thread = startThread()] = resting.keys()
  clearTimeout(resting.get(thread))
  resting.delete(thread)
  thread.ref()
  return thread
}

function startThread(): Worker {
  const thread = new Worker(threadFile, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } })
  thread.on('exit', () => resting.delete(thread))
  // One that rests has nobody who would hear it.
  thread.on('error', () => undefined)
  return thread
}

/** One that has nothing to do keeps nobody from ending. */
function rest(thread: Worker): void {
  const end = () => {
    resting.delete(thread)
    void thread.terminate()
  }
  thread.unref()
  resting.set(thread, setTimeout(end, idleMs).unref())
}

/**
 * Does long work in a separate thread, which is at nothing of it any more when this settles; ending it leaves the file that it was writing.
 * Throws {@link ThreadTooSlow}, the reason of the signal, and what the thread throws.
 */
export function runInThread<Outcome, Progress = never>(
  work: ThreadWork,
  { signal, silentMs, onProgress, lend }: ThreadOptions<Progress>,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const thread = takeThread()
    let giveBack: (() => void) | undefined
    let silence: NodeJS.Timeout | undefined
    let isOver = false
    const end = () => {
      isOver = true
      clearTimeout(silence)
      giveBack?.()
      signal?.removeEventListener('abort', stop)
      thread.off('message', hear).off('error', fail).off('exit', fail)
    }
    const fail = (reason: unknown) => {
      if (isOver) return
      end()
      void thread.terminate().then(() => reject(reason instanceof Error ? reason : new Error('A thread ended early.')))
    }
    const stop = () => giveBack === undefined && fail(signal?.reason)
    const listen = () => {
      clearTimeout(silence)
      if (silentMs !== undefined) silence = setTimeout(() => fail(new ThreadTooSlow('A thread was too slow.')), silentMs)
    }
    const tell = (message: ToThread) => thread.postMessage(message)
    const write = () =>
      new Promise<void>((over) => {
        giveBack = over
        tell('write')
      })
    // The thread is of this program: what it says has the types of its task.
    const hear = (message: FromThread<Outcome, Progress>) => {
      switch (message.kind) {
        case 'waiting':
          clearTimeout(silence)
          return void lend?.(() => (isOver ? Promise.resolve() : write()))
        case 'written':
          giveBack?.()
          giveBack = undefined
          listen()
          return signal?.aborted && stop()
        case 'progress':
          return onProgress?.(message.progress)
        case 'done':
          end()
          rest(thread)
          return resolve(message.outcome)
      }
    }
    thread.on('message', hear).on('error', fail).on('exit', fail)
    signal?.addEventListener('abort', stop)
    listen()
    tell(work)
  })
}
