import { readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** Which files each file imports, types included; paths are relative to the root. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/** What each alias of package.json stands for. */
const folderOf: Readonly<Record<string, string>> = { '#shared': 'src-shared', '#main': 'src-main', '#db': 'db', '#test': 'test' }
const endings = ['', '.ts', '.tsx', '.mjs']

/** Every file in some folders of a root, as a path from that root. */
export function listFiles(root: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => statSync(join(root, path)).isFile()),
  )
}

/** Reads what the sources among some files import of each other. */
export function readImports(root: string, files: readonly string[]): ImportGraph {
  const known = new Set(files)
  const targetOf = (file: string, source: string): string | undefined => {
    const [alias = '', ...rest] = source.split('/')
    const folder = folderOf[alias]
    if (folder === undefined && !alias.startsWith('.')) return undefined
    const path = folder === undefined ? join(dirname(file), source) : join(folder, ...rest)
    return endings.map((ending) => path.replaceAll('\\', '/') + ending).find((one) => known.has(one))
  }
  const importsOf = (file: string): string[] =>
    ts
      .preProcessFile(readFileSync(join(root, file), 'utf8'))
      .importedFiles.map(({ fileName }) => targetOf(file, fileName))
      .filter((target) => target !== undefined)
  return new Map(files.filter((file) => /\.(tsx?|mts|mjs)$/.test(file)).map((file) => [file, importsOf(file)]))
}

/** The import cycles of a graph: one for each group of files that reach each other, `a → b → a`. */
export function findCycles(graph: ImportGraph): string[] {
  const done = new Set<string>()
  const path: string[] = []
  const cycles: string[] = []
  const visit = (file: string) => {
    const start = path.indexOf(file)
    if (start >= 0) cycles.push([...path.slice(start), file].join(' → '))
    if (start >= 0 || done.has(file)) return
    path.push(file)
    for (const target of graph.get(file) ?? []) visit(target)
    path.pop()
    done.add(file)
  }
  for (const file of graph.keys()) visit(file)
  return cycles
}
