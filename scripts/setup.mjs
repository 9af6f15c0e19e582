/**
 * What every command of a bare clone needs first: the dependencies, the build, and a Node that can run it.
 * Plain JavaScript without dependencies, because it runs on whatever Node the machine has (20 or later).
 * Everything it says goes to standard error: standard output belongs to the program that follows.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.mjs'

/** The folder of the checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const modules = join(root, 'node_modules')
const modulesStamp = join(modules, '.outlay-stamp')
/** What Node keeps of the programs that run in the checkout: a new build begins it again. */
const compiledCode = join(root, 'out', '.compiled')
const lockFolder = join(root, '.outlay', 'setup.lock')
const requiredMajor = 24

/** What the build and the page for tests are made from: folders are read whole. */
const sources = ['src-main', 'src-renderer', 'src-shared', 'db']
const buildInputs = [...sources, 'electron.vite.config.ts', 'scripts/first-texts.mjs', 'package.json', 'package-lock.json']
/** The bench uses what tests make. */
const benchInputs = [...buildInputs.filter((input) => input !== 'src-renderer'), 'test']
const testPageInputs = [...buildInputs.filter((input) => !['src-main', 'db'].includes(input)), 'test/e2e/support/kept']

/** Prints one line on standard error. */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/** Installs the dependencies named by package-lock.json, unless they are there. */
export async function ensureDependencies() {
  if (hasDependencies()) return
  await withLock(lockFolder, async () => {
    if (hasDependencies()) return
    if (!isInstalledByHand()) await install()
    writeFileSync(modulesStamp, lockfileDigest())
  })
}

/** Builds out/ from the sources, unless it is made from exactly these. */
export function ensureBuild() {
  return ensureMade('.stamp', buildInputs, () => {
    say('Building Outlay…')
    rmSync(compiledCode, { recursive: true, force: true })
    return [bin('electron-vite', 'bin/electron-vite.js'), 'build']
  })
}

/** Builds out/test-page: the page with what the end-to-end tests empty it by, which no page that ships has. */
export function ensureTestPage() {
  return ensureMade('.test-page-stamp', testPageInputs, () => {
    say('Building the page for tests…')
    return [bin('vite', 'bin/vite.js'), 'build', '--config', join(root, 'test/e2e/support/kept/vite.config.ts')]
  })
}

/** Builds out/bench: the program that measures, the way the program itself is built. */
export function ensureBench() {
  return ensureMade('.bench-stamp', benchInputs, () => [
    bin('vite', 'bin/vite.js'),
    'build',
    '--ssr',
    'test/bench/run.ts',
    '--outDir',
    'out/bench',
  ])
}

/** Makes something of out/ unless its stamp says that it was made from exactly these inputs. */
async function ensureMade(name, inputs, begin) {
  const stamp = join(root, 'out', name)
  if (readOr(stamp, '') === digestOf(inputs)) return
  await withLock(lockFolder, async () => {
    const digest = digestOf(inputs)
    if (readOr(stamp, '') === digest) return
    rmSync(stamp, { force: true })
    const code = await run(node24(), [...begin(), '--logLevel', 'warn'], { quiet: true })
    if (code !== 0) throw new SetupError('The build failed.')
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, digest)
  })
}

/**
 * The path of a Node that runs the project: the one among the dependencies where there is one for this platform,
 * else the running one.
 * @throws SetupError when neither is recent enough
 */
export function node24() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const bundled = join(modules, `node-${platform}-${process.arch}`, 'bin', file)
  if (existsSync(bundled)) return bundled
  if (Number(process.versions.node.split('.')[0]) >= requiredMajor) return process.execPath
  throw new SetupError(
    `Outlay needs Node ${requiredMajor} or later and this is ${process.version}. Install it from https://nodejs.org and try again.`,
  )
}

/** The path of a script inside a dependency. */
export function bin(name, script) {
  return join(modules, name, script)
}

