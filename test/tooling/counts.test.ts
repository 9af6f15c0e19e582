import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faults } from '#test/faults/index'
import { mutants } from '#test/simulation/mutants'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/testing.md')
const occurrences = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length
const inAll = (glob: string, pattern: RegExp) =>
  globSync(glob, { cwd: root }).reduce((sum, path) => sum + occurrences(read(path), pattern), 0)

/** The states of axe's walk: a line each. */
const states = occurrences(read('test/e2e/support/states.ts'), /^ {2}(?:\{ path: |'\/[^']*',|'[^']+': \{ at: )/gm)

/** What the sources have of each row of the table. The cells of permissions are counted where they are proved. */
const counted: ReadonlyArray<readonly [row: string, count: number]> = [
  ['journeys in a browser (`@journey`)', inAll('test/{e2e,desktop}/**/*.spec.ts', /@journey/g)],
  ['states that axe walks through', states],
  [
    'files that ask how large they should be (`inForm`)',
    globSync('test/**/*.{test,spec}.{ts,tsx}', { cwd: root }).filter((path) => /support\/form'/.test(read(path))).length,
  ],
  ['planted faults', faults.length],
  ['mutants of the engine for sync', mutants.filter(({ isEquivalent }) => !isEquivalent).length],
]

test.each(counted)('%s: as many as docs/testing.md says', (row, count) => {
  const [, , short = '', long = ''] =
    page
      .split('\n')
      .find((line) => line.startsWith(`| ${row} |`))
      ?.split('|') ?? []
  expect({ short: [0, count].includes(Number(short.trim())), long: Number(long.trim()) }).toEqual({ short: true, long: count })
})
