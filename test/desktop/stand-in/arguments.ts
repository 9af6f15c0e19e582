import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'

/** The value of a switch `--name=value`. */
export function switchValue(name: string): string | undefined {
  return process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
}

/** The folder of the application's data. */
export const userData = switchValue('user-data-dir') ?? join(tmpdir(), `outlay-stand-in-${process.pid}`)
mkdirSync(userData, { recursive: true })

/** The folder of the application's package.json. */
export const appFolder = findPackage(dirname(resolve(process.argv[1] ?? '.')))

/** What Electron takes from package.json. */
export const pack = z
  .object({ name: z.string(), productName: z.string().optional(), version: z.string() })
  .parse(JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8')))

function findPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackage(dirname(folder))
}
