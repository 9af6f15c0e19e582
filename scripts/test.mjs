// `npm test`: all kinds of proof, in order, each at its small size. `npm test -- STEP [ARGUMENTS]` runs one step, `npm test -- --changed [REF]` what a change
// can break, `npm test -- --database postgres [FILES]` the unit tests, or these files, with instances on PostgreSQL.
// `npm run test:long`: everything at full size. `-- --changed [REF]`: of that only what the change pulls in; `-- --slice [K]`: a tenth of what `npm test` leaves out.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from './ensure-chromium.mjs'
import { fewOnPostgres, listLong, selectPulled, sliceNow, slices } from './long-form.mjs'
import { findPrograms } from './postgres.mjs'
import { SetupError, bin, ensureBuild, ensureDependencies, fail, node24, projectEnv, root } from './setup.mjs'

const results = mkdtempSync(join(temporaryFolder(), 'outlay-test-'))
const unitResults = join(results, 'unit.json')
const e2eResults = join(results, 'e2e.json')
const total = { passed: 0, failed: 0, skipped: 0 }

/** Histories: within 600 every rule that is taken out is noticed. */
const simulatedSeeds = { short: 200, long: 1000 }

/** What types and lint remember between runs. */
const cache = join(root, 'node_modules/.cache')

const runtimes = ['.shared', '.main', '.renderer']

/** In this order. Each answers an exit code. */
const steps = {
  build: () => ensureBuild().then(() => 0),
  lint: (args) => lint(args.length > 0 ? args : ['.']),
  typecheck: testTypes,
  unit: testUnits,
  simulate: (args) => project(join(root, 'scripts/simulate.mjs'), args.length > 0 ? args : ['--seeds', String(simulatedSeeds.short)]),
  e2e: testEndToEnd,
  postgres: testOnPostgres,
}

/** After the steps of `npm test` that come before. */
const everything = [
  ['simulate', ['--seeds', String(simulatedSeeds.long)]],
  ['simulate', ['--mutants']],
  ['postgres', ['test']],
  ['e2e', []],
]

process.on('exit', () => rmSync(results, { recursive: true, force: true }))
const startedAt = Date.now()
try {
  const [only, ...args] = process.argv.slice(2)
  const options = { '--changed': () => runChanged(args[0]), '--database': () => runOn(args), '--long': () => runLong(args) }
  if (only !== undefined && !(only in options) && !(only in steps))
    throw new SetupError(`Unknown step ${only}: one of ${Object.keys(steps).join(', ')}, --changed, --database or --long.`)
  await ensureDependencies()
  const code = await (only === undefined ? runAll() : (options[only]?.() ?? runSteps([only], args)))
  console.log(`\nIn ${seconds(startedAt)}.${total.skipped > 0 ? ` ${total.skipped} skipped.` : ''}`)
  if (total.passed + total.failed > 0) console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = code
} catch (error) {
  fail(error)
}

// Instances of tests are then on another database than SQLite; `vitest.config.ts` lists what cannot be, and why.
function runOn([database, ...args]) {
  if (database !== 'postgres') throw new SetupError('The other database is postgres.')
  return runStep('postgres', () => onPostgres(() => testUnits(args)))
}

async function onPostgres(work) {
  const { startPostgres } = await import('./postgres.mjs')
  const cluster = await startPostgres()
  process.env.OUTLAY_TEST_POSTGRES = cluster.url
  try {
    return await work()
  } finally {
    delete process.env.OUTLAY_TEST_POSTGRES
    await cluster.close()
  }
}

// A few tests wherever it is installed: not every machine that Outlay is worked on has it.
async function testOnPostgres(args) {
  try {
    findPrograms()
  } catch (error) {
    console.log(`NOT RUN: the tests on PostgreSQL. ${error.message}`)
    return 0
  }
  return onPostgres(() => testUnits(args.length > 0 ? args : fewOnPostgres))
}

async function runAll() {
  const code = await besideLint(['.'], () => runSteps(['build', 'typecheck', 'unit', 'simulate', 'postgres']))
  return code || runSteps(['e2e'])
}

// The whole long form; of it what a change pulls in; or one slice of what `npm test` leaves out.
async function runLong([option, value]) {
  const { listChanged, listPaths } = await import('./changed.mjs')
  const long = listLong(listPaths())
  process.env.OUTLAY_TEST_LONG = '1'
  if (option === undefined) return (await besideLint(['.'], () => runSteps(['build', 'typecheck', 'unit']))) || runWork(everything)
  if (option === '--changed') return runWork(longWorkOf(selectPulled(changedSince(listChanged, value), long)))
  const slice = Number(value ?? sliceNow())
  if (option !== '--slice' || !(slice >= 1 && slice <= slices))
    throw new SetupError(`--long takes --changed [REF] or --slice [1 to ${slices}].`)
  const share = `--shard=${slice}/${slices}`
  console.log(`Slice ${slice} of ${slices} of the long form. NOT RUN here: the other ${slices - 1}.`)
  return runWork([
    ['unit', [share, ...long.unit]],
    ['postgres', [share]],
    ['simulate', ['--seeds', String(simulatedSeeds.long), '--seed', String(slice * simulatedSeeds.long)]],
    ['simulate', ['--mutants', share]],
    ['e2e', [share, ...long.e2e]],
  ])
}

