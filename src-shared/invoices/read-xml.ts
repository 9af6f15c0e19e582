import { SaxesParser } from 'saxes'
import type { XmlNode } from '#shared/invoices/xml-tree'

/** What a document may hold at most. */
export interface XmlLimits {
  readonly maxXmlDepth: number
}

/** Beyond this no tree is kept: a document so large is no invoice, and nobody reads it on a screen. */
const mostElements = 100_000

/** A document has a document type: it brings entities, and with them bombs and outside files. */
export class HasDoctype extends Error {}

interface Open {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlNode[]
  text: string
}

/**
 * Reads a whole XML document strictly; undefined where it is well-formed but too large to be kept.
 * @throws HasDoctype; another error where it is malformed, in no encoding it names, or nested deeper than allowed
 */
export function readXml(bytes: Uint8Array, { maxXmlDepth }: XmlLimits): XmlNode | undefined {
  const parser = new SaxesParser({ xmlns: true })
  const open: Open[] = [{ name: '', attributes: {}, children: [], text: '' }]
  let elements = 0
  parser.on('doctype', () => {
    throw new HasDoctype('A document type is not accepted')
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > maxXmlDepth) throw new RangeError('Nested too deep')
    elements += 1
    const values = Object.fromEntries(Object.entries(attributes).map(([key, attribute]) => [key, attribute.value]))
    open.push({ name, attributes: values, children: [], text: '' })
  })
  const addText = (text: string) => {
    const top = open.at(-1)
    if (top) top.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const done = open.pop()
    if (!done || elements > mostElements) return
    open.at(-1)?.children.push({ ...done, text: done.children.length > 0 ? '' : done.text.trim() })
  })
  parser.write(decodeXml(bytes)).close()
  return elements > mostElements ? undefined : open[0]?.children[0]
}

/** The text, by its byte order mark, else by the encoding it declares, else UTF-8. @throws when it is not in that encoding */
function decodeXml(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 256))
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1]
  const marked = [
    ['\u00ff\u00fe', 'utf-16le'],
    ['\u00fe\u00ff', 'utf-16be'],
  ].find(([mark = '']) => start.startsWith(mark))?.[1]
  return new TextDecoder(marked ?? declared ?? 'utf-8', { fatal: true }).decode(bytes)
}
