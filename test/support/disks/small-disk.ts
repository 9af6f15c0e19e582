import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of its own that can be filled to its last byte. */
export interface SmallDisk {
  readonly path: string
  fill(): void
  makeRoom(): void
  unmount(): void
}

const pageBytes = 4096

/** Mounts a disk of so many megabytes in memory, below `home`; undefined where only root may, and that is nobody here: in CI that is a failure. */
export function mountSmallDisk(megabytes: number, home = tmpdir()): SmallDisk | undefined {
  const path = mkdtempSync(join(home, 'outlay-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' })
  } catch (error) {
    rmdirSync(path)
    if (process.env.CI) throw error
    return undefined
  }
  const filler = join(path, 'filler')
  return {
    path,
    fill: () => fill(filler),
    makeRoom: () => rmSync(filler, { force: true }),
    unmount: () => {
      // A process that is on its way may still hold it; what it holds goes with it.
      execFileSync('umount', ['--lazy', path])
      rmdirSync(path)
    },
  }
}

function fill(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (;;) writeSync(file, Buffer.alloc(pageBytes))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(file)
  }
}
