// A throw-away copy of the sources, in which tests run while something is wrong. The working tree is never changed.
import { spawn } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { listPaths } from './changed.mjs'
import { isAlive } from './lock.mjs'
import { patchOf } from './patch.mjs'
import { bin, ensureBuild, node24, projectEnv, root } from './setup.mjs'

const nameOf = (pid) => `outlay-faults-${pid}`
const folder = join(tmpdir(), nameOf(process.pid))
const sources = join(folder, 'outlay')
/** Waiting for what never comes ends before the limit of a run, so that the test that waits is named. */
const patienceMs = 20_000
const unitPatienceMs = 4 * 60_000
const playwrightConfig = `import config from './playwright.config'
export default { ...config, workers: 1, retries: 0, timeout: 90_000, expect: { timeout: ${patienceMs} }, use: { ...config.use, actionTimeout: ${patienceMs}, trace: 'off' } }
`
// The settings name files from the folder in which the build runs. What is not made small is over the budget of the first load.
const pageBuild = `import { join } from 'node:path'
import { resolveConfig } from 'electron-vite'
import { build } from 'vite'
const { config: { renderer } } = await resolveConfig({ root: process.cwd(), logLevel: 'error' }, 'build')
const outDir = join(process.cwd(), 'out/renderer')
const plugins = renderer.plugins.flat().filter(({ name }) => name !== 'packed')
await build({ ...renderer, plugins, build: { ...renderer.build, outDir, emptyOutDir: true, minify: false, reportCompressedSize: false } })
`
let running

/** Makes the copy, and removes those of runs that were killed. */
export async function makeCopy() {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^outlay-faults-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) removeFolder(join(tmpdir(), name))
  }
  process.on('exit', () => {
    stop(running)
    removeFolder(folder)
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
  await ensureBuild()
  for (const path of listPaths()) {
    mkdirSync(dirname(join(sources, path)), { recursive: true })
    copyFileSync(join(root, path), join(sources, path))
  }
  for (const part of ['main', 'preload', 'renderer']) cpSync(join(root, 'out', part), join(sources, 'out', part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'), 'junction')
  mkdirSync(join(folder, 'tmp'))
  writeFileSync(join(sources, 'faults.config.ts'), playwrightConfig)
  writeFileSync(join(sources, 'build-page.mjs'), pageBuild)
}

function removeFolder(path) {
  rmSync(path, { recursive: true, force: true, maxRetries: 5 })
}

/** Plants a patch. Answers what takes it out again. */
export function plant(patch) {
  const path = join(sources, patch.file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, patchOf(text, patch))
  return () => writeFileSync(path, text)
}

/** Builds the page, and nothing else, from what the copy is now. */
export async function buildPage() {
  const { code } = await runLimited([join(sources, 'build-page.mjs')], {}, 5 * 60_000)
  if (code !== 0) throw new Error('The page could not be built from the copy.')
}

/**
 * Runs unit tests, or specs in the browser: those whose names contain one of `names`, all without. Answers the tests that ran, as
 * `{ file, name, passed }`, and how the run ended: `done`, `crashed`, or `limit` when it was stopped after `limitMs`.
 */
export async function runTests(files, { names, limitMs, isLong, isUntilFailure }) {
  const isBrowser = files[0].endsWith('.spec.ts')
  const results = join(folder, 'results.json')
  rmSync(results, { force: true })
  const pattern = names?.map((name) => RegExp.escape(name)).join('|')
  const args = isBrowser ? browserArgs(files, { pattern, isUntilFailure }) : unitArgs(files, { pattern, isUntilFailure, results })
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: results, OUTLAY_TEST_LONG: isLong ? '1' : '', TMPDIR: join(folder, 'tmp') }
  const { end } = await runLimited(args, env, limitMs)
  const read = isBrowser ? readSpecs : readUnits
  try {
    return { end, tests: read(JSON.parse(readFileSync(results, 'utf8'))) }
  } catch {
    return { end: end === 'done' ? 'crashed' : end, tests: [] }
  }
}

function unitArgs(files, { pattern, isUntilFailure, results }) {
  // In the copy and not among the dependencies, which are shared: a file is transformed once for all runs, and its cache goes with the copy.
  const cache = [`--fsModuleCachePath=${join(folder, 'cache')}`]
  const limits = [`--testTimeout=${unitPatienceMs}`, `--hookTimeout=${unitPatienceMs}`]
  const report = ['--reporter=json', `--outputFile=${results}`]
  return [
    ...[bin('vitest', 'vitest.mjs'), 'run', ...cache, ...limits, ...report, ...files],
    ...(pattern ? ['-t', pattern] : []),
    ...(isUntilFailure ? ['--bail=1'] : []),
  ]
}

function browserArgs(files, { pattern, isUntilFailure }) {
  return [
    ...[bin('@playwright/test', 'cli.js'), 'test', '--config=faults.config.ts', '--project=browser', '--reporter=json', ...files],
    ...(pattern ? ['-g', pattern] : []),
    ...(isUntilFailure ? ['-x'] : []),
  ]
}

function runLimited(args, env, limitMs) {
  return new Promise((resolve, reject) => {
    const child = spawn(node24(), args, { cwd: sources, env: projectEnv(env), stdio: 'ignore', detached: true })
    running = child
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      stop(child)
    }, limitMs)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      running = undefined
      resolve({ end: isLate ? 'limit' : code === null ? 'crashed' : 'done', code })
    })
  })
}

// With all that it started.
function stop(child) {
  if (child?.exitCode !== null || child.pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}

// A file that does not load has no tests, and failed.
function readUnits({ testResults }) {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(sources, name)
    const tests = assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status }) => ({ file, name: fullName, passed: status === 'passed' }))
    return status === 'failed' && tests.every(({ passed }) => passed) ? [...tests, { file, name: 'the file', passed: false }] : tests
  })
}

function readSpecs({ suites }) {
  const all = ({ specs = [], suites = [] }, title) => [
    ...specs.map((spec) => ({ ...spec, title: `${title} ${spec.title}` })),
    ...suites.flatMap((suite) => all(suite, `${title} ${suite.title}`)),
  ]
  return suites
    .flatMap((suite) => all(suite, ''))
    .filter(({ tests }) => tests.some(({ status }) => status !== 'skipped'))
    .map(({ file, title, ok }) => ({ file, name: title, passed: ok }))
}
