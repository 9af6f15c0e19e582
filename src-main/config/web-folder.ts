import { join } from 'node:path'

/** The folder of the built web application, next to the built program. */
export function builtWebFolder(): string {
  return join(import.meta.dirname, '../renderer')
}
