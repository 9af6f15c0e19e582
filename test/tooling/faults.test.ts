import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faults } from '#test/faults/index'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '')

test('what each planted fault changes is in its file once, and becomes something else', () => {
  const wrong = faults.filter(({ file, find, replace }) => read(file).split(find).length !== 2 || find === replace)
  expect(wrong.map(({ name }) => name)).toEqual([])
})

test('the test that finds each planted fault is there, by its name', () => {
  const wrong = faults.filter(({ test, only = '' }) => !read(test).includes(only) || read(test) === '')
  expect(wrong.map(({ name }) => name)).toEqual([])
})

test('planted faults have names of their own', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length)
})
