import { readEuropean } from '#shared/invoices/read-european'
import type { Invoice } from '#shared/invoices/invoice'
import { readGoods, readNationalService } from '#shared/invoices/read-with-key'
import { readMunicipalService } from '#shared/invoices/read-municipal'
import { type XmlNode, nodesNamed } from '#shared/invoices/xml-tree'

/**
 * What an XML document says as an electronic invoice: of EN 16931 (CII or UBL), or Brazilian: NF-e, NFC-e, CT-e (CT-e OS and the simplified one too), NFS-e of the
 * national layout or of ABRASF. Undefined for any other document: events such as a cancellation, and lists of several invoices.
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
