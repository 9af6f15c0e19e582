import { join } from 'node:path'
import { configDefaults, defineConfig, type Plugin } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { firstTexts } from './scripts/first-texts.mjs'

/** Importing electron outside Electron starts a download: say what is wrong instead. */
const noElectron: Plugin = {
  name: 'no-electron',
  enforce: 'pre',
  resolveId: (id) => (id === 'electron' ? '\0no-electron' : undefined),
  load: (id) =>
    id === '\0no-electron' ? "throw new Error('electron is not there in tests: pass what is needed from outside')" : undefined,
}

/** The tests that say nothing of an instance on PostgreSQL, and why. */
const notOnPostgres: Readonly<Record<string, string>> = {
  'test/{bench,codes,demo,domain,i18n,processes,simulation,tables,tooling}/**': 'They start no server on a database.',
  'test/cli/snapshots.test.ts': 'Snapshots are copies of a file. Backups of PostgreSQL are made by its own means.',
  'test/snapshots/{files,keeper,recover,start-fault}.test.ts': 'As above, and of recoveries from them.',
  'test/disk-full/{replica,start,transactions,writes}.test.ts':
    'They fill the disk of a folder. test/postgres/disk-full.test.ts fills that of PostgreSQL.',
  'test/store/apply-rows.test.ts': 'It applies rows as a replica does. A replica is always on SQLite.',
  'test/http/damage.test.ts': 'It spoils rows of a file. PostgreSQL has checksums of its pages.',
  'test/http/expenses/card-secrecy.test.ts': 'It looks for numbers in the files of a folder.',
  'test/http/list-reads.test.ts': 'It asks which lists would hold up the responding thread. There every list is read by another process.',
  'test/http/long-lists.test.ts': 'As above, of counts.',
  'test/http/shared-commits.test.ts': 'It looks into the file while a commit waits. The write queue is the same.',
}

/** The largest files come first; the tables of permissions are small, and take minutes: at the end one worker would wait for them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes('/http/permissions/') || moduleId.endsWith('/http/fuzz.test.ts')
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** Built workers start in a third of the time that their sources take. `npm test` builds what changed first. */
const builtWorkers = { find: '#main/worker-file', replacement: join(import.meta.dirname, 'test/support/processes/built-worker.ts') }

/** Instances of a test process share the processes that inspect files. */
const sharedPool = { find: '#main/processes/child-pool', replacement: join(import.meta.dirname, 'test/support/processes/shared-pool.ts') }

export default defineConfig({
  plugins: [noElectron, firstTexts(import.meta.dirname, 'src-renderer/main.tsx')],
  resolve: { alias: [builtWorkers, sharedPool, { find: '#renderer', replacement: join(import.meta.dirname, 'src-renderer') }] },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: [...configDefaults.exclude, ...(process.env.OUTLAY_TEST_POSTGRES ? Object.keys(notOnPostgres) : [])],
    // Not threads: fetch runs WebAssembly, whose code V8 keeps once for a process. Two threads that free it at the same time crash Node 24.
    pool: 'forks',
    maxWorkers: 2,
    // Room for new objects, so that they are collected less often: a tenth of the processor time.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    sequence: { sequencer: LongestFirst },
    // Half of the time went into loading the same modules for every file. What a file changes for all it sets back.
    isolate: false,
    // Room for a machine that is busy: what never comes still fails.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
