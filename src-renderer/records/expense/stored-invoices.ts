import { useQueries } from '@tanstack/react-query'
import type { AttachmentRepresentation } from '#shared/contract/attachments'
import type { Invoice } from '#shared/invoices/invoice'
import { readInvoice } from '#shared/invoices/read-invoice'
import { localUrl } from '../../api/attachments'
import type { XmlNode } from '#shared/invoices/xml-tree'

/** How a page asks for a stored XML file: one query, whether it shows the file or compares with it. */
export function xmlQuery({ uid, version, url }: Pick<AttachmentRepresentation, 'uid' | 'version' | 'url'>) {
  return {
    queryKey: ['xml', uid, version],
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchXml(localUrl(url), signal),
    retry: false,
  } as const
}

/** The electronic invoices among stored receipts, as far as they can be had and have been read. */
export function useStoredInvoices(attachments: readonly AttachmentRepresentation[]): readonly Invoice[] {
  const files = attachments.filter(({ content_type }) => content_type.endsWith('xml'))
  return useQueries({ queries: files.map(xmlQuery) }).flatMap(({ data }) => (data && readInvoice(data)) ?? [])
}

const maxXmlDepth = 100

/** Fetches and reads an XML file in the encoding that it names. Throws when it cannot be had, is not XML, or is too large to show. */
async function fetchXml(url: string, signal: AbortSignal): Promise<XmlNode> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`The file answered ${response.status}.`)
  const { readXml } = await import('#shared/invoices/read-xml')
  const root = readXml(new Uint8Array(await response.arrayBuffer()), { maxXmlDepth })
  if (!root) throw new Error('The file is too large to show.')
  return root
}
