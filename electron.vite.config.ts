import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'

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

/** Tells the service worker which files the build made, so that it can keep them. */
const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const files = Object.keys(bundle).filter((name) => name.startsWith('assets/') && !name.endsWith('.map'))
      const worker = readFileSync(join(import.meta.dirname, 'src-renderer/service-worker.js'), 'utf8')
      const page = readFileSync(join(import.meta.dirname, 'src-renderer/index.html'), 'utf8')
      const version = createHash('sha256')
        .update([worker, page, ...files].join('\n'))
        .digest('hex')
        .slice(0, 16)
      const shell = JSON.stringify({ version, files: files.map((name) => `/${name}`) })
      const source = worker.replace("{ version: '', files: [] }", () => shell)
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source })
    },
  },
}

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

const loaded = new Map<string, ReadonlySet<string>>()

/** The modules that load with `entry`: everything that it imports, and nothing that is loaded later. */
function loadedWith(entry: string, graph: ModuleGraph): ReadonlySet<string> {
  const known = loaded.get(entry)
  if (known) return known
  const found = new Set([join(import.meta.dirname, entry)])
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  loaded.set(entry, found)
  return found
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
/** What is loaded one after the other as a server starts, and by its workers. */
const loads = {
  desktop: [mainInputs.main],
  cli: [mainInputs.cli],
  command: ['src-main/commands/program.ts'],
  server: ['src-main/open-server.ts'],
  worker: [...workers, ...threadTasks],
}

/** The file of a module that a start loads: one for all modules that the same loads need, since finding and linking a file takes time. */
function fileOfStart(id: string, graph: ModuleGraph): string | null {
  const needing = Object.entries(loads).flatMap(([name, entries]) =>
    entries.some((entry) => loadedWith(entry, graph).has(id)) ? name : [],
  )
  return needing.length < 2 && !needing.includes('command') && !needing.includes('server') ? null : needing.join('-')
}

export default defineConfig({
  main: {
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
    plugins: [react(), absoluteBase, serviceWorker],
    build: {
      minify: 'oxc',
      outDir: 'out/renderer',
      rollupOptions: {
        input: 'src-renderer/index.html',
        output: {
          codeSplitting: {
            groups: [
              // What is in a file with others runs after the files that those need.
              { name: 'no-eval', test: /src-renderer\/no-eval/, priority: 1 },
              // One file in place of some sixty: each costs a request of every new page.
              { name: (id, graph) => (loadedWith('src-renderer/index.html', graph).has(id) ? 'app' : null) },
            ],
          },
        },
      },
    },
  },
})
