import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** As `src-main/worker-file.ts`: where a worker's program is. Before the first build it is its source. */
export function workerFile(folder: string, name: string): string {
  const built = join(import.meta.dirname, '../../../out/main', `${name}.js`)
  return existsSync(built) ? built : join(folder, `${name}.ts`)
}

export const threadFile = workerFile(join(import.meta.dirname, '../../../src-main'), 'thread-worker')
