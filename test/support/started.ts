import type { ChildProcess } from 'node:child_process'

const running = new Set<ChildProcess>()
let isOver = false

/** Notes a process that a test has started. One that is started after {@link endStarted} ends at once. */
export function noteStarted(child: ChildProcess): void {
  running.add(child)
  child.once('exit', () => running.delete(child))
  if (isOver) child.kill('SIGKILL')
}

/** Ends what was started and runs still: a test that has run out of time does not come to where it would end it itself. */
export function endStarted(): void {
  isOver = true
  for (const child of running) child.kill('SIGKILL')
}
