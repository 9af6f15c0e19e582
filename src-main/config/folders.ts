import { join } from 'node:path'
import envPaths from 'env-paths'

const ofPlatform = envPaths('outlay', { suffix: '' })

/** The default data folder: `$OUTLAY_DATA`, or the platform's folder for Outlay. */
export function defaultDataFolder(env: NodeJS.ProcessEnv): string {
  return env.OUTLAY_DATA || ofPlatform.data
}

/** The folder of compiled code in the platform's cache, one for each version. */
export const compiledFolder = join(ofPlatform.cache, 'compiled')

/** The folder of the built web application, next to the built program. */
export function builtWebFolder(): string {
  return join(import.meta.dirname, '../renderer')
}
