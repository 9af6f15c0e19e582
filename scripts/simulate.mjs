// `npm run simulate -- --seeds N [--seed S]`: runs N histories of replicas and their remote under faults, on two
// processes, from seed S on; prints a failing one with as few steps as it needs. `--mutants [NAME]`: breaks the engine on
// purpose, one way after another, and prints the seed that catches each (`src-main/sync/SPEC.md`). `--shard K/N`: every Nth of them.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { patchOf } from './patch.mjs'
import { SetupError, become, ensureDependencies, fail, node24, projectEnv, root, say } from './setup.mjs'

const workers = 2
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    mutants: { type: 'boolean', default: false },
    only: { type: 'string' },
    shard: { type: 'string', default: '1/1' },
  },
})

/** Builds the simulation into a folder, with the patches of a mutant where there are any. */
async function buildInto(outDir, patches = []) {
  const { build } = await import('vite')
  const byFile = Map.groupBy(patches, ({ file }) => join(root, file))
  const mutate = {
    name: 'mutate',
    enforce: 'pre',
    transform: (code, id) => (byFile.get(id.split('?')[0]) ?? []).reduce((text, patch) => patchOf(text, patch), code),
  }
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [mutate],
    build: { ssr: 'test/simulation/run.ts', outDir, emptyOutDir: true, minify: false },
  })
  return join(outDir, 'run.js')
}

/** Runs a range of seeds on all workers. Answers the first that failed. Throws when none did and not all were lived through. */
async function runSeeds(program, { first, count, onLine, isUntilFailure }) {
  let seeds = 0
  let failed
  const children = Array.from({ length: workers }, (_, index) => {
    const args = ['--first', first + index, '--end', first + count, '--step', workers, '--failures', isUntilFailure ? 1 : 3]
    // A history leaves much behind and nothing for long: a roomy nursery spares a few parts in a hundred.
    const child = spawn(node24(), ['--max-semi-space-size=128', program, ...args.map(String), ...(isUntilFailure ? ['--plain'] : [])], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...projectEnv({}) },
    })
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{')) seeds += JSON.parse(line).count
      else onLine(line)
      const [, seed] = /^seed (\d+):/.exec(line) ?? []
      if (seed === undefined) return
      failed = Math.min(failed ?? Number(seed), Number(seed))
      if (isUntilFailure) for (const other of children) other.kill()
    })
    return child
  })
  await Promise.all(children.map((child) => new Promise((resolve) => child.on('close', resolve))))
  if (failed === undefined && seeds !== count) throw new SetupError(`Only ${seeds} of ${count} histories came to an end.`)
  return { seeds, failed }
}

async function simulate(first, count) {
  const program = await buildInto(join(root, 'out', 'simulation'))
  const started = performance.now()
  const { seeds, failed } = await runSeeds(program, { first, count, onLine: (line) => say(line), isUntilFailure: false })
  const seconds = (performance.now() - started) / 1000
  say(`${seeds} seeds in ${seconds.toFixed(1)} s, ${(seeds / seconds).toFixed(1)} seeds/s${failed ? '; some failed' : ''}`)
  return failed === undefined ? 0 : 1
}

async function runMutants(first, count) {
  const { mutants } = await import('../test/simulation/mutants.ts')
  const [shard = 1, shards = 1] = values.shard.split('/').map(Number)
  const chosen = mutants.filter(({ name }, index) => (values.only ?? name) === name && index % shards === shard - 1)
  let missed = 0
  for (const { name, patches, isEquivalent } of chosen) {
    const outDir = join(root, 'out', 'simulation-mutant')
    const program = await buildInto(outDir, patches)
    const reasons = []
    const { failed } = await runSeeds(program, { first, count, onLine: (line) => reasons.push(line), isUntilFailure: true })
    if (failed === undefined && !isEquivalent) missed += 1
    process.stdout.write(
      `${name}: ${failed === undefined ? 'not caught' : `caught at seed ${failed}: ${(reasons[0] ?? '').slice(0, 160)}`}\n`,
    )
    rmSync(outDir, { recursive: true, force: true })
  }
  return missed === 0 ? 0 : 1
}

try {
  if (!/^\d+$/.test(values.seeds) || !/^\d+$/.test(values.seed))
    throw new SetupError('npm run simulate -- --seeds N --seed S, both whole numbers.')
  await ensureDependencies()
  if (Number(process.versions.node.split('.')[0]) < 24) become(node24(), [import.meta.filename, ...process.argv.slice(2)])
  else process.exitCode = await (values.mutants ? runMutants : simulate)(Number(values.seed), Number(values.seeds))
} catch (error) {
  fail(error)
}
