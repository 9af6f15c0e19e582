import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const folder = join(import.meta.dirname, '../../src-shared/i18n')
const textsSchema = z.record(z.string(), z.json())

function list(language: string): string[] {
  return readdirSync(join(folder, language))
    .filter((file) => file.endsWith('.json'))
    .toSorted()
}

function flatten(value: z.infer<ReturnType<typeof z.json>>, path = ''): [key: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Error(`${path} is not a text`)
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, path === '' ? key : `${path}.${key}`))
}

function read(language: string, file: string): ReadonlyMap<string, string> {
  return new Map(flatten(textsSchema.parse(JSON.parse(readFileSync(join(folder, language, file), 'utf8')))))
}

/** The parameters of a text, without formatting: `{{count, number}}` is `count`. */
function paramsOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{\s*-?\s*([^},\s]+)[^}]*\}\}/g)].map((match) => match[1] ?? ''))].toSorted()
}

const files = [...new Set([...list('en'), ...list('pt')])]

test('both languages have the same namespaces', () => {
  expect(list('pt')).toEqual(list('en'))
})

test.each(files)('%s has the same keys in both languages', (file) => {
  expect([...read('pt', file).keys()].toSorted()).toEqual([...read('en', file).keys()].toSorted())
})

test.each(files)('%s has no empty text', (file) => {
  const empty = ['en', 'pt'].flatMap((language) =>
    [...read(language, file)].filter(([, text]) => text.trim() === '').map(([key]) => `${language} ${key}`),
  )
  expect(empty).toEqual([])
})

test.each(files)('%s asks for the same parameters in both languages', (file) => {
  const pt = read('pt', file)
  for (const [key, text] of read('en', file))
    expect({ key, params: paramsOf(pt.get(key) ?? '') }).toEqual({ key, params: paramsOf(text) })
})

test.each(files)('%s has both plural forms wherever it counts', (file) => {
  for (const language of ['en', 'pt']) {
    const texts = read(language, file)
    const counting = [...texts].filter(([key, text]) => /_(one|other)$/.test(key) && paramsOf(text).includes('count'))
    for (const [key] of counting) {
      const stem = key.replace(/_(one|other)$/, '')
      expect([...texts.keys()]).toEqual(expect.arrayContaining([`${stem}_one`, `${stem}_other`]))
    }
  }
})
