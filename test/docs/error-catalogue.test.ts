import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
const catalogue = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]))

/** Every text of the API's refusals in English. */
function listTexts(): string[] {
  const file = readFileSync(join(root, 'src-shared/i18n/en/errors.json'), 'utf8')
  return Object.values(catalogue.parse(JSON.parse(file))).flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text)))
}

/** The texts of the list below the tables, which need no advice. */
const clear = [...page.matchAll(/^- (.+?)(?: \(\d{3}\))?$/gm)].map(([, text]) => text)

test('every error text of the API is in the catalogue, with what to do unless it says so itself', () => {
  const texts = listTexts()
  const hasAdvice = (text: string) => rows.some((cells) => cells.includes(text) && (cells[cells.indexOf(text) + 1] ?? '') !== '')
  expect(texts.length).toBeGreaterThan(150)
  expect(texts.filter((text) => !hasAdvice(text) && !clear.includes(text))).toEqual([])
})
