import { readFileSync } from 'node:fs'
import { deflateSync, inflateSync } from 'node:zlib'
import { type PDFDocument, PDFName, PDFRawStream, PDFRef } from '@cantoo/pdf-lib'
import type { Font } from 'harfbuzzjs'
import { findFont, isPlain } from '#main/files/pages/fonts'

/** A square of this width is drawn at the page's corner before and after each text. */
export const markWidth = 1 / 64
const mark = /^0 0 \.015625 \.015625 re\nf\n/m

/** The glyph for missing characters: a box. */
const box = '<0000> Tj'

/** Adjacent glyphs, and their characters. */
interface Cluster {
  readonly glyphs: readonly number[]
  readonly text: string
}

type Shape = (word: string) => Promise<readonly Cluster[] | undefined>

/** Replaces the marks on drawn pages by their texts, where glyphs do not show their characters. `texts`: all drawn texts, in order. */
export async function spellOut(document: PDFDocument, texts: readonly string[]): Promise<void> {
  const left = texts.values()
  const shape = keptShape()
  for (const { node } of document.getPages()) {
    const [at, content] = [node.get(PDFName.of('Contents')), node.Contents()]
    if (!(at instanceof PDFRef && content instanceof PDFRawStream)) throw new Error('A drawn page has no content.')
    const parts = inflateSync(content.getContents()).toString('latin1').split(mark)
    for (let index = 1; index < parts.length; index += 2) parts[index] = await spell(parts[index] ?? '', left.next().value ?? '', shape)
    const bytes = deflateSync(Buffer.from(parts.join(''), 'latin1'))
    document.context.assign(at, document.context.stream(bytes, { Filter: PDFName.of('FlateDecode') }))
  }
}

const span = (text: string, drawn: string) =>
  `/Span <</ActualText <FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex')}>>> BDC\n${drawn}EMC\n`

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}]/u

