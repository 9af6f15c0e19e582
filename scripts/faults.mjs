// `npm run test:faults [-- NAME… --area AREA --long]`: plants the faults of test/faults one after the other in a throw-away copy of the
// sources, and prints which test finds each. Ends with 1 when fewer than 57 of 60 are found; `--long` runs tests at full size and finds all.
import { parseArgs } from 'node:util'
import { listPaths, readImporters, selectChecks } from './changed.mjs'
import { ensureChromium } from './ensure-chromium.mjs'
import { buildPage, makeCopy, plant, runTests } from './fault-copy.mjs'
import { SetupError, become, ensureDependencies, fail, node24 } from './setup.mjs'

/** The short form may miss one fault in twenty, the long form none. */
const leastFound = 0.95
const nearLimitMs = 5 * 60_000
const farLimitMs = 15 * 60_000
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { area: { type: 'string' }, long: { type: 'boolean', default: false } },
})
const isSpec = (path) => path.endsWith('.spec.ts')

try {
  await ensureDependencies()
  if (Number(process.versions.node.split('.')[0]) < 24) become(node24(), [import.meta.filename, ...process.argv.slice(2)])
  else process.exitCode = await findFaults()
} catch (error) {
  fail(error)
}

async function findFaults() {
  const { faults: all } = await import('../test/faults/index.ts')
  const isWanted = ({ name, area }) =>
    (values.area ?? area) === area && (positionals.length === 0 || positionals.some((part) => name.includes(part)))
  const faults = all.filter(isWanted)
  if (faults.length === 0) throw new SetupError('No fault has such a name or is of such an area.')
  if (faults.some(({ test }) => isSpec(test))) await ensureChromium('Faults of the page')
  await makeCopy()
  console.log(`The tests of ${faults.length} faults, without the faults…`)
  const isNear = await runWithout(faults)
  const rows = []
  for (const fault of faults) {
    const since = Date.now()
    const by = await findOne(fault, isNear(fault))
    rows.push({ ...fault, by })
    const seconds = Math.round((Date.now() - since) / 1000)
    console.log(`${rows.length}/${faults.length} ${fault.name}, in ${seconds} s: ${by ?? `NOT FOUND. ${fault.effect}`}`)
  }
  console.log()
  for (const { area, name, by } of rows) console.log(`${area.padEnd(6)} ${name.padEnd(60)} ${by?.split(':')[0] ?? 'NOT FOUND'}`)
  const found = rows.filter(({ by }) => by !== undefined).length
  console.log(`\n${found} of ${faults.length} faults found.`)
  return found >= Math.ceil(faults.length * (values.long ? 1 : leastFound)) ? 0 : 1
}

/** Runs the tests named by faults on the sources as they are: all must pass. Answers whether the test of a fault ran. */
async function runWithout(faults) {
  const groups = Map.groupBy(faults, ({ test, only }) => `${isSpec(test)} ${only === undefined}`)
  const tests = []
  for (const group of groups.values()) {
    const names = group[0].only === undefined ? undefined : group.map(({ only }) => only)
    const run = await runTests([...new Set(group.map(({ test }) => test))], { names, limitMs: 2 * farLimitMs, isLong: values.long })
    tests.push(...run.tests)
    if (run.end !== 'done') throw new SetupError('The tests did not run to their end although nothing was planted.')
  }
  const failed = tests.filter(({ passed }) => !passed)
  if (failed.length > 0) throw new SetupError(`They fail although nothing is planted:\n${failed.map((test) => describe(test)).join('\n')}`)
  return ({ test, only }) => tests.some(({ file, name }) => file === test && name.includes(only ?? ''))
}

/** What found a fault: its own test, else one that the change of its file chooses. */
async function findOne(fault, isNear) {
  const takeOut = plant(fault)
  try {
    return (isNear ? await findNear(fault) : undefined) ?? (await findFar(fault, takeOut))
  } finally {
    takeOut()
  }
}

async function findNear({ test, only }) {
  if (isSpec(test)) await buildPage()
  const { end, tests } = await runTests([test], {
    names: only === undefined ? undefined : [only],
    limitMs: nearLimitMs,
    isLong: values.long,
    isUntilFailure: true,
  })
  const failed = tests.find(({ passed }) => !passed)
  return failed ? describe(failed) : end === 'done' ? undefined : `${test} (${end})`
}

// A test that fails without the fault as well has found nothing.
async function findFar({ file, test }, takeOut) {
  const paths = listPaths()
  const { tests, specs } = selectChecks([file], paths, readImporters(paths))
  const hasPage = /^src-(?:renderer|shared)\//.test(file)
  // Those of tooling and documents read the sources as text, from git, which the copy is not.
  const units = tests.filter((path) => !/^test\/(?:tooling|docs)\//.test(path))
  for (const files of [units, hasPage ? specs : []].filter((some) => some.length > 0)) {
    const options = { limitMs: farLimitMs, isLong: values.long }
    if (isSpec(files[0])) await buildPage()
    const failed = (await runTests(files, { ...options, isUntilFailure: true })).tests.find(({ passed }) => !passed)
    if (failed === undefined) continue
    takeOut()
    if (isSpec(failed.file)) await buildPage()
    const without = await runTests([failed.file], options)
    if (without.end === 'done' && without.tests.every(({ passed }) => passed)) return `${describe(failed)}, not by ${test}`
    return undefined
  }
  return undefined
}

function describe({ file, name }) {
  return `${file}: ${name.trim()}`
}
