import { setTimeout } from 'node:timers/promises'
import { serveTasks } from '#main/processes/serve-tasks'

// The program of a process that keeps a processor busy, or waits.

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

serveTasks({ burn, endBy, wait: (ms: number) => setTimeout(ms, ms) })
