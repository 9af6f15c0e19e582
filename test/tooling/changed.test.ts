import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { type Checks, listChanged, listPaths, readImporters, selectChecks } from '../../scripts/changed.mjs'

const paths: string[] = listPaths()
const importers = readImporters(paths)

const checksOf = (...changed: string[]): Checks => selectChecks(changed, paths, importers)

describe('npm test -- --changed', () => {
  test('runs the tests of the changed resource, though they reach it through the whole program', () => {
    const { tests, specs, lint, farther } = checksOf('src-main/use-cases/tags/tag-record.ts')
    expect(tests).toContain('test/http/expenses/tags.test.ts')
    expect(tests).not.toContain('test/http/settlements/reimbursements.test.ts')
    expect({ specs, lint }).toEqual({ specs: [], lint: ['src-main/use-cases/tags/tag-record.ts'] })
    expect(farther).toBeGreaterThan(100)
  })

  test('runs the tests that import a changed source nearly directly', () => {
    expect(checksOf('src-shared/domain/money.ts').tests).toEqual(
      expect.arrayContaining(['test/domain/money.test.ts', 'test/laws/balances.law.test.ts']),
    )
  })

  test('runs a test that starts the program only if it is about the change: it reaches every source', () => {
    const { tests } = checksOf('src-shared/domain/money.ts')
    expect(tests).toEqual(expect.arrayContaining(['test/http/expenses/counted-amounts.test.ts', 'test/renderer/format.test.ts']))
    expect(tests.filter((path) => /^test\/(?:snapshots|http\/permissions)\/|list-reads/.test(path))).toEqual([])
    expect(checksOf('src-main/use-cases/advancements/advancements.ts').tests).toEqual(
      expect.arrayContaining(['test/http/settlements/advancements.test.ts', 'test/store/query-plans.test.ts']),
    )
    expect(checksOf('src-main/use-cases/advancements/advancements.ts').tests.length).toBeLessThan(10)
  })

  test('runs the tests of a file that gathers everything when that file itself changes', () => {
    expect(checksOf('src-main/http/endpoints.ts').tests).toContain('test/http/permissions/table.test.ts')
  })

  test('distinguishes a resource from another whose name it contains', () => {
    const { tests } = checksOf('src-main/use-cases/pre-expenses/pre-expenses.ts')
    expect(tests).toContain('test/http/expenses/pre-expense-conversion.test.ts')
    expect(tests).not.toContain('test/http/expenses/expense-status.test.ts')
  })

  test('runs what publishes the contract when the contract or a record changes', () => {
    for (const path of ['src-shared/contract/tags.ts', 'src-shared/records/tag.ts'])
      expect(checksOf(path).tests).toEqual(
        expect.arrayContaining([
          'test/generated-client/generated-client.test.ts',
          'test/http/openapi.test.ts',
          'test/records/planted.test.ts',
        ]),
      )
  })

  test.each([
    ['a screen', 'src-renderer/features/tags/tag-form.tsx', 'test/e2e/tags.spec.ts'],
    ['what a page reads of it', 'src-renderer/api/tags.ts', 'test/e2e/tags.spec.ts'],
    ['a part of all forms', 'src-renderer/ui/form/fields.tsx', 'test/e2e/forms.spec.ts'],
    ['a spec itself', 'test/e2e/tabs.spec.ts', 'test/e2e/tabs.spec.ts'],
  ])('runs the spec of %s', (_what, path, spec) => {
    expect(checksOf(path).specs).toContain(spec)
  })

  test('runs specs of screens that show a component without a resource in its name', () => {
    const { specs } = checksOf('src-renderer/ui/grid/virtual-grid.tsx')
    expect(specs.length).toBeGreaterThan(0)
    expect(specs.length).toBeLessThanOrEqual(3)
  })

  test('runs the tests of a rule that is about pages and texts', () => {
    expect(checksOf('docs/api.md').tests).toEqual(
      expect.arrayContaining(['test/docs/api-examples.test.ts', 'test/tooling/plain-words.test.ts']),
    )
    expect(checksOf('src-shared/i18n/es/tags.json').tests).toContain('test/i18n/keys.test.ts')
  })

  test('runs a changed test, and neither lints nor runs a deleted one', () => {
    const { tests, lint } = checksOf('test/domain/money.test.ts', 'test/domain/deleted.test.ts')
    expect(tests).toContain('test/domain/money.test.ts')
    expect([...tests, ...lint]).not.toContain('test/domain/deleted.test.ts')
  })

  test('stays small however much depends on the change', () => {
    expect(checksOf('test/support/instance.ts', 'src-main/app.ts', 'src-shared/domain/errors.ts').tests.length).toBeLessThanOrEqual(40)
  })

  test('names the paths of a commit, and refuses a reference that git does not know', () => {
    const own = execFileSync('git', ['show', '--name-only', '--format=', 'HEAD'], { encoding: 'utf8' }).trim().split('\n')
    if (own[0] !== '') expect(listChanged('HEAD~1')).toEqual(expect.arrayContaining(own))
    expect(() => listChanged('no-such-branch')).toThrow()
  })
})
