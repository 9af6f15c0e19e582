import type { XmlNode } from '#shared/invoices/xml-tree'

const maxXmlDepth = 100

/** Fetches and reads an XML file in the encoding that it names. Throws when it cannot be had, is not XML, or is too large to show. */
export async function fetchXml(url: string, signal: AbortSignal): Promise<XmlNode> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`The file answered ${response.status}.`)
  const { readXml } = await import('#shared/invoices/read-xml')
  const root = readXml(new Uint8Array(await response.arrayBuffer()), { maxXmlDepth })
  if (!root) throw new Error('The file is too large to show.')
  return root
}
