import { setTimeout } from 'node:timers/promises'
import { serveTasks } from '#main/processes/serve-tasks'

// The program of a process that keeps a processor busy, waits, or keeps memory.

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Keeps the processor busy for so many milliseconds of its time. */
function burn(ms: number): number {
  const end = processorMs() + ms
  while (processorMs() < end);
  return ms
}

const endBy = (signal: NodeJS.Signals) => process.kill(process.pid, signal)

const kept: Buffer[] = []
/** Keeps so much memory, and says which process it is. */
function keep(megabytes: number): number {
  kept.push(Buffer.alloc(megabytes * 1_000_000, 1))
  return process.pid
}

serveTasks({ burn, endBy, keep, wait: (ms: number) => setTimeout(ms, ms) })
