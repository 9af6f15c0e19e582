import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import type { Plugin, Rollup } from 'vite'
import { firstTexts } from './scripts/first-texts.mjs'

/** Every program and worker of the main side; each becomes out/main/<key>.js. */
const mainInputs = {
  main: 'src-main/main.ts',
  cli: 'src-main/cli.ts',
  'inspect-worker': 'src-main/files/inspect-worker.ts',
  'match-worker': 'src-main/use-cases/statements/match-worker.ts',
  'receipt-worker': 'src-main/files/ocr/receipt-worker.ts',
  'read-worker': 'src-main/store/core/read-worker.ts',
  'thread-worker': 'src-main/thread-worker.ts',
}

/** Pages lie at /review/12 too: what they load is named from the root, although electron-vite names it from the page. */
const absoluteBase: Plugin = { name: 'absolute-base', enforce: 'post', config: () => ({ base: '/' }) }

/** Files that the service worker keeps once the page is at rest, such as the reader of PDF files. Every page needs texts at once. */
function isLarge(file: Rollup.OutputAsset | Rollup.OutputChunk): boolean {
  const isText = file.type === 'chunk' && textNames.includes(file.name.replace(/-later$/, ''))
  return !isText && (file.type === 'chunk' ? file.code : file.source).length > 100_000
}

/** Tells the service worker which files the build made, so that it can keep them. */
const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const made = Object.values(bundle).filter(({ fileName }) => fileName.startsWith('assets/') && !fileName.endsWith('.map'))
      const files = made.map(({ fileName }) => fileName)
      const first = firstFiles(bundle)
      const later = new Set(made.filter((file) => isLarge(file) && !first.has(file.fileName)).map(({ fileName }) => fileName))
      const worker = readFileSync(join(import.meta.dirname, 'src-renderer/service-worker.js'), 'utf8')
      const page = readFileSync(join(import.meta.dirname, 'src-renderer/index.html'), 'utf8')
      const version = createHash('sha256')
        .update([worker, page, ...files].join('\n'))
        .digest('hex')
        .slice(0, 16)
      const addresses = (names: Iterable<string>) => [...names].map((name) => `/${name}`)
      const shell = JSON.stringify({ version, files: addresses(files.filter((name) => !later.has(name))), later: addresses(later) })
      const source = worker.replace("{ version: '', files: [], later: [] }", () => shell)
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source })
    },
  },
}

/** The chunks of the page's texts, by language. */
const textNames = ['en', 'pt', 'es']
/** The chunk that runs before the program is loaded. */
const firstChunk = 'first'

