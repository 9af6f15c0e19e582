import { execFileSync, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFRawStream, decodePDFRawStream } from '@cantoo/pdf-lib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TextPages } from '#main/files/pages/draw'
import { folderOfFile } from '#test/support/of-file'

const folder = folderOfFile('outlay-pages-')

/** Pages with these paragraphs: what pdftotext reads, a line each, and how many glyphs are the box of a character that no font has. */
async function draw(texts: readonly string[]): Promise<{ lines: string[]; boxes: number }> {
  const pages = new TextPages('Texts')
  for (const text of texts) pages.paragraph(text, { size: 8 })
  const document = await pages.end()
  const drawn = document.getPages().map(({ node }) => {
    const content = node.Contents()
    return content instanceof PDFRawStream ? Buffer.from(decodePDFRawStream(content).decode()).toString('latin1') : ''
  })
  const path = join(folder, 'texts.pdf')
  await writeFile(path, await document.save())
  execFileSync('qpdf', ['--check', path])
  const text = execFileSync('pdftotext', ['-raw', path, '-'], { encoding: 'utf8' })
  // pdftotext puts a mark around each word that runs from right to left.
  const lines = text
    .replace(/[\u202A-\u202E\f]/g, '')
    .trimEnd()
    .split('\n')
  return { lines, boxes: drawn.join('').match(/<0000> Tj/g)?.length ?? 0 }
}

const left = [
  ...[
    'Ünïcode ação',
    'Ελληνικά',
    'Привет',
    'नमस्ते क्षत्रिय हिन्दी कर्म',
    'สวัสดี น้ำ',
    '你好世界',
    'こんにちは',
    '한국어 안녕하세요',
    'Ca\u0301fe\u0301',
  ],
  ...['😀 👍🏽 ☎ ❤️ 1️⃣ 2', '🇧🇷 🏳️‍🌈', 'family 👨‍👩‍👧‍👦!', 'office fluff', '→ ∑ ★ ½ R$ 1.234,50 −3'],
]
const right = ['مرحبا بالعالم لا إله', 'سوق 123 كتاب', 'שלום עולם', 'گچپژ', 'Invoice مرحبا 12', 'two 😀 مرحبا नमस्ते שלום']
const wordsOf = (line = '') => line.split(' ').toSorted()

describe.skipIf(['qpdf', 'pdftotext'].some((name) => spawnSync(name, ['--version']).error))(
  'texts on pages (skipped without qpdf and pdftotext)',
  () => {
    test('are drawn and read back in every script that has a font, and emoji', async () => {
      const { lines, boxes } = await draw(left)
      expect(lines.map((line) => line.normalize('NFC'))).toEqual(left.map((text) => text.normalize('NFC')))
      expect(boxes).toBe(0)
    })

    test('are read back word by word where they run from right to left, alone and next to others', async () => {
      const { lines, boxes } = await draw(right)
      expect(lines.map((line) => wordsOf(line))).toEqual(right.map((text) => wordsOf(text)))
      expect(boxes).toBe(0)
    })

    test('keep vowel points with their letters', async () => {
      const { lines } = await draw(['بِسْمِ', 'שָׁלוֹם'])
      expect(lines.map((line) => line.replace(/\p{M}/gu, ''))).toEqual(['بسم', 'שלום'])
      expect(lines.map((line) => line.match(/\p{M}/gu)?.length)).toEqual([3, 3])
    })

    test('that no font has are boxes, and are read back', async () => {
      const { lines, boxes } = await draw(['বাংলা', 'Ink: தமிழ், ქართული', 'Own sign \uE123'])
      expect(lines).toEqual(['বাংলা', 'Ink: தமிழ், ქართული', 'Own sign \uE123'])
      expect(boxes).toBeGreaterThan(0)
    })

    test('of ten thousand characters lose none', async () => {
      const long = Array.from({ length: 700 }, (_, index) => `नमस्ते${index} 😀`).join(' ')
      const { lines } = await draw([long])
      expect(lines.join(' ')).toBe(long)
    })

    test('of any words lose none', { timeout: 300_000 }, async () => {
      const word = fc.constantFrom('حساب', 'فاتورة', 'لا', 'خلال', 'עסק', 'कर्म', 'ação', '😀', '42')
      const property = fc.asyncProperty(
        fc.array(fc.array(word, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 20 }),
        async (lines) => {
          const read = (await draw(lines.map((words) => words.join(' ')))).lines
          expect(read.map((line) => wordsOf(line))).toEqual(lines.map((words) => words.toSorted()))
        },
      )
      await fc.assert(property, { numRuns: 12 })
    })
  },
)
