import { defineConfig, type Plugin } from 'vitest/config'

/** Importing electron outside Electron starts a download: say what is wrong instead. */
const noElectron: Plugin = {
  name: 'no-electron',
  enforce: 'pre',
  resolveId: (id) => (id === 'electron' ? '\0no-electron' : undefined),
  load: (id) =>
    id === '\0no-electron' ? "throw new Error('electron is not there in tests: pass what is needed from outside')" : undefined,
}

export default defineConfig({
  plugins: [noElectron],
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    pool: 'threads',
    maxWorkers: 2,
    // Half of the time went into loading the same modules for every file. What a file changes for all it sets back.
    isolate: false,
    // Room for a machine that is busy: what never comes still fails.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
