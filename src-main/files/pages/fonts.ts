import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas'
import { z } from 'zod'

/** Part of a font: the characters it has, and its file. It is loaded when a text needs it. */
interface FontPart {
  readonly family: string
  readonly file: string
  readonly ranges: ReadonlyArray<readonly [from: number, to: number]>
  readonly isVariable: boolean
  isLoaded: boolean
}

/** The fonts that are shipped (SIL Open Font License 1.1), the first that has a character draws it. Variable ones have all weights in a file. */
const packages = [
  { name: '@fontsource/noto-sans', isVariable: false },
  { name: '@fontsource/noto-sans-arabic', isVariable: false },
  { name: '@fontsource/noto-sans-hebrew', isVariable: false },
  { name: '@fontsource/noto-sans-thai', isVariable: false },
  { name: '@fontsource-variable/noto-sans-jp', isVariable: true },
  { name: '@fontsource-variable/noto-sans-sc', isVariable: true },
  { name: '@fontsource-variable/noto-sans-kr', isVariable: true },
]

const rangesByPart = z.record(z.string(), z.string())
let known: readonly FontPart[] | undefined

/** The parts of all fonts, as their packages describe them. */
function parts(): readonly FontPart[] {
  if (known) return known
  const { resolve } = createRequire(import.meta.url)
  known = packages.flatMap(({ name, isVariable }) => {
    const folder = dirname(resolve(`${name}/package.json`))
    const own = name.slice(name.indexOf('/') + 1)
    const described = rangesByPart.parse(JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')))
    return Object.entries(described).map(([part, ranges]) => {
      const id = part.replace(/[[\]]/g, '')
      return {
        ...{ family: `Outlay ${own} ${id}`, isVariable, isLoaded: false, ranges: ranges.split(',').map(toRange) },
        file: join(folder, 'files', `${own}-${id}-${isVariable ? 'wght' : '400'}-normal.woff2`),
      }
    })
  })
  return known
}

function toRange(text: string): readonly [number, number] {
  const [from = '', to = from] = text.trim().replace(/^U\+/i, '').split('-')
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
}

const partOf = new Map<number, FontPart | undefined>()

function findPart(code: number): FontPart | undefined {
  if (!partOf.has(code))
    partOf.set(
      code,
      parts().find(({ ranges }) => ranges.some(([from, to]) => from <= code && code <= to)),
    )
  return partOf.get(code)
}

/** The families that a text needs, most important first. The file is read here, so that one inside an archive is found too. */
function familiesOf(text: string): string[] {
  const needed = new Set<FontPart>()
  for (const sign of text) {
    const part = findPart(sign.codePointAt(0) ?? 0)
    if (part) needed.add(part)
  }
  for (const part of needed) {
    if (!part.isLoaded) GlobalFonts.register(readFileSync(part.file), part.family)
    part.isLoaded = true
  }
  return [...needed].map(({ family }) => `"${family}"`)
}

/** What texts are drawn with. */
export type Pen = Pick<
  SKRSContext2D,
  'font' | 'fillStyle' | 'direction' | 'textAlign' | 'measureText' | 'fillText' | 'fillRect'
> & {
  fontVariationSettings?: string
  letterSpacing?: string
}

/** How a text is set: its size in points. */
export interface TextStyle {
  readonly size: number
  readonly isBold?: boolean
  readonly color?: string
}

const joined = /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Thai}]/u

/** Sets the font for a text. Emoji, which no shipped font has, are drawn as the system's fonts have them, or as boxes. */
export function setFont(context: Pen, text: string, { size, isBold = false, color = '#1a1a1a' }: TextStyle): void {
  const font = `${isBold ? 'bold ' : ''}${size}px ${[...familiesOf(text), 'sans-serif'].join(',')}`
  if (context.font !== font) context.font = font
  context.fontVariationSettings = `'wght' ${isBold ? 700 : 400}`
  // Readers of the text do not find the letters of a ligature (fi); joined scripts need theirs.
  context.letterSpacing = /f[fijlt]/.test(text) && !joined.test(text) ? '0.01px' : '0px'
  context.fillStyle = color
  context.direction = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text) ? 'rtl' : 'ltr'
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Breaks a text into lines of at most this width: between words, and within a word that is wider. */
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
