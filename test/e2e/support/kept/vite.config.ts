import { join } from 'node:path'
import { defineConfig, mergeConfig, type Plugin } from 'vite'
import electron from '../../../../electron.vite.config'

/** The page begins with the entry that has the hook of tests. */
const withHook: Plugin = {
  name: 'with-hook',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('/main.tsx') ? join(import.meta.dirname, 'entry.ts') : undefined),
}

const root = join(import.meta.dirname, '../../../..')

/** Builds the page for tests into `out/test-page`, as it ships but for its entry. */
export default defineConfig(
  mergeConfig(electron.renderer ?? {}, {
    root: join(root, 'src-renderer'),
    plugins: [withHook],
    build: { outDir: join(root, 'out/test-page'), emptyOutDir: true, modulePreload: { polyfill: false } },
  }),
)
