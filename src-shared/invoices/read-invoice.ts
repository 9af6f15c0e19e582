import { readEuropean } from '#shared/invoices/read-european'
import type { Invoice } from '#shared/invoices/invoice'
import { readGoods, readNationalService } from '#shared/invoices/read-with-key'
import { readMunicipalService } from '#shared/invoices/read-municipal'
import { type XmlNode, nodesNamed } from '#shared/invoices/xml-tree'

/**
 * Reads the electronic invoice in an XML document: EN 16931 (CII or UBL), or Brazilian: NF-e, NFC-e, CT-e (also CT-e OS and the simplified one),
 * NFS-e in the national or ABRASF layout. Undefined for other documents: events such as a cancellation, and lists of several invoices.
 */
export function readInvoice(root: XmlNode): Invoice | undefined {
  const goods = readGoods(root) ?? readEuropean(root)
  if (goods) return goods
  const [national, ...others] = nodesNamed(root, 'infNFSe')
  const [municipal, ...more] = nodesNamed(root, 'InfNfse')
  if (national && !municipal && others.length === 0) return readNationalService(national)
  if (municipal && !national && more.length === 0) return readMunicipalService(root, municipal)
  return undefined
}
