// `npm run --silent outlay -- COMMAND`: the command-line program from a checkout, as an installed `outlay COMMAND`.
import { join } from 'node:path'
import { become, ensureBuild, ensureDependencies, fail, node24, root } from './setup.mjs'

try {
  await ensureDependencies()
  await ensureBuild()
  become(node24(), [join(root, 'out', 'main', 'cli.js'), ...process.argv.slice(2)])
} catch (error) {
  fail(error)
}
