/**
 * What a change can break, for `npm test -- --changed`: the files to lint, the unit tests and the browser specs. Tests of the whole
 * program reach every source, so a test is chosen when it is near in imports or has the word of the changed resource.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { resolve } from './import-resolver.mjs'
import { root } from './setup.mjs'

/** A test that is further away in imports runs only if it has the word of the changed resource; one that starts the program loads all sources. */
const farthestImport = 3
const farthestOfProgram = 1
const program = 'src-main/app.ts'
/** As many take about a minute on two cores. The nearest are chosen; `npm test` runs all. */
const mostTests = 40
const mostSpecs = 3
/** What gathers everything: a test that reaches a change only through one of these is a test of the whole program. */
const gathers = (path) =>
  [program, 'src-main/http/endpoints.ts', 'src-shared/records/index.ts', 'db/index.ts'].includes(path) || path.startsWith('test/support/')

const isSource = (path) => /\.(tsx?|mjs)$/.test(path)
const isTest = (path) => /\.test\.tsx?$/.test(path)
const isSpec = (path) => path.endsWith('.spec.ts')

/** Tests of a rule that a change can break without an import between them, by the changed path. */
const watched = [
  [/^src-shared\/(?:contract|records)\//, ['test/records/', 'test/generated-client/', 'test/http/openapi.test.ts', 'test/docs/']],
  [/^src-shared\/domain\/permissions/, ['test/http/permissions/']],
  [/^src-shared\/i18n\//, ['test/i18n/']],
  [/^db\//, ['test/store/']],
  [/^(?:src-.*|scripts|docs|test)\/|\.md$/, ['test/tooling/plain-words.test.ts']],
  [/^src-.*\/.*\.tsx?$/, ['test/tooling/import-graph.test.ts']],
  [/^docs\/|\.md$/, ['test/docs/']],
]

/** The paths that differ from where this branch left its upstream, or from `ref`: committed, edited and new ones. Throws on an unknown ref. */
export function listChanged(ref) {
  const base = ref === undefined ? branchPoint() : git('rev-parse', '--verify', `${ref}^{commit}`)
  const paths = [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')]
  return [...new Set(paths.flatMap((text) => text.split('\n').filter(Boolean)))]
}

function branchPoint() {
  for (const upstream of ['origin/main', 'main'])
    try {
      return git('merge-base', 'HEAD', upstream)
    } catch {
      // Not in this clone.
    }
  return 'HEAD'
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

/** Every path of the working tree: those in git and new ones, without deleted ones. */
export function listPaths() {
  const deleted = new Set(git('ls-files', '--deleted').split('\n'))
  return git('ls-files', '--cached', '--others', '--exclude-standard')
    .split('\n')
    .filter((path) => !deleted.has(path))
}

/** Which files import each file, types included. */
export function readImporters(paths) {
  const importers = new Map()
  for (const path of paths.filter(isSource)) {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, path), 'utf8'))
    for (const { fileName } of importedFiles) {
      const target = resolve(fileName, join(root, path))
      if (!target.found) continue
      const imported = relative(root, target.path).replaceAll('\\', '/')
      importers.set(imported, [...(importers.get(imported) ?? []), path])
    }
  }
  return importers
}

/**
 * What to run after a change of some of all `paths`. `farther` counts the unit tests that also load a changed source but were left out.
 */
export function selectChecks(changed, paths, importers) {
  const known = new Set(paths)
  const vocabulary = vocabularyOf(paths)
  const wordsOf = (some) => new Set(some.flatMap((path) => resourceOf(path, vocabulary) ?? []))
  const words = wordsOf(changed)
  const distances = distancesFrom(changed, importers)
  const near = distancesFrom(changed, importers, gathers)
  const startsProgram = distancesFrom([program], importers)
  const demanded = watched.flatMap(([pattern, tests]) => (changed.some((path) => pattern.test(path)) ? tests : []))
  const rank = (path) => {
    if (changed.includes(path) || demanded.some((prefix) => path.startsWith(prefix))) return 0
    const distance = near.get(path) ?? Infinity
    const farthest = startsProgram.has(path) ? farthestOfProgram : farthestImport
    return Math.min(distance <= farthest ? distance : Infinity, words.has(resourceOf(path, vocabulary)) ? 2 : Infinity)
  }
  const nearest = (all) => all.filter((path) => rank(path) < Infinity).sort((a, b) => rank(a) - rank(b))
  const tests = nearest(paths.filter(isTest)).slice(0, mostTests)
  return {
    lint: changed.filter((path) => isSource(path) && known.has(path)),
    tests,
    specs: selectSpecs(),
    farther: paths.filter((path) => isTest(path) && distances.has(path) && !tests.includes(path)).length,
  }

  // A component that names no screen is shown by the screens that import it.
  function selectSpecs() {
    const shown = changed.filter((path) => path.startsWith('src-renderer/'))
    const specs = paths.filter((path) => isSpec(path) && path.startsWith('test/e2e/'))
    const screens = [...distances.keys()].filter((path) => path.startsWith('src-renderer/features/'))
    const own = wordsOf(shown)
    const from = (named) => specs.filter((path) => changed.includes(path) || named.has(resourceOf(path, vocabulary)))
    const found = from(own)
    return (found.length > 0 || shown.length === 0 ? found : from(wordsOf(screens))).slice(0, mostSpecs)
  }
}

/** How many imports each file is away from the nearest of some files; not through those at which `ends` holds, unless they changed. */
function distancesFrom(changed, importers, ends = () => false) {
  const distances = new Map(changed.map((path) => [path, 0]))
  for (const [path, distance] of distances)
    if (distance === 0 || !ends(path))
      for (const importer of importers.get(path) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1)
  return distances
}

const resourcePlaces = [/^src-main\/use-cases\/([^/]+)\//, /^src-renderer\/features\/([^/]+)\//, /^src-main\/http\/routes\/(.+)\.ts$/]

/** The words of resources and screens, longest first, then those that only specs have in their names. */
function vocabularyOf(paths) {
  const named = (places) => {
    const names = paths.flatMap((path) => places.flatMap((place) => place.exec(path)?.[1] ?? []))
    return names.map(singular).sort((a, b) => b.length - a.length)
  }
  return [...new Set([...named(resourcePlaces), ...named([/^test\/e2e\/(.+)\.spec\.ts$/])])]
}

/** The resource that a path is about: the first word in its name, else in the nearest folder that has one. */
function resourceOf(path, vocabulary) {
  for (const part of path
    .replace(/(?:\.\w+)+$/, '')
    .split('/')
    .reverse()) {
    const name = `-${singular(part)}-`
    const found = vocabulary.find((word) => name.includes(`-${word}-`))
    if (found !== undefined) return found
  }
  return undefined
}

function singular(name) {
  return name
    .split(/[-_]/)
    .map((word) => word.replace(/ies$/, 'y').replace(/s$/, ''))
    .join('-')
}
