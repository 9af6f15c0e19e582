import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ChildPool, createChildPool } from '#main/processes/child-pool'
import { countHeld } from '#test/support/collect-garbage'

let folder: string
let pool: ChildPool

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outlay-pool-'))
  const file = join(folder, 'echo.mjs')
  await writeFile(
    file,
    "process.on('message', ({ task }) => process.send({ kind: 'done', value: task })); process.on('disconnect', () => process.exit()); process.send({ kind: 'ready' })",
  )
  pool = createChildPool({ file, processes: 1, maxMemoryMb: 512 })
})

afterEach(async () => {
  vi.useRealTimers()
  await pool.close()
  await rm(folder, { recursive: true })
})

const ask = (task: unknown) => pool.run({ name: 'echo', task, timeoutMs: 60_000 })

test('a task that comes at the moment an idle process is ended gets a new process', async () => {
  expect(await ask(1)).toEqual({ kind: 'done', value: 1 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  // Its idle time is counted by the timer above from now on.
  expect(await ask(2)).toEqual({ kind: 'done', value: 2 })
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()
  expect(await ask(3)).toEqual({ kind: 'done', value: 3 })
})

test('answers of a process are not kept while it lives', async () => {
  expect(await countHeld(50, () => ask(['an answer']))).toBeLessThan(5)
})

test('a task that uses up its processor time is timed out, and one that only waits is not', async () => {
  const file = join(import.meta.dirname, '../support/processes/busy-worker.ts')
  const busy = createChildPool({ file, processes: 1, maxMemoryMb: 512 })
  try {
    const run = (name: 'burn' | 'wait', task: number) => busy.run({ name, task, timeoutMs: 60_000, processorMs: 600 })
    expect(await run('wait', 700)).toEqual({ kind: 'done', value: 700 })
    expect(await run('burn', 20_000)).toEqual({ kind: 'timed_out' })
    // The time of one task is not that of the next, in the process that takes over.
    expect(await run('burn', 250)).toEqual({ kind: 'done', value: 250 })
    expect(await run('burn', 250)).toEqual({ kind: 'done', value: 250 })
    expect(await run('burn', 250)).toEqual({ kind: 'done', value: 250 })
    // As when a service is stopped with all of its processes: it says nothing of the task.
    expect(await busy.run({ name: 'endBy', task: 'SIGTERM', timeoutMs: 60_000 })).toEqual({ kind: 'died' })
  } finally {
    await busy.close()
  }
})

test('a process that kept much memory of a task does not get the next', async () => {
  const file = join(import.meta.dirname, '../support/processes/busy-worker.ts')
  const keeping = createChildPool({ file, processes: 1, maxMemoryMb: 600 })
  try {
    const run = async (megabytes: number) => {
      const outcome = await keeping.run({ name: 'keep', task: megabytes, timeoutMs: 60_000 })
      return outcome.kind === 'done' ? outcome.value : outcome
    }
    const first = await run(1)
    expect(await run(400)).toBe(first)
    const second = await run(1)
    expect(second).not.toBe(first)
    expect(await run(1)).toBe(second)
  } finally {
    await keeping.close()
  }
})
