import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { contractResources } from '#test/support/contract-fields'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The tests that prove each clause of the contract and its supplement, by section: `file in test/, without its ending › a part of a test's title`. */
const clauses = z
  .record(z.string(), z.record(z.string(), z.array(z.string()).min(1)))
  .parse(JSON.parse(read('test/docs/contract-clauses.json')))
const proofs = Object.values(clauses).flatMap((section) => Object.values(section).flat())

test('every clause of the contract names tests that exist', () => {
  const sources = new Map<string, string>()
  const absent = proofs.filter((proof) => {
    const [name = '', title = ''] = proof.split(' › ')
    const file = `test/${name}.test.ts`
    if (!existsSync(join(root, file))) return true
    const source = sources.get(file) ?? read(file)
    sources.set(file, source)
    return !source.includes(title)
  })
  expect(Object.keys(clauses).length).toBeGreaterThanOrEqual(40)
  expect(proofs.length).toBeGreaterThan(250)
  expect(absent).toEqual([])
})

test('every resource of section 2 has a test of each of its fields', () => {
  const sections: string[] = Object.values(contractResources).map(({ section }) => section)
  const listed = Array.from({ length: 19 }, (_, index) => `2.${index + 2}`)
  expect(listed.filter((section) => !sections.includes(section))).toEqual([])
  expect(read('test/http/contract-fields.test.ts')).toContain('contractResources')
})
