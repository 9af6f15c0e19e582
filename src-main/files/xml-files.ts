import { readFile } from 'node:fs/promises'
import { SaxesParser } from 'saxes'
import type { Inspection, InspectionLimits } from '#main/files/inspection'

class HasDoctype extends Error {}

/** Reads a whole XML file strictly. A document type is refused: it brings entities, and with them bombs and outside files. @throws when malformed */
export async function inspectXml(path: string, { maxXmlDepth }: InspectionLimits): Promise<Inspection> {
  const text = decodeXml(await readFile(path))
  const parser = new SaxesParser({ xmlns: true })
  let depth = 0
  parser.on('doctype', () => {
    throw new HasDoctype()
  })
  parser.on('opentag', () => {
    depth += 1
    if (depth > maxXmlDepth) throw new RangeError('Nested too deep')
  })
  parser.on('closetag', () => {
    depth -= 1
  })
  try {
    parser.write(text).close()
  } catch (error) {
    if (error instanceof HasDoctype) return { kind: 'refused', reason: 'doctype' }
    throw error
  }
  return { kind: 'ok' }
}

/** The text, by its byte order mark, else by the encoding it declares, else UTF-8. @throws when it is not in that encoding */
function decodeXml(bytes: Buffer): string {
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/.exec(bytes.toString('latin1', 0, 256))?.[1]
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
  return new TextDecoder(marked ?? declared ?? 'utf-8', { fatal: true }).decode(bytes)
}
