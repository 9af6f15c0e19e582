import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isBuilt } from '#test/support/built-server'
import { Disk, type DiskEvent, readTrace, tracedCalls } from '#test/support/disks/disk-trace'

const program = join(import.meta.dirname, '../../out/main/cli.js')

/** Why nothing can be traced here; undefined where it can. */
export const whyNotTraced: string | undefined = isBuilt ? findStrace() : 'the program is not built'

function findStrace(): string | undefined {
  try {
    execFileSync('strace', ['-V'])
    return undefined
  } catch {
    return 'strace is not installed'
  }
}

/** What a run of the program did to its data folder, and what lay there before. */
export interface TracedRun {
  readonly folder: string
  readonly baseline: string
  readonly events: readonly DiskEvent[]
  readonly code: number | null
}

interface Traced {
  /** A folder for the copy of the data folder and the trace. */
  readonly scratch: string
  readonly folder: string
  /** What the program writes to standard output before it is told to end; without, it ends by itself. */
  readonly until?: string
  /** What happens between that and the end, with the address that the program serves. */
  readonly meanwhile?: (url: string) => Promise<void>
}

/** Runs `outlay ARGUMENTS` on a data folder under strace, to its end. */
export async function traceRun(
  args: readonly string[],
  { scratch, folder, until, meanwhile = () => Promise.resolve() }: Traced,
): Promise<TracedRun> {
  const baseline = join(scratch, 'baseline')
  rmSync(baseline, { recursive: true, force: true })
  mkdirSync(baseline, { recursive: true })
  if (existsSync(folder)) cpSync(folder, baseline, { recursive: true })
  const file = join(scratch, 'trace')
  const flags = ['-f', '--seccomp-bpf', '-y', '-xx', '-s', '33554432', '-e', `trace=${tracedCalls}`, '-o', file]
  const traced = spawn('strace', [...flags, process.execPath, program, ...args, '--data', folder], {
    env: { PATH: process.env.PATH, OUTLAY_LOG: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(traced, 'exit')
  traced.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (until === undefined || !text.includes(until)) return
    const { pid, url }: { pid: number; url: string } = JSON.parse(text)
    void meanwhile(url).finally(() => process.kill(pid, 'SIGKILL'))
  })
  await ended
  return { folder, baseline, events: readTrace(file, folder), code: traced.exitCode }
}

/**
 * The data folder as a kill would have left it, before the first change and after each that the run made, or after `most` of them,
 * evenly spread; each is written to `to` in turn, and handed out with what the run did last. `keep`: the part of what was not synced that is
 * left; 1: a kill, 0: a power cut.
 */
export function* killPoints(
  { folder, baseline, events }: TracedRun,
  { to, most = Infinity, keep = 1 }: { to: string; most?: number; keep?: number },
): Generator<{ at: number; last: DiskEvent | undefined }> {
  const changes = events.flatMap(({ kind }, index) => (['sync', 'told'].includes(kind) ? [] : [index + 1]))
  const stride = Math.max(1, changes.length / most)
  const chosen = new Set([0, ...changes.filter((_, index) => Math.floor(index % stride) === 0), events.length])
  const disk = new Disk(folder, baseline)
  for (const at of chosen) {
    disk.advance(events, at)
    rmSync(to, { recursive: true, force: true })
    mkdirSync(to, { recursive: true })
    for (const [path, content] of disk.cut({ keep, sector: 4096, random: () => 0 })) {
      // Locks end with their process, and the index of the log is written again by the next one.
      if (path.endsWith('-shm') || path.endsWith('.lock')) continue
      const file = join(to, path.slice(folder.length + 1))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
    yield { at, last: events[at - 1] }
  }
}
