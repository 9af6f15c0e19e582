import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { languages } from '#shared/domain/locales'

const folder = join(import.meta.dirname, '../../src-shared/i18n')
const textsSchema = z.record(z.string(), z.json())

/** The language that the others are compared with. */
const first = 'en'

function list(language: string): string[] {
  return readdirSync(join(folder, language), { recursive: true, encoding: 'utf8' })
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

/** The parameters of a text, without formatting, and its elements: `{{count, number}}` is `count`, `<links/>` itself. */
function paramsOf(text: string): string[] {
  const params = [...text.matchAll(/\{\{\s*-?\s*([^},\s]+)[^}]*\}\}/g)].map((match) => match[1] ?? '')
  const elements = [...text.matchAll(/<\/?\w+\s*\/?>/g)].map(([element]) => element)
  return [...new Set([...params, ...elements])].toSorted()
}

const pathOf = (language: string, file: string) => `src-shared/i18n/${language}/${file}`
const files = list(first)
const others = languages.filter((language) => language !== first)
const pairs = others.flatMap((language) => files.map((file) => [language, file] as const))
const all = languages.flatMap((language) => files.map((file) => [language, file] as const))

test('every language has a folder, and every folder is a language', () => {
  const folders = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  expect(folders.toSorted(), 'a language is a line in src-shared/domain/locales.ts and a folder').toEqual([...languages].toSorted())
})

test.each(others)('%s has every file of texts', (language) => {
  const absent = files.filter((file) => !list(language).includes(file))
  const extra = list(language).filter((file) => !files.includes(file))
  expect(absent, `translate these files of ${first} into src-shared/i18n/${language}`).toEqual([])
  expect(extra, `remove these from src-shared/i18n/${language}: ${first} has no such file`).toEqual([])
})

test.each(pairs)('%s/%s has every text', (language, file) => {
  const source = read(first, file)
  const texts = read(language, file)
  const absent = [...source].filter(([key]) => !texts.has(key)).map(([key, text]) => `${key}: ${text}`)
  const extra = [...texts.keys()].filter((key) => !source.has(key))
  expect(absent, `add these texts, translated, to ${pathOf(language, file)}`).toEqual([])
  expect(extra, `remove these texts from ${pathOf(language, file)}: ${pathOf(first, file)} has none`).toEqual([])
})

test.each(all)('%s/%s has no empty text', (language, file) => {
  const empty = [...read(language, file)].filter(([, text]) => text.trim() === '').map(([key]) => key)
  expect(empty, `write these texts in ${pathOf(language, file)}`).toEqual([])
})

test.each(pairs)('%s/%s asks for the same parameters', (language, file) => {
  const texts = read(language, file)
  const different = [...read(first, file)].flatMap(([key, source]) => {
    const text = texts.get(key)
    if (text === undefined || paramsOf(text).join() === paramsOf(source).join()) return []
    return [`${key}: ${paramsOf(source).join(', ')} expected, not ${paramsOf(text).join(', ')}`]
  })
  expect(different, `correct the parameters of these texts in ${pathOf(language, file)}`).toEqual([])
})

test.each(all)('%s/%s has both plural forms wherever it counts', (language, file) => {
  const texts = read(language, file)
  const counting = [...texts].filter(([key, text]) => /_(one|other)$/.test(key) && paramsOf(text).includes('count'))
  const forms = counting.flatMap(([key]) => ['one', 'other'].map((form) => key.replace(/(one|other)$/, form)))
  const absent = [...new Set(forms)].filter((key) => !texts.has(key))
  expect(absent, `add these forms to ${pathOf(language, file)}`).toEqual([])
})