/** Readers reverse right-to-left text, even whole spans, so each letter there has its own span. */
async function spell(drawn: string, text: string, shape: Shape): Promise<string> {
  if (isPlain(text) && !drawn.includes(box)) return drawn
  const isMixed = rightToLeft.test(text) && !drawn.includes(box)
  return (isMixed ? await spellWords(drawn, wordsOf(text), shape) : undefined) ?? span(text, drawn)
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The parts of a text that are not plain, each in one direction and one font. */
function wordsOf(text: string): string[] {
  const words: string[] = []
  let isOpen = false
  for (const { segment } of graphemes.segment(text)) {
    const last = words.at(-1) ?? ''
    const isNext = isOpen && rightToLeft.test(last) === rightToLeft.test(segment) && findFont(last + segment) !== undefined
    isOpen = !isPlain(segment)
    if (isOpen && isNext) words[words.length - 1] = last + segment
    else if (isOpen) words.push(segment)
  }
  return words
}

interface Glyph {
  readonly id: number
  readonly x: number
  readonly y: number
}

/** Glyphs of a block with the text that readers find there, or glyphs of one word alone. */
interface Part {
  readonly glyphs: readonly Glyph[]
  readonly text?: string
}

/** Undefined if the glyphs of a word are not found. */
async function spellWords(drawn: string, words: readonly string[], shape: Shape): Promise<string | undefined> {
  const blocks = drawn.split(/(?<=^ET\n)/m).map((block) => {
    const at = block.search(/^.*<[\da-f]{4}> Tj$/im)
    return at < 0 ? { head: block, parts: [] } : { head: block.slice(0, at), parts: [{ glyphs: readGlyphs(block.slice(at)) }] as Part[] }
  })
  // Longest first: a short word may be part of a long one.
  for (const word of words.toSorted((one, other) => other.length - one.length)) {
    const clusters = await shape(word)
    if (!clusters?.length || !blocks.some(({ parts }) => claim(parts, clusters, rightToLeft.test(word)))) return undefined
  }
  return blocks.map(({ head, parts }) => head + (parts.length > 0 ? `${write(parts)}ET\n` : '')).join('')
}

function readGlyphs(lines: string): Glyph[] {
  let [x, y] = [0, 0]
  return [...lines.matchAll(/^(?:(\S+) (\S+) Td )?<([\da-f]{4})> Tj$/gim)].map(([, dx = '0', dy = '0', id = '']) => {
    x += Number(dx)
    y += Number(dy)
    return { id: Number.parseInt(id, 16), x, y }
  })
}

/** Finds a word's glyphs among those that belong to no other word; returns whether it found them. */
function claim(parts: Part[], clusters: readonly Cluster[], isReversed: boolean): boolean {
  const ids = clusters.flatMap(({ glyphs }) => glyphs)
  for (const [index, { glyphs, text }] of parts.entries()) {
    if (text !== undefined) continue
    const start = glyphs.findIndex((_, from) => ids.every((id, place) => glyphs[from + place]?.id === id))
    if (start < 0) continue
    const own = glyphs.slice(start, start + ids.length)
    parts.splice(index, 1, { glyphs: glyphs.slice(0, start) }, ...spans(own, clusters, isReversed), {
      glyphs: glyphs.slice(start + ids.length),
    })
    return true
  }
  return false
}

/** Puts a letter where its last glyph is, in page order, and signs above and below after all letters, so that readers keep the word together. */
function spans(glyphs: readonly Glyph[], clusters: readonly Cluster[], isReversed: boolean): Part[] {
  if (!isReversed) return [{ glyphs, text: clusters.map(({ text }) => text).join('') }]
  const signs: Glyph[] = []
  let at = 0
  const letters = clusters.map(({ glyphs: { length }, text }) => {
    at += length
    signs.push(...glyphs.slice(at - length, at - 1))
    return { glyphs: glyphs.slice(at - 1, at), text }
  })
  return signs.length > 0 ? [...letters, { glyphs: signs, text: '' }] : letters
}

function write(parts: readonly Part[]): string {
  let [left, top] = [0, 0]
  const draw = ({ id, x, y }: Glyph) => {
    const [dx, dy] = [x - left, y - top]
    left = x
    top = y
    return `${dx.toFixed(5)} ${dy.toFixed(5)} Td <${id.toString(16).padStart(4, '0')}> Tj\n`
  }
  return parts.map(({ glyphs, text }) => (text === undefined ? glyphs.map(draw).join('') : span(text, glyphs.map(draw).join('')))).join('')
}

/** Makes a function that finds the glyphs of a word with the canvas's own library. Each font is read once. */
function keptShape(): Shape {
  const known = new Map<string, readonly Cluster[] | undefined>()
  const fonts = new Map<string, Font>()
  return async (word) => {
    const file = findFont(word)
    if (known.has(word) || file === undefined) return known.get(word)
    // Loaded here, as few documents need it.
    const { Blob, Buffer: Line, Face, Font, shape } = await import('harfbuzzjs')
    const font = fonts.get(file) ?? new Font(new Face(new Blob(toSfnt(readFileSync(file)))))
    fonts.set(file, font)
    const line = new Line()
    line.addText(word)
    line.guessSegmentProperties()
    shape(font, line)
    known.set(word, toClusters(word, line.getGlyphInfos()))
    return known.get(word)
  }
}

function toClusters(word: string, glyphs: ReadonlyArray<{ readonly codepoint: number; readonly cluster: number }>): Cluster[] {
  const starts = [...new Set(glyphs.map(({ cluster }) => cluster))]
  return starts.map((start) => ({
    glyphs: glyphs.filter(({ cluster }) => cluster === start).map(({ codepoint }) => codepoint),
    text: word.slice(start, Math.min(word.length, ...starts.filter((other) => other > start))),
  }))
}

/** Unpacks a WOFF 1.0 font, table by table. */
function toSfnt(woff: Buffer): ArrayBuffer {
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(12 + 16 * count)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  const parts = [head]
  let offset = head.length
  for (let index = 0; index < count; index++) {
    const [from, to] = [44 + 20 * index, 12 + 16 * index]
    const [start, packed, length] = [woff.readUInt32BE(from + 4), woff.readUInt32BE(from + 8), woff.readUInt32BE(from + 12)]
    const bytes = woff.subarray(start, start + packed)
    const table = Buffer.alloc(Math.ceil(length / 4) * 4)
    table.set(packed < length ? inflateSync(bytes) : bytes)
    parts.push(table)
    woff.copy(head, to, from, from + 4)
    woff.copy(head, to + 4, from + 16, from + 20)
    head.writeUInt32BE(offset, to + 8)
    head.writeUInt32BE(length, to + 12)
    offset += table.length
  }
  return new Uint8Array(Buffer.concat(parts)).buffer
}
