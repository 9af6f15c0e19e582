import type { ChildProcess } from 'node:child_process'

const running = new Set<ChildProcess>()

/** Notes a process that a test has started. */
export function noteStarted(child: ChildProcess): void {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

/** Ends what was started and runs still: a test that has run out of time does not come to where it would end it itself. */
export function endStarted(): void {
  for (const child of running) child.kill('SIGKILL')
}
