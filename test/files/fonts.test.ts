import { inflateSync } from 'node:zlib'
import { PDFRawStream } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { TextPages } from '#main/files/pages/draw'

const texts = [
  ...[
    'Ünïcode ação',
    'Tiếng Việt',
    'Ελληνικά',
    'Привет',
    'हिन्दी क्षमता',
    'বাংলা ক্ষমতা',
    'ਪੰਜਾਬੀ',
    'ગુજરાતી ક્ષ',
    'ଓଡ଼ିଆ',
    'தமிழ் மொழி',
    'తెలుగు భాష',
  ],
  ...[
    'ಕನ್ನಡ ಭಾಷೆ',
    'മലയാളം',
    'සිංහල',
    'สวัสดี',
    'ພາສາລາວ',
    'ភាសាខ្មែរ',
    'မြန်မာဘာသာ',
    'ქართული ენა',
    'Հայերեն',
    'አማርኛ',
    'مرحبا',
    'שלום',
    'ދިވެހި',
    '你好世界',
  ],
  ...['こんにちは', '안녕하세요', '→ ← ↑ ★ ☆ ✓ ✔ ☑ ■ □ ▲ ● ∑ √ ≤ ≥ ≠ ∞ ½ № € ₿ ₹ ₪ ♥ ☎ ① Ⅷ ‰ ‡ ⇒', '😀 👨‍👩‍👧 👍🏽 🇧🇷 1️⃣ ❤️ ⏰'],
]

/** How many glyphs of a text are boxes, which stand for what no font has. */
async function countBoxes(text: string): Promise<number> {
  const pages = new TextPages('Fonts')
  pages.need(20)
  pages.text(text, { x: 40, size: 14 })
  const document = await pages.end()
  const drawn = document.getPages().map(({ node }) => {
    const content = node.Contents()
    if (!(content instanceof PDFRawStream)) throw new Error('The page has no content.')
    return inflateSync(content.getContents()).toString('latin1')
  })
  return [...drawn.join('').matchAll(/<0000> Tj/g)].length
}

test.each(texts)('%s is drawn without a box', async (text) => {
  expect(await countBoxes(text)).toBe(0)
})

test('what no shipped font has is a box', async () => {
  expect(await countBoxes('𓂀')).toBe(1)
})