/** The environment of the project's programs: `node` means the Node that runs the project. */
export function projectEnv(extra = {}) {
  const pathKey = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  const folders = [dirname(node24()), join(modules, '.bin'), process.env[pathKey]]
  return { ...process.env, [pathKey]: folders.filter(Boolean).join(delimiter), NODE_COMPILE_CACHE: compiledCode, ...extra }
}

/**
 * Runs a program in the checkout to its end and returns its exit code. Its output goes to standard error; with `quiet`
 * it is shown only when the program fails.
 */
export function run(command, args, { quiet = false, shell = false } = {}) {
  return new Promise((resolve, reject) => {
    const output = quiet ? 'pipe' : 2
    const child = spawn(command, args, { cwd: root, shell, stdio: ['ignore', output, output] })
    const chunks = []
    child.stdout?.on('data', (chunk) => chunks.push(chunk))
    child.stderr?.on('data', (chunk) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code !== 0) process.stderr.write(Buffer.concat(chunks))
      resolve(code ?? 1)
    })
  })
}

/**
 * Becomes another program as far as a parent can become its child: same streams, same signals, same end. It runs where
 * npm was called, not in the checkout that npm moves to, so that relative paths mean what the caller meant.
 */
export function become(command, args) {
  const isDirectScript = ['outlay', 'start'].includes(process.env.npm_lifecycle_event)
  const cwd = (isDirectScript && process.env.INIT_CWD) || process.cwd()
  const child = spawn(command, args, { cwd, env: projectEnv(), stdio: 'inherit' })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const forward = (signal) => child.kill(signal)
  for (const signal of signals) process.on(signal, forward)
  if (process.env.npm_lifecycle_event) onParentGone(() => child.kill('SIGTERM'))
  child.on('error', (error) => fail(error))
  child.on('exit', (code, signal) => {
    for (const name of signals) process.off(name, forward)
    if (signal === null) process.exit(code)
    process.kill(process.pid, signal)
    // Windows, and signals that Node holds back, do not end the process: say it the way a shell would.
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 200)
  })
}

/** npm may be killed without a chance to pass the signal on: all that its child sees is a new parent. */
function onParentGone(act) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, 100)
  timer.unref()
}

/** Ends the process after telling what went wrong; a fault of ours keeps its stack. */
export function fail(error) {
  say(error instanceof SetupError ? error.message : (error?.stack ?? String(error)))
  process.exit(1)
}

/** Something that the person at the keyboard can put right. */
export class SetupError extends Error {}

function hasDependencies() {
  return readOr(modulesStamp, '') === lockfileDigest()
}

function lockfileDigest() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

/**
 * Whether `npm install` has installed what the lockfile names: npm finally writes what it installed into a separate
 * lockfile. Packages for other platforms are absent there.
 */
function isInstalledByHand() {
  const installed = JSON.parse(readOr(join(modules, '.package-lock.json'), '{}')).packages ?? {}
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages).every(
    ([path, { version, optional }]) => path === '' || installed[path]?.version === version || (optional && !installed[path]),
  )
}

async function install() {
  say('Installing the dependencies of Outlay (npm ci)…')
  // --include=dev because the build needs them, whatever NODE_ENV says; errors only, because npm run --silent is inherited.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  const code = npm?.endsWith('.js')
    ? await run(process.execPath, [npm, ...args])
    : await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { shell: process.platform === 'win32' })
  if (code !== 0) throw new SetupError('The dependencies could not be installed (npm ci failed).')
}

/** Names, sizes and times of every source: reading the contents would make each start slower. */
function digestOf(inputs) {
  const hash = createHash('sha256')
  const visit = (path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false })
    if (!stat) return
    if (!stat.isDirectory()) hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`)
    else for (const name of readdirSync(join(root, path)).sort()) visit(`${path}/${name}`)
  }
  inputs.forEach(visit)
  return hash.digest('hex')
}

function readOr(path, fallback) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return fallback
    throw error
  }
}
