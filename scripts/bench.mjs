// `npm run bench`: builds test/bench/run.ts the way the program is built, and runs it. Results go to standard output.
import { join } from 'node:path'
import { SetupError, become, bin, ensureBuild, ensureDependencies, fail, node24, root, run } from './setup.mjs'

try {
  await ensureDependencies()
  await ensureBuild()
  const vite = [bin('vite', 'bin/vite.js'), 'build', '--ssr', 'test/bench/run.ts', '--outDir', 'out/bench', '--logLevel', 'warn']
  if ((await run(node24(), vite, { quiet: true })) !== 0) throw new SetupError('The benchmarks could not be built.')
  become(node24(), [join(root, 'out', 'bench', 'run.js'), ...process.argv.slice(2)])
} catch (error) {
  fail(error)
}
