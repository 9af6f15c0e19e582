// `npm run bench`: makes sure of what it needs, builds test/bench/run.ts the way the program is built, and runs it. `npm run bench -- list`
// measures the rows that have the word in their names. Results go to standard output.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureChromium } from './ensure-chromium.mjs'
import { become, ensureBench, ensureBuild, ensureDependencies, fail, node24, root } from './setup.mjs'

try {
  await ensureDependencies()
  const { positionals: words } = parseArgs({
    options: {
      quick: { type: 'boolean' },
      keep: { type: 'string' },
      expenses: { type: 'string' },
      peers: { type: 'boolean' },
      cost: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  // Figures that were measured are not to be lost to a browser that is found missing after them.
  if (words.length === 0 || words.some((word) => word === 'desktop' || 'browser'.includes(word)))
    process.env.CHROMIUM = await ensureChromium('The benchmarks')
  await ensureBuild()
  await ensureBench()
  become(node24(), [join(root, 'out', 'bench', 'run.js'), ...process.argv.slice(2)])
} catch (error) {
  fail(error)
}
