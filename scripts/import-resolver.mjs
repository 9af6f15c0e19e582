/**
 * Finds for the linter's import table which file an import means: relative paths and the package's own `#` aliases, both
 * written without an extension. Packages are recognized by their name and need no lookup.
 */
import { statSync } from 'node:fs'
import { dirname, join, resolve as resolvePath } from 'node:path'
import { root } from './setup.mjs'

const folderOf = { '#shared': 'src-shared', '#main': 'src-main', '#db': 'db', '#test': 'test', '#renderer': 'src-renderer' }
const extensions = ['.ts', '.tsx', '.mjs', '']

export const interfaceVersion = 2

export function resolve(source, importer) {
  // The part after a question mark is for the bundler.
  const base = absolute(source.split('?')[0], importer)
  const path = base && extensions.map((extension) => base + extension).find(isFile)
  return path ? { found: true, path } : { found: false }
}

function absolute(source, importer) {
  if (source.startsWith('.')) return resolvePath(dirname(importer), source)
  const [alias, ...rest] = source.split('/')
  return folderOf[alias] && join(root, folderOf[alias], ...rest)
}

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
