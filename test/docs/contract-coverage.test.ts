import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ContractResource, contractResources } from '#test/support/contract-fields'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/contract-coverage.md'), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => /^\| [☑☐] \|/.test(line))
  .map((line) => {
    const [, mark, what = '', proof = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    return { mark, what, proof }
  })
const references = rows.flatMap(({ proof }) =>
  [...proof.matchAll(/`(test\/[^`]+)`(?: › ([^;|]+?))?(?=;|\.? (?:Done|Not done)|$)/g)].map(([, file = '', name]) => ({ file, name })),
)
const fieldTests = new Set(
  Object.values<ContractResource>(contractResources).flatMap(({ section, fields }) => [
    `${section}: its links are as the contract names them`,
    ...Object.keys(fields).map((field) => `${section}: ${field}`),
  ]),
)

test('every row that is ticked names the tests that prove it, and every other says why it is not', () => {
  expect(rows.length).toBeGreaterThan(290)
  for (const { mark, what, proof } of rows)
    expect({ what, proof }).toEqual({ what, proof: expect.stringMatching(mark === '☑' ? /`test\// : /Not done/) })
})

test('the tests that are named exist', () => {
  const sources = new Map<string, string>()
  const absent = references.filter(({ file, name }) => {
    if (!existsSync(join(root, file))) return true
    if (name === undefined) return false
    if (/^2\.\d+: /.test(name)) return !namesOfFields(name).every((one) => fieldTests.has(one))
    const source = sources.get(file) ?? readFileSync(join(root, file), 'utf8')
    sources.set(file, source)
    return !source.includes(name)
  })
  expect(references.length).toBeGreaterThan(300)
  expect(absent).toEqual([])
})

/** `2.3: latitude, longitude` stands for a test of each. */
function namesOfFields(name: string): string[] {
  const [section = '', fields = ''] = name.split(': ')
  return fields.split(', ').map((field) => `${section}: ${field}`)
}
