import { Worker } from 'node:worker_threads'
import { z } from 'zod'

// Part of the programs that the processes of a pool run.

/**
 * Watches from a separate thread, since the other may be busy: too much memory, or a missing parent, ends the process, and so does a task that
 * has used up its processor time, with the signal for that. `endOfTask`: the processor time, in milliseconds since the process began, at which it has; 0 without a limit.
 */
const watch = `
  const { workerData } = require('node:worker_threads')
  setInterval(() => {
    if (process.memoryUsage.rss() > workerData.maxBytes || process.ppid !== workerData.parent) process.kill(process.pid, 'SIGKILL')
    const { user, system } = process.cpuUsage()
    if (workerData.endOfTask[0] > 0 && (user + system) / 1000 > workerData.endOfTask[0]) process.kill(process.pid, 'SIGXCPU')
  }, 25)
`
const asked = z.object({ name: z.string(), task: z.unknown(), processorMs: z.number().optional() })

/** A task is sent by the pool that belongs to the program, so it is what its name takes: a method's parameter may be narrower. */
type AnyTask = { run(task: unknown): unknown }['run']

/** The share of its memory with which a process still takes another task. */
const mostKept = 0.75

/** Does one task after the other, as `createChildPool` sends them, until its parent ends. */
export function serveTasks(tasks: Readonly<Record<string, AnyTask>>): void {
  const maxBytes = Number(process.argv[2]) * 1024 * 1024
  const endOfTask = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT))
  new Worker(watch, { eval: true, workerData: { maxBytes, parent: process.ppid, endOfTask } })
  const answer = async (message: unknown) => {
    const { name, task, processorMs } = asked.parse(message)
    const { user, system } = process.cpuUsage()
    endOfTask[0] = processorMs === undefined ? 0 : (user + system) / 1000 + processorMs
    return tasks[name]?.(task)
  }
  const send = (response: object) => process.send?.({ ...response, isSpent: process.memoryUsage.rss() > maxBytes * mostKept })
  process.on('message', (message) => {
    answer(message).then(
      (value) => send({ kind: 'done', value }),
      (error: unknown) => send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
    )
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ kind: 'ready' })
}
