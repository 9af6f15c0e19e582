import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

/** What the first column of the table of folders names. */
const named = [...page.matchAll(/^\| `([\w./*-]+)\/` \|/gm)].map(([, folder = '']) => folder)

/** Where paths on the page may begin. */
const beginnings = ['', 'src-main', 'src-renderer', 'src-shared']

test('every folder that the page names is there', () => {
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([])
})

test('every folder of sources is named, down to the third level', () => {
  const files = globSync('{db,src-main,src-renderer,src-shared}/**/*.*', { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  const parts = files.map((path) => path.split('/').slice(0, -1))
  const folders = new Set(parts.flatMap((names) => [1, 2, 3].map((depth) => names.slice(0, depth).join('/'))))
  const covered = new Set(named.flatMap((pattern) => globSync(pattern, { cwd: root })))
  expect(folders.size).toBeGreaterThan(40)
  expect([...folders].filter((folder) => !covered.has(folder))).toEqual([])
})

test('every folder of tests has the name of a folder of sources, or is named', () => {
  const sources = globSync('src-*/**/', { cwd: root }).map((path) => basename(path))
  const folders = globSync('test/*/', { cwd: root }).map((path) => basename(path))
  expect(folders.length).toBeGreaterThan(20)
  expect(folders.filter((name) => !['renderer', ...sources].includes(name) && !page.includes(`\`${name}/\``))).toEqual([])
})

test('every file that the page names is there', () => {
  const files = [...page.matchAll(/`([\w./-]+\/[\w.-]+\.(?:tsx?|mjs))`/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(40)
  expect(files.filter((file) => !beginnings.some((beginning) => existsSync(join(root, beginning, file))))).toEqual([])
})

/** The names by which links reach the headings of a page, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase())
  return headings.map((heading) => heading.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-'))
}

const pages = globSync(['*.md', '{db,docs,src-*}/**/*.md'], { cwd: root }).map((path) => join(root, path))

test('all pages together are short enough to be read', () => {
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(220_000)
})

test('every link between pages leads to a file and a heading that are there', () => {
  const links = pages.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)].map(([link, file = '', anchor = '']) => {
      const target = file === '' ? path : join(dirname(path), file)
      const isThere = existsSync(target) && (anchor === '' || anchorsOf(readFileSync(target, 'utf8')).includes(anchor))
      return { path: relative(root, path), link, isThere }
    }),
  )
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter(({ isThere }) => !isThere)).toEqual([])
})
