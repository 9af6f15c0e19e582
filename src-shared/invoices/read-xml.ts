import { SaxesParser } from 'saxes'
import type { XmlNode } from '#shared/invoices/xml-tree'

/** The limits of a document. */
export interface XmlLimits {
  readonly maxXmlDepth: number
}

/** Larger documents are not kept as a tree: they are not invoices, and nobody reads them on screen. */
const mostElements = 100_000
const mostCharacters = 4_000_000
/** Elements of invoices have only a few. */
const mostAttributes = 1_000

/** The document has a document type, which could bring entity bombs and external files. */
export class HasDoctype extends Error {}

interface Open {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlNode[]
  text: string
}

/** Parses a document in parts. */
export interface XmlReader {
  write(text: string): void
  /** The document; undefined if it is well-formed but too large to keep. */
  close(): XmlNode | undefined
}

/**
 * Makes a strict parser of one XML document. Parts are parsed on arrival and not kept. `write` and `close` throw {@link HasDoctype}, or another error
 * if the document is malformed, nested too deep, or has an element with thousands of attributes.
 */
export function createXmlReader({ maxXmlDepth }: XmlLimits): XmlReader {
  const parser = new SaxesParser({ xmlns: true })
  const root: Open = { name: '', attributes: {}, children: [], text: '' }
  const open: Open[] = [root]
  let elements = 0
  let characters = 0
  let attributes = 0
  const isKept = () => elements <= mostElements && characters <= mostCharacters
  parser.on('doctype', () => {
    throw new HasDoctype('A document type is not accepted')
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > mostAttributes) throw new RangeError('Too many attributes')
  })
  parser.on('opentag', ({ name, attributes: given }) => {
    if (open.length > maxXmlDepth) throw new RangeError('Nested too deep')
    elements += 1
    attributes = 0
    const named = isKept() ? Object.entries(given) : []
    const values = Object.fromEntries(named.map(([key, attribute]) => [key, attribute.value]))
    open.push({ name, attributes: values, children: [], text: '' })
    if (!isKept()) for (const one of open) one.children.length = 0
  })
  const addText = (text: string) => {
    const top = open.at(-1)
    characters += text.length
    if (top && isKept()) top.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const done = open.pop()
    if (!done || !isKept()) return
    open.at(-1)?.children.push({ ...done, text: done.children.length > 0 ? '' : done.text.trim() })
  })
  return {
    write: (text) => void parser.write(text),
    close: () => {
      parser.close()
      return isKept() ? root.children[0] : undefined
    },
  }
}

/**
 * Parses a whole XML document; see {@link createXmlReader}.
 * @throws the errors of that, and if its encoding is not the one it names
 */
export function readXml(bytes: Uint8Array, limits: XmlLimits): XmlNode | undefined {
  const reader = createXmlReader(limits)
  reader.write(createDecoder(bytes.subarray(0, declarationBytes)).decode(bytes))
  return reader.close()
}

/** How many bytes to read for a document's declaration and byte order mark. */
export const declarationBytes = 256

/** A decoder for a document, by its byte order mark, otherwise its declared encoding, otherwise UTF-8. It throws on invalid bytes. */
export function createDecoder(beginning: Uint8Array): InstanceType<typeof TextDecoder> {
  const start = new TextDecoder('latin1').decode(beginning)
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1]
  const marked = [
    ['\u00ff\u00fe', 'utf-16le'],
    ['\u00fe\u00ff', 'utf-16be'],
  ].find(([mark = '']) => start.startsWith(mark))?.[1]
  return new TextDecoder(marked ?? declared ?? 'utf-8', { fatal: true })
}
