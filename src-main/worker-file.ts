import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The program of a process next to the code that starts it (`folder`: its `import.meta.dirname`): the built one, or where nothing is built,
 * its source, which Node runs.
 */
export function workerFile(folder: string, name: string): string {
  const built = join(folder, `${name}.js`)
  return existsSync(built) ? built : join(folder, `${name}.ts`)
}

/** The program of every thread. */
export const threadFile = workerFile(import.meta.dirname, 'thread-worker')
