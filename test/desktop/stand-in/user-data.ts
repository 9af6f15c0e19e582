import { mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

function switchValue(name: string): string | undefined {
  return process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
}

/** The folder of the application's data. */
export const userData = switchValue('user-data-dir') ?? join(tmpdir(), `outlay-stand-in-${process.pid}`)
mkdirSync(userData, { recursive: true })

/** Names the process that has the folder. */
export const lockFile = join(userData, 'stand-in-instance')

/** Whether a process has the folder. */
export function isInUse(): boolean {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8'))
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}
