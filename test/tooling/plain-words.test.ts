import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Archaic or indirect words, each with its plain one. */
const plainWords: Record<string, string> = {
  anew: 'again, re-',
  beside: 'next to, in addition to',
  whoever: 'anyone who',
  somebody: 'someone',
  anybody: 'anyone',
  'as good as': 'treated as',
  'mends?|mended': 'repairs',
  '[;,] answers (?:its|the|an?|whether|what)': 'returns',
  thereby: 'so',
  thereof: 'of it',
  'of its own': 'separate',
  '(?:goes|going) on': 'continues',
  '(?:is|are) told': 'sees, gets, is notified',
  'tells of|told of': 'shows, reports',
  'by itself': 'automatically, separately',
  'put back': 'restored',
  'set aside': 'quarantined, kept',
  'the like': 'name it',
}
const dialect = new RegExp(`\\b(?:${Object.keys(plainWords).join('|')})\\b`, 'i')

/** What is not a sentence of ours: names of mutants, which one page quotes, and the keys of texts. */
function namesIn(file: string): RegExp {
  if (file === 'src-main/sync/SPEC.md') return /"[^"]+"/g
  return file.endsWith('.json') ? /"[^"]+":/g : /(?!)/g
}

function filesOf(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

/** The lines of a file whose text is for people: all of a page, the comments of a program. */
function linesOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replace(namesIn(file), (name) => name.replaceAll(/[^\n]/g, ''))
  if (!/\.(?:tsx?|mjs)$/.test(file)) return text.split('\n')
  return [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm)].flatMap(([comment]) => comment.split('\n'))
}

const files = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'src-main/sync/SPEC.md', 'db/schema.ts'],
  ...filesOf('docs', /\.md$/),
  ...filesOf('src-shared/i18n/en', /\.json$/),
  ...['src-main', 'src-shared', 'src-renderer', 'scripts'].flatMap((folder) => filesOf(folder, /\.(?:tsx?|mjs)$/)),
]

/** The titles of tests in a file. */
function titlesOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/^\s*(?:(?:test|describe)(?:\.\w+)*|\]\)|(?:test|describe)\.each\(.*\))\(\s*(['"`])(.*?)\1,/gm)].map(
    ([, , title = '']) => title,
  )
}

test('titles of tests use plain words', () => {
  const titled = filesOf('test', /\.(?:test|spec)\.tsx?$/).flatMap((file) => titlesOf(file).map((title) => ({ file, title })))
  expect(titled.length).toBeGreaterThan(1000)
  expect(titled.filter(({ title }) => dialect.test(title)).map(({ file, title }) => `${file}: ${title}`)).toEqual([])
})

test('pages, comments and English screens use plain words', () => {
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) =>
    linesOf(file)
      .filter((line) => dialect.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