function longWorkOf({ unit, e2e, postgres, simulate }) {
  const works = [
    ['unit', unit],
    ['postgres', postgres],
    ['e2e', e2e],
  ].filter(([, files]) => files.length > 0)
  if (works.length + simulate.length === 0) console.log('The change pulls in nothing of the long form.')
  return [...works, ...simulate.map((args) => ['simulate', args.split(' ')])]
}

async function runWork(works) {
  for (const [name, args] of works) {
    const code = await runStep(name, () => steps[name](args))
    if (code !== 0) return code
  }
  return 0
}

// Lint keeps one core busy for long and is independent of the others: it runs at the same time and is reported last. It has the lowest priority, since
// tests wait for processes that inspect files and read receipts, which have a low one.
async function besideLint(files, work) {
  let said = ''
  const linted = lint(files, { hear: (text) => (said += text), priority: constants.priority.PRIORITY_LOW })
  const code = await work()
  const lintCode = await runStep('lint', async () => {
    const ended = await linted
    process.stdout.write(said)
    return ended
  })
  return code || lintCode
}

// Only what the change is near to runs.
async function runChanged(ref) {
  // It needs a dependency, and a fresh clone has none yet.
  const { listChanged, listPaths, readImporters, selectChecks } = await import('./changed.mjs')
  const changed = changedSince(listChanged, ref)
  if (changed.length === 0) {
    console.log('Nothing has changed.')
    return 0
  }
  const paths = listPaths()
  const { lint, tests, specs, farther } = selectChecks(changed, paths, readImporters(paths))
  const chosen = [
    ['typecheck', testTypes, changed],
    ['unit', testUnits, tests],
    ['e2e', testEndToEnd, specs],
  ]
  const runChosen = async () => {
    for (const [name, work, files] of chosen) {
      const code = files.length === 0 ? 0 : await runStep(name, () => work(files))
      if (code !== 0) return code
    }
    return 0
  }
  const code = await (lint.length > 0 ? besideLint(lint, runChosen) : runChosen())
  if (code !== 0) return code
  if (farther > 0) console.log(`\n${farther} test files load what changed from further away: \`npm test\` runs them.`)
  return 0
}

function changedSince(listChanged, ref) {
  try {
    return listChanged(ref)
  } catch (error) {
    throw new SetupError(`Git does not know ${ref}.`, { cause: error })
  }
}

function runSteps(names, args = []) {
  return runWork(names.map((name) => [name, args]))
}

async function runStep(name, work) {
  console.log(`\n── ${name} ${'─'.repeat(60 - name.length)}`)
  const since = Date.now()
  const code = await work()
  console.log(`${name}: ${code === 0 ? 'done' : 'FAILED'} in ${seconds(since)}`)
  return code
}

// Each runtime by what it has (no DOM on the server, no Node on a page, neither in what both share), then everything with its tests.
// The compiler remembers what it checked: only what has changed, and what depends on it, is checked again.
async function testTypes() {
  for (const runtime of [...runtimes, '']) {
    const memory = ['--incremental', '--tsBuildInfoFile', join(cache, `types/all${runtime}.json`)]
    const code = await project(bin('typescript7', 'bin/tsc'), ['--noEmit', '--project', `tsconfig${runtime}.json`, ...memory])
    if (code !== 0) return code
  }
  return 0
}

// Files with the same content as when they passed are skipped. A rule that asks for types may then miss what a change of another file
// makes of them: a fresh clone, as in CI, has no memory.
async function lint(files, options) {
  const memory = (name) => ['--cache', '--cache-strategy', 'content', '--cache-location', join(cache, name)]
  const code = await project(bin('eslint', 'bin/eslint.js'), [...memory('eslint/'), ...files], options)
  if (code !== 0) return code
  return project(bin('prettier', 'bin/prettier.cjs'), ['--check', '--ignore-unknown', ...memory('prettier.json'), ...files], options)
}

// The tests of the command line and of the workers run what was built.
async function testUnits(args) {
  await ensureBuild()
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${unitResults}`]
  const code = await project(bin('vitest', 'vitest.mjs'), ['run', ...reporters, ...args])
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0 } = readResults(unitResults)
  add(numPassedTests, numFailedTests, numPendingTests)
  return code
}

async function testEndToEnd(args) {
  await ensureBuild()
  await ensureChromium('The end-to-end tests')
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: e2eResults }
  const code = await project(bin('@playwright/test', 'cli.js'), ['test', '--reporter=list,json', ...args], { env })
  const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = readResults(e2eResults).stats ?? {}
  add(expected + flaky, unexpected, skipped)
  if (flaky > 0) console.log(`${flaky} passed only when tried again: listed above as flaky.`)
  return code
}

// If memory allows, test files are in memory and do not wait for a disk. Other tests trace writes to check what a disk does,
// without depending on chance.
function temporaryFolder() {
  const leastBytes = 4 * 2 ** 30
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize >= leastBytes) return '/dev/shm'
  } catch {
    // Not on this system.
  }
  return tmpdir()
}

// What it says goes where ours goes, or to `hear`.
function project(script, args, { env = {}, hear, priority } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(node24(), [script, ...args], {
      cwd: root,
      env: projectEnv({ TMPDIR: results, ...env }),
      stdio: hear ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    })
    if (priority !== undefined && child.pid !== undefined) setPriority(child.pid, priority)
    if (hear) for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear)
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}

// A runner that could not start leaves no results; its exit code shows that.
function readResults(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}

function add(passed, failed, skipped) {
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`
}
