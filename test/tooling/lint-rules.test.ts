import { clearCaches } from '@typescript-eslint/parser'
import { ESLint } from 'eslint'
import tseslint from 'typescript-eslint'
import { afterAll, describe, expect, test } from 'vitest'

/** Loading the types of all sources takes half a minute of a processor: rules that need types are given those of `src-shared`, the others none. */
const withSharedTypes = {
  files: ['**/*.ts'],
  languageOptions: { parserOptions: { projectService: false, project: ['tsconfig.shared.json'] } },
}
const withoutTypes = { ...tseslint.configs.disableTypeChecked, files: ['**/*.{ts,tsx}'] }
const typed = new ESLint({ overrideConfig: withSharedTypes })
const untyped = new ESLint({ overrideConfig: withoutTypes })
afterAll(clearCaches)

/** The rules that refuse each line of a text, were it the content of that file. */
async function refusalsByLine(eslint: ESLint, filePath: string, lines: readonly string[]): Promise<string[][]> {
  const [result] = await eslint.lintText(`${lines.join('\n')}\n`, { filePath })
  const messages = result?.messages ?? []
  return lines.map((_, index) => messages.filter(({ line }) => line === index + 1).map(({ ruleId, message }) => ruleId ?? message))
}

/** As {@link refusalsByLine}, for cases that are a line each of one text. */
function refuseTogether(eslintOf: () => ESLint, cases: ReadonlyArray<readonly [filePath: string, line: string]>) {
  const linted = new Map<string, Promise<string[][]>>()
  return async (filePath: string, line: string): Promise<readonly string[] | undefined> => {
    const lines = [...new Set(cases.flatMap(([path, own]) => (path === filePath ? [own] : [])))]
    const asked = linted.get(filePath) ?? refusalsByLine(eslintOf(), filePath, lines)
    linted.set(filePath, asked)
    return (await asked)[lines.indexOf(line)]
  }
}

describe('the import table', () => {
  const refused = [
    ['a rule of the domain that reads a row', 'src-shared/domain/money.ts', '#main/clock'],
    ['a contract that uses Node', 'src-shared/contract/route.ts', 'node:fs'],
    ['a store that answers HTTP', 'src-main/store/core/store.ts', 'fastify'],
    ['a store that calls a use case', 'src-main/store/core/store.ts', '#main/http/server/server'],
    ['a route that speaks SQL', 'src-main/http/server/server.ts', 'kysely'],
    ['a server that opens a window', 'src-main/http/server/server.ts', 'electron'],
    ['a feature that reaches into another', 'src-renderer/features/review/review-screen.tsx', '../settings/settings-screen'],
    ['a screen that reaches into the store', 'src-renderer/features/review/review-screen.tsx', '#main/store/core/store'],
  ] as const
  const allowed = [
    ['the store its packages and the schema', 'src-main/store/core/store.ts', ['kysely', '#db/schema', '#shared/domain/money']],
    ['the server its framework', 'src-main/http/server/server.ts', ['fastify', '#shared/domain/money', '#main/clock']],
    ['a feature the parts and itself', 'src-renderer/features/review/review-screen.tsx', ['../../ui/values/amount', 'react']],
  ] as const
  const lineFor = (source: string) => {
    const name = `from_${source.replaceAll(/\W/g, '_')}`
    return `import { something as ${name} } from '${source}'; void ${name}`
  }
  const refusalsOf = refuseTogether(
    () => untyped,
    [
      ...refused.map(([, filePath, source]) => [filePath, lineFor(source)] as const),
      ...allowed.flatMap(([, filePath, sources]) => sources.map((source) => [filePath, lineFor(source)] as const)),
    ],
  )

  test.each(refused)('refuses %s', async (_what, filePath, source) => {
    expect(await refusalsOf(filePath, lineFor(source))).toContain('boundaries/dependencies')
  })

  test.each(allowed)('allows %s', async (_what, filePath, sources) => {
    for (const source of sources) expect(await refusalsOf(filePath, lineFor(source))).not.toContain('boundaries/dependencies')
  })
})

describe('the house style', () => {
  const inDomain = 'src-shared/domain/money.ts'

  const refused = [
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
      "export function g(a: 'x' | 'y') { switch (a) { case 'x': return 1 } return 2 }",
      '@typescript-eslint/switch-exhaustiveness-check',
    ],
  ] as const
  const refusalsOf = refuseTogether(
    () => typed,
    refused.map(([, code]) => [inDomain, code] as const),
  )

  test.each(refused)('refuses %s', async (_what, code, rule) => {
    expect(await refusalsOf(inDomain, code)).toContain(rule)
  })

  test('lets no comment switch a rule off', async () => {
    const [, refused] = await refusalsByLine(typed, inDomain, ['/* eslint-disable */', 'export const now = Date.now()'])
    expect(refused).toContain('no-restricted-syntax')
  })

  test('lets the clock read the clock', async () => {
    const [refused] = await refusalsByLine(untyped, 'src-main/clock.ts', ['export const now = Date.now()'])
    expect(refused).not.toContain('no-restricted-syntax')
  })
})
