import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'

/** Every program and worker of the main side; each becomes out/main/<key>.js. */
const mainInputs = {
  main: 'src-main/main.ts',
  cli: 'src-main/cli.ts',
  'inspect-worker': 'src-main/files/inspect-worker.ts',
  'read-worker': 'src-main/store/read-worker.ts',
  'settle-worker': 'src-main/sync/settle-worker.ts',
  'snapshot-worker': 'src-main/snapshots/snapshot-worker.ts',
}

/** Pages lie at /review/12 too: what they load is named from the root, although electron-vite names it from the page. */
const absoluteBase: Plugin = { name: 'absolute-base', enforce: 'post', config: () => ({ base: '/' }) }

export default defineConfig({
  main: {
    build: {
      sourcemap: true,
      rollupOptions: {
        input: mainInputs,
        // Shared chunks lie beside the programs, so that import.meta.dirname is out/main wherever code ends up.
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload can require nothing but electron: one CommonJS file with everything in it.
      externalizeDeps: false,
      rollupOptions: {
        input: { preload: 'src-main/preload/preload.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    plugins: [react(), absoluteBase],
    build: {
      minify: 'oxc',
      outDir: 'out/renderer',
      rollupOptions: {
        input: 'src-renderer/index.html',
        // What is in a file with others runs after the files that those need.
        output: { codeSplitting: { groups: [{ name: 'no-eval', test: /src-renderer\/no-eval/ }] } },
      },
    },
  },
})
