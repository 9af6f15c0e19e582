import { clearCaches } from '@typescript-eslint/parser'
import { ESLint } from 'eslint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let eslint: ESLint

beforeAll(() => {
  eslint = new ESLint()
})
// The types of all sources: a gigabyte, which other files of the worker would have to live with.
afterAll(clearCaches)

/** The rules that refuse a text, were it the content of that file. */
async function refusals(filePath: string, lines: string[]): Promise<string[]> {
  const [result] = await eslint.lintText(`${lines.join('\n')}\n`, { filePath })
  return (result?.messages ?? []).map((message) => message.ruleId ?? message.message)
}

describe('the import table', () => {
  test.each([
    ['a rule of the domain that reads a row', 'src-shared/domain/money.ts', '#main/clock'],
    ['a contract that uses Node', 'src-shared/contract/route.ts', 'node:fs'],
    ['a store that answers HTTP', 'src-main/store/core/store.ts', 'fastify'],
    ['a store that calls a use case', 'src-main/store/core/store.ts', '#main/http/server/server'],
    ['a route that speaks SQL', 'src-main/http/server/server.ts', 'kysely'],
    ['a server that opens a window', 'src-main/http/server/server.ts', 'electron'],
    ['a feature that reaches into another', 'src-renderer/features/review/review-screen.tsx', '../settings/settings-screen'],
    ['a screen that reaches into the store', 'src-renderer/features/review/review-screen.tsx', '#main/store/core/store'],
  ])('refuses %s', async (_what, filePath, source) => {
    expect(await refusals(filePath, [`import { something } from '${source}'`, 'void something'])).toContain('boundaries/dependencies')
  })

  test.each([
    ['the store its packages and the schema', 'src-main/store/core/store.ts', ['kysely', '#db/schema', '#shared/domain/money']],
    ['the server its framework', 'src-main/http/server/server.ts', ['fastify', '#shared/domain/money', '#main/clock']],
    ['a feature the parts and itself', 'src-renderer/features/review/review-screen.tsx', ['../../ui/values/amount', 'react']],
  ])('allows %s', async (_what, filePath, sources) => {
    const lines = sources.map((source, index) => `import * as part${index} from '${source}'\nvoid part${index}`)
    expect(await refusals(filePath, lines)).not.toContain('boundaries/dependencies')
  })
})

describe('the house style', () => {
  const inDomain = 'src-shared/domain/money.ts'

  test.each([
    ['the system clock', 'export const now = Date.now()', 'no-restricted-syntax'],
    ['the current date', 'export const today = new Date()', 'no-restricted-syntax'],
    ['randomness', 'export const dice = Math.random()', 'no-restricted-syntax'],
    ['a default export', 'export default 1', 'no-restricted-exports'],
    ['a floating promise', "Promise.resolve('lost')", '@typescript-eslint/no-floating-promises'],
    ['any', 'export const anything: any = 1', '@typescript-eslint/no-explicit-any'],
    ['a cast through unknown', "export const one = 'one' as unknown as number", 'no-restricted-syntax'],
    ['a fourth positional parameter', 'export const f = (a: 1, b: 2, c: 3, d: 4) => a + b + c + d', '@typescript-eslint/max-params'],
    [
      'a switch that forgets a case',
      "export function f(a: 'x' | 'y') { switch (a) { case 'x': return 1 } return 2 }",
      '@typescript-eslint/switch-exhaustiveness-check',
    ],
  ])('refuses %s', async (_what, code, rule) => {
    expect(await refusals(inDomain, [code])).toContain(rule)
  })

  test('lets no comment switch a rule off', async () => {
    expect(await refusals(inDomain, ['/* eslint-disable */', 'export const now = Date.now()'])).toContain('no-restricted-syntax')
  })

  test('lets the clock read the clock', async () => {
    expect(await refusals('src-main/clock.ts', ['export const now = Date.now()'])).not.toContain('no-restricted-syntax')
  })
})
