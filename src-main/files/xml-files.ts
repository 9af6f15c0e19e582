import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { HasDoctype, createDecoder, createXmlReader, declarationBytes } from '#shared/invoices/read-xml'
import { type Invoice, toFacts } from '#shared/invoices/invoice'
import { readInvoice } from '#shared/invoices/read-invoice'
import type { XmlNode } from '#shared/invoices/xml-tree'
import type { Inspection, InspectionLimits } from '#main/files/inspection'

/** Parses a whole XML file strictly, and reads its invoice. Rejects a document type. @throws if malformed */
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

/** The size limit of signed invoices, the only files that are read completely. */
const mostSignedBytes = 1_000_000

/** Whether the signature of a Brazilian invoice does not match its content. The certificate is checked elsewhere. */
async function isAltered({ kind }: Invoice, { path, limits }: { path: string; limits: InspectionLimits }): Promise<boolean> {
  if (kind === 'nfse' || kind === 'en16931' || (await stat(path)).size > mostSignedBytes) return false
  const [bytes, { checkSignature }] = await Promise.all([readFile(path), import('#main/files/signatures')])
  const text = createDecoder(bytes.subarray(0, declarationBytes)).decode(bytes)
  try {
    return checkSignature(text, { ...limits, roots: [] }).state === 'altered'
  } catch {
    // The strict parser found nothing wrong with it.
    return false
  }
}

/** Parses a file in parts, so that it is never in memory completely. */
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
