import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSettings } from '#main/config/settings'

const page = readFileSync(join(import.meta.dirname, '../../docs/command-line.md'), 'utf8')
const code = readFileSync(join(import.meta.dirname, '../../src-main/config/settings.ts'), 'utf8')

test('every setting is explained, and every setting explained is one', () => {
  const known = [...code.matchAll(/^ {2}(OUTLAY_\w+):/gm)].map(([, name]) => name)
  const explained = [...page.matchAll(/^\| `(OUTLAY_\w+)` \|/gm)].map(([, name]) => name)
  expect(explained.toSorted()).toEqual([...known, 'OUTLAY_DATA'].toSorted())
  expect(Object.keys(readSettings('/nowhere', {})).every((name) => known.includes(name))).toBe(true)
})
