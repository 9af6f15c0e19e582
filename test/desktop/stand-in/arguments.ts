import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'

/** The folder of the application's package.json. */
export const appFolder = findPackage(dirname(resolve(process.argv[1] ?? '.')))

/** What Electron takes from package.json. */
export const pack = z
  .object({ name: z.string(), productName: z.string().optional(), version: z.string() })
  .parse(JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8')))

function findPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackage(dirname(folder))
}
