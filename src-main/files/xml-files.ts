import { createReadStream } from 'node:fs'
import { HasDoctype, createDecoder, createXmlReader, declarationBytes } from '#shared/invoices/read-xml'
import { toFacts } from '#shared/invoices/invoice'
import { readInvoice } from '#shared/invoices/read-invoice'
import type { XmlNode } from '#shared/invoices/xml-tree'
import type { Inspection, InspectionLimits } from '#main/files/inspection'

/** Reads a whole XML file strictly, and what an invoice says. A document type is refused. @throws when malformed */
export async function inspectXml(path: string, limits: InspectionLimits): Promise<Inspection> {
  try {
    const root = await readFileAsXml(path, limits)
    const invoice = root && readInvoice(root)
    return { kind: 'ok', ...(invoice && { invoice: toFacts(invoice) }) }
  } catch (error) {
    if (error instanceof HasDoctype) return { kind: 'refused', reason: 'doctype' }
    throw error
  }
}

/** Reads a file in parts: what it holds is never in memory as a whole. */
async function readFileAsXml(path: string, limits: InspectionLimits): Promise<XmlNode | undefined> {
  const reader = createXmlReader(limits)
  let decoder: ReturnType<typeof createDecoder> | undefined
  const parts: AsyncIterable<Uint8Array> = createReadStream(path)
  for await (const part of parts) {
    decoder ??= createDecoder(part.subarray(0, declarationBytes))
    reader.write(decoder.decode(part, { stream: true }))
  }
  reader.write(decoder?.decode() ?? '')
  return reader.close()
}
