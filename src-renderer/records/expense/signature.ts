import { useQuery } from '@tanstack/react-query'
import type { AttachmentRepresentation } from '#shared/contract/attachments'
import { invoiceCheckRoutes } from '#shared/contract/instance/invoice-checks'
import { type Invoice, withSignature } from '#shared/invoices/invoice'
import { localUrl } from '../../api/attachments'
import { call } from '../../api/client'

/** The invoice with what its signature is worth, where it has one that can be checked and the server can be asked. */
export async function checkInvoice(invoice: Invoice, bytes: Uint8Array): Promise<Invoice> {
  if (invoice.access_key?.length !== 44) return invoice
  try {
    const { createDecoder, declarationBytes } = await import('#shared/invoices/read-xml')
    const xml = createDecoder(bytes.subarray(0, declarationBytes)).decode(bytes)
    return withSignature(invoice, await call(invoiceCheckRoutes.create, { body: { xml } }))
  } catch {
    return invoice
  }
}

/** An invoice of a stored receipt, first as it was read, then with its signature checked. */
export function useCheckedInvoice(
  invoice: Invoice | undefined,
  { uid, version, url }: Pick<AttachmentRepresentation, 'uid' | 'version' | 'url'>,
): Invoice | undefined {
  const { data } = useQuery({
    queryKey: ['invoice-signature', uid, version],
    queryFn: async ({ signal }) => {
      const response = await fetch(localUrl(url), { signal })
      return invoice && response.ok ? checkInvoice(invoice, new Uint8Array(await response.arrayBuffer())) : invoice
    },
    enabled: invoice !== undefined,
    retry: false,
  })
  return data ?? invoice
}
