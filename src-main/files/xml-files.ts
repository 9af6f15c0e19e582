import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { HasDoctype, createDecoder, createXmlReader, declarationBytes } from '#shared/invoices/read-xml'
import { type Invoice, toFacts } from '#shared/invoices/invoice'
import { readInvoice } from '#shared/invoices/read-invoice'
import type { XmlNode } from '#shared/invoices/xml-tree'
import type { Inspection, InspectionLimits } from '#main/files/inspection'

/** Reads a whole XML file strictly, and what an invoice says. A document type is refused. @throws when malformed */
export async function inspectXml(path: string, limits: InspectionLimits): Promise<Inspection> {
  try {
    const root = await readFileAsXml(path, limits)
    const invoice = root && readInvoice(root)
    if (!invoice) return { kind: 'ok' }
    return { kind: 'ok', invoice: { ...toFacts(invoice), is_altered: await isAltered(invoice, { path, limits }) } }
  } catch (error) {
    if (error instanceof HasDoctype) return { kind: 'refused', reason: 'doctype' }
    throw error
  }
}

/** Signed invoices are smaller, and are the only files that are read whole. */
const mostSignedBytes = 1_000_000

/** Whether the signature of a Brazilian invoice does not fit what it says. Whose certificate it is, is asked elsewhere. */
async function isAltered({ kind }: Invoice, { path, limits }: { path: string; limits: InspectionLimits }): Promise<boolean> {
  if (kind === 'nfse' || kind === 'en16931' || (await stat(path)).size > mostSignedBytes) return false
  const [bytes, { checkSignature }] = await Promise.all([readFile(path), import('#main/files/signatures')])
  const text = createDecoder(bytes.subarray(0, declarationBytes)).decode(bytes)
  try {
    return checkSignature(text, { ...limits, roots: [] }).state === 'altered'
  } catch {
    // Its own reader found nothing wrong with it.
    return false
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
