import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findCycles, listFiles, readImports } from './import-graph'

const root = join(import.meta.dirname, '../..')
const folders = ['src-main', 'src-renderer', 'src-shared', 'db', 'test', 'scripts']

/** How many files a folder may have: one has more than can be taken in at a glance. */
const mostFiles = 40

const sources = listFiles(root, folders)

test('no file imports what imports it, types included', () => {
  const graph = readImports(root, sources)
  expect(graph.get('src-main/app.ts')).toContain('src-main/jobs/jobs.ts')
  expect(findCycles(graph)).toEqual([])
})

test(`no folder has more than ${mostFiles} files`, () => {
  const crowded = [...Map.groupBy(sources, (path) => dirname(path))].filter(([, files]) => files.length > mostFiles)
  expect(crowded.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([])
})

describe('an import cycle is found', () => {
  test.each([
    ['of values', "import { b } from './b'", "import { a } from './a'"],
    ['of types', "import type { B } from './b'", "export type { A } from './a'"],
    ['through an alias', "import { b } from '#main/b'", "import type { A } from '#main/a'"],
    ['of a type where it is used', "export type C = import('./b').B", "import './a'"],
  ])('%s', (_kind, a, b) => {
    const place = mkdtempSync(join(tmpdir(), 'outlay-imports-'))
    try {
      mkdirSync(join(place, 'src-main'))
      writeFileSync(join(place, 'src-main/a.ts'), a)
      writeFileSync(join(place, 'src-main/b.ts'), b)
      const graph = readImports(place, listFiles(place, ['src-main']))
      expect(findCycles(graph)).toEqual(['src-main/a.ts → src-main/b.ts → src-main/a.ts'])
    } finally {
      rmSync(place, { recursive: true })
    }
  })
})
