import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../src-main/use-cases')

/** Every name in one spelling: `changeRole` is `change-role`. */
const toFileName = (name: string) => name.replaceAll(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase()

/** Each file of the use cases, the functions it exports, and whatever else it exports that is no type. */
const useCases = globSync('*/*.ts', { cwd: root }).map((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  const functions = [...text.matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(([, name = '']) => toFileName(name))
  const others = [...text.matchAll(/^export (?:const|class) (\w+)/gm)].map(([, name = '']) => toFileName(name))
  return { path, name: basename(path, '.ts'), functions, exported: [...functions, ...others] }
})

const verbOf = (name: string) => name.split('-', 1)[0] ?? ''

test('a file with one export has its name', () => {
  const single = useCases.filter(({ exported }) => exported.length === 1)
  expect(single.length).toBeGreaterThan(50)
  expect(single.filter(({ name, exported }) => exported[0] !== name).map(({ path }) => path)).toEqual([])
})

test('a file that is called as a verb exports that verb', () => {
  const verbs = new Set(useCases.flatMap(({ functions }) => functions).map(verbOf))
  const called = useCases.filter(({ name, exported }) => exported.length > 0 && verbs.has(verbOf(name)))
  expect(called.length).toBeGreaterThan(50)
  expect(called.filter(({ name, exported }) => !exported.includes(name)).map(({ path }) => path)).toEqual([])
})
