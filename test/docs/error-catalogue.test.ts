import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
const catalogue = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]))

/** Every text of the API's refusals in a language, by its key. */
function textsOf(language: 'en' | 'pt'): Array<[key: string, text: string]> {
  const file = readFileSync(join(root, `src-shared/i18n/${language}/errors.json`), 'utf8')
  return Object.entries(catalogue.parse(JSON.parse(file))).flatMap(([key, text]) =>
    typeof text === 'string' ? [[key, text]] : Object.entries(text).map(([code, own]) => [`${key}.${code}`, own]),
  )
}

test('every error text of the API is in the catalogue, in both languages, with what to do', () => {
  const portuguese = new Map(textsOf('pt'))
  const absent = textsOf('en').filter(([key, text]) => {
    const row = rows.find((cells) => cells.includes(text)) ?? []
    const at = row.indexOf(text)
    return at < 1 || row[at + 1] !== portuguese.get(key) || (row[at + 2] ?? '') === ''
  })
  expect(absent).toEqual([])
})
