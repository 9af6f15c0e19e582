import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SignedXml } from 'xml-crypto'
import { type InvoiceParts, goodsInvoice } from '#test/support/invoices'

const folder = join(import.meta.dirname, '../../files/certificates')
const pem = (name: string) => readFileSync(join(folder, `${name}.pem`), 'utf8')
const bare = (text: string) => text.replaceAll(/-----[A-Z ]+-----|\s/g, '')

/** The folder with the root of made certificates, and others. */
export const certificateFolder = folder
/** The root of made certificates; the authority below it comes with each signature. */
export const testRoots = () => [new X509Certificate(pem('root'))]

/** Who signs: `signer` is the company of `goodsInvoice`, `other` another, `wrong` has a key that may not sign, `leafca` was issued by `signer`. */
export type Signer = 'signer' | 'other' | 'wrong' | 'leafca'

/** An NF-e that is signed as one of a tax authority is. Certificates are valid from 2026-11-23. */
export function signedInvoice(
  parts: InvoiceParts = {},
  { signer = 'signer', digest = 'sha1' }: { signer?: Signer; digest?: 'sha1' | 'sha256' } = {},
): string {
  const xml = goodsInvoice({ issued: '2030-01-04T13:22:10-03:00', ...parts })
  const chain = [signer, ...(signer === 'leafca' ? ['signer'] : []), 'middle'].map(
    (name) => `<X509Certificate>${bare(pem(name))}</X509Certificate>`,
  )
  const names = {
    sha1: { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1', digest: 'http://www.w3.org/2000/09/xmldsig#sha1' },
    sha256: { signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', digest: 'http://www.w3.org/2001/04/xmlenc#sha256' },
  }[digest]
  const c14n = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
  const signing = new SignedXml({
    privateKey: readFileSync(join(folder, `${signer}.key`)),
    signatureAlgorithm: names.signature,
    canonicalizationAlgorithm: c14n,
    getKeyInfoContent: () => `<X509Data>${chain.join('')}</X509Data>`,
  })
  const transforms = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', c14n]
  signing.addReference({ xpath: "//*[local-name(.)='infNFe']", transforms, digestAlgorithm: names.digest })
  signing.computeSignature(xml, { location: { reference: "//*[local-name(.)='infNFe']", action: 'after' } })
  return signing.getSignedXml()
}
