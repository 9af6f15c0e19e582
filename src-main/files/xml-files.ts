import { readFile } from 'node:fs/promises'
import { HasDoctype, readXml } from '#shared/invoices/read-xml'
import { readInvoice } from '#shared/invoices/read-invoice'
import type { Inspection, InspectionLimits } from '#main/files/inspection'

/** Reads a whole XML file strictly, and what an invoice is known by. A document type is refused. @throws when malformed */
export async function inspectXml(path: string, limits: InspectionLimits): Promise<Inspection> {
  try {
    const root = readXml(await readFile(path), limits)
    const invoice_key = root && readInvoice(root)?.key
    return { kind: 'ok', ...(invoice_key !== undefined && { invoice_key }) }
  } catch (error) {
    if (error instanceof HasDoctype) return { kind: 'refused', reason: 'doctype' }
    throw error
  }
}
