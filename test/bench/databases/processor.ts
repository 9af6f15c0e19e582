import { readdirSync, readFileSync } from 'node:fs'

const tickMs = 10

/** What `/proc` says of a process after its name; nothing where it has ended. Linux alone tells. */
function statOf(pid: number | string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  } catch {
    return []
  }
}

/** Processor time of a process so far, in milliseconds. */
export function processorMs(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

/** Processor time so far of a process, its children and those of them that have ended, in milliseconds. */
export function processorMsOfAll(pid: number): number {
  const ended = statOf(pid)
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(name)[1] === String(pid))
  const own = processorMs(pid) + (Number(ended[13]) + Number(ended[14])) * tickMs
  return children.reduce((sum, child) => sum + processorMs(Number(child)), own)
}