/** Lets the page load it before the program, which imports it. */
const firstScript: Plugin = {
  name: 'first-script',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => {
      const first = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === firstChunk)
      if (!first) throw new Error(`The build made no ${firstChunk}.`)
      const font = Object.keys(bundle).find((name) => name.startsWith('assets/inter-latin-wght'))
      if (font === undefined) throw new Error('The build has no font.')
      const preload = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` }
      return [
        { tag: 'script', attrs: { type: 'module', crossorigin: true, src: `/${first.fileName}` }, injectTo: 'head-prepend' },
        { tag: 'link', attrs: preload, injectTo: 'head' },
      ]
    },
  },
}

/** What the page may load before its first row, packed, in bytes: what makes it larger has to be loaded later. */
const mostFirstBytes = 259_800
const brotli = promisify(brotliCompress)

/** Packs what the build made, for servers to send as it is, and fails where the first load grew too large. */
const packed: Plugin = {
  name: 'packed',
  apply: 'build',
  writeBundle: {
    order: 'post',
    async handler({ dir = '' }, bundle) {
      const first = firstFiles(bundle)
      const sizes = await Promise.all(
        Object.values(bundle).map(async (file) => {
          const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          if (bytes.length < 1400 || !/^assets\/.*\.(js|mjs|css|wasm|ttf|pfb|svg)$/.test(file.fileName)) return 0
          // The highest quality takes ten times as long, and saves a tenth.
          const isFirst = first.has(file.fileName)
          const small = await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: isFirst ? 11 : 9 } })
          writeFileSync(join(dir, `${file.fileName}.br`), small)
          return isFirst ? small.length : 0
        }),
      )
      const total = sizes.reduce((sum, size) => sum + size, 0)
      if (total > mostFirstBytes) this.error(`The first load is ${total} bytes packed, more than ${mostFirstBytes}.`)
    },
  },
}

/** The files that the page loads before its first row: its program, its styles, and the texts of one language, the longest. */
function firstFiles(bundle: Rollup.OutputBundle): ReadonlySet<string> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const texts = chunks.filter(({ name }) => textNames.includes(name)).toSorted((one, other) => other.code.length - one.code.length)
  const found = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  if (texts[0]) found.add(texts[0].fileName)
  for (const name of found) {
    const file = bundle[name]
    if (file?.type !== 'chunk') continue
    for (const imported of file.imports) found.add(imported)
    for (const style of file.viteMetadata?.importedCss ?? []) found.add(style)
  }
  return found
}

/** Fails where the page uses a part of Mantine without its styles. */
const styledParts: Plugin = {
  name: 'styled-parts',
  apply: 'build',
  generateBundle(_options, bundle) {
    const read = (name: string) => readFileSync(join(import.meta.dirname, `src-renderer/${name}.css`), 'utf8')
    const styled = read('mantine')
    const all = styled + read('mantine-later')
    const first = firstFiles(bundle)
    for (const file of Object.values(bundle)) {
      for (const id of file.type === 'chunk' ? file.moduleIds : []) {
        const [, name = ''] = /@mantine\/core\/esm\/components\/.*?(\w+)\.mjs$/.exec(id) ?? []
        const style = `@mantine/core/styles/${name}.layer.css`
        if (
          existsSync(join(import.meta.dirname, 'node_modules', style)) &&
          !(first.has(file.fileName) ? styled : all).includes(`'${style}'`)
        )
          this.error(`${file.fileName} uses ${name} without its styles: import them in src-renderer/mantine.css, or in mantine-later.css.`)
      }
    }
  },
}

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[]; readonly code: string | null } | null
}

const loaded = new Map<string, ReadonlySet<string>>()

/** The modules that load with `entry`: everything that it imports, and nothing that is loaded later. */
function loadedWith(entry: string, graph: ModuleGraph): ReadonlySet<string> {
  const known = loaded.get(entry)
  if (known) return known
  const found = new Set([join(import.meta.dirname, entry)])
  for (const id of found) {
    const { importedIds = [], code } = graph.getModuleInfo(id) ?? {}
    for (const imported of importedIds) for (const part of partsOf(imported, code ?? '', graph)) found.add(part)
  }
  loaded.set(entry, found)
  return found
}

/** Packages whose one module names hundreds of others, of which a module needs those that it imports by name. */
const manyParts = /node_modules\/(@mantine\/(?:core|hooks|spotlight)|lucide-react)\/.*\/(?:index|lucide-react)\.mjs$/

/** What importing `id` from a module with this code loads. */
function partsOf(id: string, code: string, graph: ModuleGraph): readonly string[] {
  const name = manyParts.exec(id)?.[1]
  if (name === undefined) return [id]
  const wanted = namesIn(code).filter(({ from }) => from === name)
  const offered = namesIn(graph.getModuleInfo(id)?.code ?? '')
  return wanted.flatMap(({ original }) => {
    const part = offered.find(({ local }) => local === original)
    return part ? [join(dirname(id), part.from)] : []
  })
}

/** What a built module imports or passes on by name. */
function namesIn(code: string): ReadonlyArray<{ readonly original: string; readonly local: string; readonly from: string }> {
  return [...code.matchAll(/(?:import|export)\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g)].flatMap(([, names = '', from = '']) =>
    names.split(',').map((named) => {
      const [original = '', local = original] = named.trim().split(/\s+as\s+/)
      return { original, local, from }
    }),
  )
}

const workers = Object.values(mainInputs).filter((input) => input.endsWith('-worker.ts'))
/** What the threads load for their tasks. */
const threadTasks = [
  'src-main/use-cases/imports/run-pass.ts',
  'src-main/use-cases/statements/import-statement.ts',
  'src-main/use-cases/exports/run-export.ts',
  'src-main/sync/settle-apart.ts',
  'src-main/snapshots/snapshot-work.ts',
]
const commands = (names: readonly string[]) => names.map((name) => `src-main/commands/${name}.ts`)
/** What is loaded one after the other as a server starts, and by its workers; and the commands that work on the store without a server. */
const loads = {
  desktop: [mainInputs.main],
  cli: [mainInputs.cli],
  command: ['src-main/commands/program.ts'],
  store: ['src-main/commands/command-context.ts'],
  server: ['src-main/open-server.ts'],
  people: commands(['init', 'user', 'token', 'organization', 'mail']),
  data: commands(['demo', 'import-expenses', 'export-expenses', 'backup', 'migrate-database', 'restore', 'doctor', 'audit', 'files']),
  worker: [...workers, ...threadTasks],
}

/** The file of a module that a start loads: one for all modules that the same loads need, since finding and linking a file takes time. */
function fileOfStart(id: string, graph: ModuleGraph): string | null {
  const needing = Object.entries(loads).flatMap(([name, entries]) =>
    entries.some((entry) => loadedWith(entry, graph).has(id)) ? name : [],
  )
  return needing.length < 2 && !['command', 'store', 'server'].some((name) => needing.includes(name)) ? null : needing.join('-')
}

export default defineConfig({
  main: {
    // Each name of a JSON file would be an export: some thousands for emojis.
    json: { namedExports: false },
    build: {
      sourcemap: true,
      rollupOptions: {
        input: mainInputs,
        // Shared chunks are next to the programs, so that import.meta.dirname is out/main wherever code ends up.
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          codeSplitting: { groups: [{ name: fileOfStart }], includeDependenciesRecursively: false },
        },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload can require nothing but electron: one CommonJS file with everything in it.
      externalizeDeps: false,
      rollupOptions: { input: { preload: 'src-main/preload/preload.ts' }, output: { format: 'cjs', entryFileNames: '[name].cjs' } },
    },
  },
  renderer: {
    root: 'src-renderer',
    resolve: { alias: { '#renderer': join(import.meta.dirname, 'src-renderer') } },
    plugins: [
      react(),
      firstTexts(import.meta.dirname, 'src-renderer/main.tsx'),
      absoluteBase,
      firstScript,
      styledParts,
      serviceWorker,
      packed,
    ],
    build: {
      minify: 'oxc',
      outDir: 'out/renderer',
      rollupOptions: {
        input: 'src-renderer/index.html',
        output: {
          codeSplitting: {
            groups: [
              // What is in a file with others runs after the files that those need.
              { name: firstChunk, test: /src-renderer\/(no-eval|first|api\/early\/early)\.ts|src-shared\/domain\/locales/, priority: 1 },
              // One file in place of some sixty: each costs a request of every new page.
              { name: (id, graph) => (loadedWith('src-renderer/index.html', graph).has(id) ? 'app' : null) },
            ],
          },
        },
      },
    },
  },
})
