import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas'
import { z } from 'zod'

/** A part of a font: its possible characters and its file, which is loaded when a text needs it. */
interface FontPart {
  readonly family: string
  readonly file: string
  readonly ranges: ReadonlyArray<readonly [from: number, to: number]>
  readonly isVariable: boolean
  isLoaded: boolean
}

const scripts =
  'arabic hebrew thai bengali gurmukhi gujarati oriya tamil telugu kannada malayalam sinhala lao khmer myanmar georgian armenian ethiopic thaana'

/**
 * The shipped fonts (SIL Open Font License 1.1). The first one that has a character draws it: some lack characters that their packages list. Variable
 * fonts have all weights in one file.
 */
const packages = [
  ...['noto-sans', ...scripts.split(' ').map((script) => `noto-sans-${script}`), 'noto-emoji', 'noto-sans-symbols-2'].map((font) => ({
    font,
    name: `@fontsource/${font}`,
    isVariable: false,
  })),
  ...['noto-sans-jp', 'noto-sans-sc', 'noto-sans-kr'].map((font) => ({ font, name: `@fontsource-variable/${font}`, isVariable: true })),
]

const rangesByPart = z.record(z.string(), z.string())
let known: readonly FontPart[] | undefined

/** The parts of all fonts, as their packages describe them. */
function parts(): readonly FontPart[] {
  if (known) return known
  const { resolve } = createRequire(import.meta.url)
  const taken = new Set<string>()
  known = packages.flatMap(({ font, name, isVariable }) => {
    const folder = dirname(resolve(`${name}/package.json`))
    const described = rangesByPart.parse(JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')))
    return Object.entries(described).flatMap(([part, ranges]) => {
      // Every package lists the same letters and signs: the first has the letters, another one the signs, the others almost none.
      const isEmpty = part === 'symbols' ? font !== 'noto-sans-symbols-2' : part === 'math' || taken.has(part)
      if (isEmpty) return []
      const id = part.replace(/[[\]]/g, '')
      if (id === part) taken.add(part)
      return {
        family: `Outlay ${font} ${id}`,
        isVariable,
        isLoaded: false,
        ranges: ranges.split(',').map(toRange),
        file: join(folder, 'files', `${font}-${id}-${isVariable ? 'wght' : '400'}-normal.woff2`),
      }
    })
  })
  return known
}

function toRange(text: string): readonly [number, number] {
  const [from = '', to = from] = text.trim().replace(/^U\+/i, '').split('-')
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
}

/** The first font has every character below this one. */
const firstOfOthers = 0x250
const partsOf = new Map<number, readonly FontPart[]>()

/** The parts that may draw a character, preferred ones first. */
function findParts(sign: string): readonly FontPart[] {
  const code = sign.codePointAt(0) ?? 0
  let found = partsOf.get(code)
  if (!found) {
    const all = parts().filter(({ ranges }) => ranges.some(([from, to]) => from <= code && code <= to))
    found = code < firstOfOthers ? all.slice(0, 1) : all
    partsOf.set(code, found)
  }
  return found
}

/** The families that a text needs, preferred ones first. Files are read here, so that they are found inside an archive, too. */
function familiesOf(text: string): string[] {
  const found = new Set([...text].flatMap((sign) => findParts(sign)))
  // In this order, as an emoji font also has digits and a space.
  const needed = parts().filter((part) => found.has(part))
  for (const part of needed) {
    if (!part.isLoaded) GlobalFonts.register(readFileSync(part.file), part.family)
    part.isLoaded = true
  }
  return needed.map(({ family }) => `"${family}"`)
}

/** The canvas state for drawing texts. */
export type Pen = Pick<SKRSContext2D, 'font' | 'fillStyle' | 'direction' | 'textAlign' | 'measureText' | 'fillText' | 'fillRect'> & {
  fontVariationSettings?: string
  letterSpacing?: string
}

/** The style of a text; size in points. */
export interface TextStyle {
  readonly size: number
  readonly isBold?: boolean
  readonly color?: string
}

/** Scripts in which every character has its own glyph. */
const plain =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}가-힣\p{N}\p{P}\p{S}\p{Zs}]*$/u

/** Whether PDF readers can extract a text from its glyphs: they miss ligatures, and signs above others. */
export function isPlain(text: string): boolean {
  if (!plain.test(text) || /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(text)) return false
  // The canvas draws variable fonts as shapes, next to which readers miss spaces.
  return !text.includes(' ') || [...text].every((sign) => findParts(sign)[0]?.isVariable !== true)
}

/** The WOFF file of the font that draws all these characters; undefined if there is none, or it is variable. */
export function findFont(text: string): string | undefined {
  const files = new Set(
    [...text].map((sign) => findParts(sign)[0]).map((part) => (part?.isVariable === false ? part.file.slice(0, -1) : undefined)),
  )
  return files.size === 1 ? [...files][0] : undefined
}

const joined = /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Thai}]/u

/** Sets the font for a text. Characters that no shipped font has are drawn with the system's fonts, or as boxes. */
export function setFont(context: Pen, text: string, { size, isBold = false, color = '#1a1a1a' }: TextStyle): void {
  const font = `${isBold ? 'bold ' : ''}${size}px ${[...familiesOf(text), 'sans-serif'].join(',')}`
  if (context.font !== font) context.font = font
  context.fontVariationSettings = `'wght' ${isBold ? 700 : 400}`
  // Readers do not find the letters of a ligature (fi); joined scripts need theirs.
  context.letterSpacing = /f[fijlt]/.test(text) && !joined.test(text) ? '0.01px' : '0px'
  context.fillStyle = color
  context.direction = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}]/u.test(text) ? 'rtl' : 'ltr'
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Breaks a text into lines of at most this width, between words, or inside a word that is too wide. */
export function wrap(context: Pen, text: string, { width, ...style }: TextStyle & { width: number }): string[] {
  const clean = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  if (clean === '') return []
  setFont(context, clean, style)
  const fits = (line: string) => context.measureText(line).width <= width
  const lines: string[] = []
  let line = ''
  for (const word of clean.split(/(?<=\s)/)) {
    if (fits((line + word).trimEnd())) {
      line += word
      continue
    }
    if (line !== '') lines.push(line.trimEnd())
    line = word
    if (fits(word.trimEnd())) continue
    line = ''
    for (const { segment } of graphemes.segment(word)) {
      if (line !== '' && !fits(line + segment)) {
        lines.push(line)
        line = ''
      }
      line += segment
    }
  }
  if (line.trim() !== '') lines.push(line.trimEnd())
  return lines
}
