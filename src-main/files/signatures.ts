import { X509Certificate } from 'node:crypto'
import { DOMParser } from '@xmldom/xmldom'
import { SignedXml } from 'xml-crypto'
import { parseInstant } from '#shared/domain/dates'
import { type XmlLimits, readXml } from '#shared/invoices/read-xml'
import type { SignatureCheck } from '#shared/invoices/invoice'
import { type XmlNode, localName, nodeAt, nodesNamed, textAt } from '#shared/invoices/xml-tree'
import { cnpjOf, leadsToRoot, maySign } from '#main/files/certificates'

const dsig = 'http://www.w3.org/2000/09/xmldsig#'
const canonical = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const methods = {
  signature: [`${dsig}rsa-sha1`, 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'],
  digest: [`${dsig}sha1`, 'http://www.w3.org/2001/04/xmlenc#sha256'],
  transforms: [`${dsig}enveloped-signature`, canonical],
}

/** Where documents with 44-character keys have their signature: next to the signed element. */
const layouts = [
  { document: 'NFe', signed: 'infNFe', issuer: 'emit', protocol: 'protNFe/infProt' },
  { document: 'CTe', signed: 'infCte', issuer: 'emit', protocol: 'protCTe/infProt' },
  { document: 'CTeOS', signed: 'infCte', issuer: 'emit', protocol: 'protCTe/infProt' },
  { document: 'CTeSimp', signed: 'infCte', issuer: 'emit', protocol: 'protCTe/infProt' },
]

type Layout = (typeof layouts)[number]

const altered = (reason: Extract<SignatureCheck, { state: 'altered' }>['reason']): SignatureCheck => ({ state: 'altered', reason })
const unchecked = (reason: Extract<SignatureCheck, { state: 'unchecked' }>['reason']): SignatureCheck => ({ state: 'unchecked', reason })

/**
 * Checks the signature of an NF-e, NFC-e or CT-e offline: it covers exactly what Outlay reads, nothing was changed, and the certificate belongs to
 * the issuer, may sign, and leads to a root, all on the day of issue.
 */
export function checkSignature(
  text: string,
  { roots, ...limits }: XmlLimits & { readonly roots: readonly X509Certificate[] },
): SignatureCheck {
  const root = readXml(new TextEncoder().encode(text.replace(/^(<\?xml[^>]*?)\sencoding\s*=\s*["'][\w.-]+["']/, '$1')), limits)
  const layout = root && layouts.find(({ document }) => localName(root) === document || nodeAt(root, document))
  const document = root && layout && (localName(root) === layout.document ? root : nodeAt(root, layout.document))
  const signed = document && nodeAt(document, layout.signed)
  if (!signed) return unchecked('unknown_layout')
  const parts = { root, document, signed, layout }
  const signatures =
    nodesNamed(root, 'Signature').length - nodesNamed(nodeAt(root, layout.protocol.split('/')[0] ?? '') ?? empty, 'Signature').length
  const signature = nodeAt(document, 'Signature')
  if (signatures === 0) return unchecked('unsigned')
  if (!signature || signatures > 1) return altered('wrapped')
  const shape = judgeShape(signature, parts)
  if (shape) return shape
  const certificates = certificatesOf(signature)
  const [certificate, ...others] = certificates ?? []
  if (!certificate) return unchecked('unknown_certificate')
  if (!isWhole(text, certificate, signed)) return altered('digest')
  return judgeCertificate(certificate, { roots, others, signed, layout })
}

const empty: XmlNode = { name: '', attributes: {}, children: [], text: '' }

interface Parts {
  readonly root: XmlNode
  readonly document: XmlNode
  readonly signed: XmlNode
  readonly layout: Layout
}

/** Why the signature does not cover the element that is read, or uses unknown methods; undefined if it is right. */
function judgeShape(signature: XmlNode, { root, document, signed, layout }: Parts): SignatureCheck | undefined {
  const id = signed.attributes.Id ?? ''
  const info = signature.children.filter((child) => localName(child) === 'SignedInfo')
  const references = info.flatMap(({ children }) => children.filter((child) => localName(child) === 'Reference'))
  const [reference] = references
  const isOfSigned = id !== '' && reference?.attributes.URI === `#${id}`
  const isAlone =
    document.children.filter((child) => localName(child) === layout.signed).length === 1 &&
    nodesNamed(root, layout.document).length === 1 &&
    countIds(root, id) === 1
  if (info.length !== 1 || references.length !== 1 || !isOfSigned || !isAlone) return altered('wrapped')
  const said = textAt(root, `${layout.protocol}/digVal`)
  if (said !== undefined && said !== textAt(reference, 'DigestValue')) return altered('other_protocol')
  const algorithm = (path: string) => nodeAt(signature, path)?.attributes.Algorithm ?? ''
  const transforms = (nodeAt(reference, 'Transforms')?.children ?? []).map(({ attributes }) => attributes.Algorithm)
  const isKnown =
    algorithm('SignedInfo/CanonicalizationMethod') === canonical &&
    methods.signature.includes(algorithm('SignedInfo/SignatureMethod')) &&
    methods.digest.includes(algorithm('SignedInfo/Reference/DigestMethod')) &&
    transforms.length === 2 &&
    methods.transforms.every((name) => transforms.includes(name))
  return isKnown ? undefined : unchecked('unknown_method')
}

/** How many elements have an id, however the attribute is written. */
function countIds(node: XmlNode, id: string): number {
  const own = Object.entries(node.attributes).some(([name, value]) => /(?:^|:)id$/i.test(name) && value === id) ? 1 : 0
  return node.children.reduce((sum, child) => sum + countIds(child, id), own)
}

function certificatesOf(signature: XmlNode): X509Certificate[] | undefined {
  try {
    return nodesNamed(nodeAt(signature, 'KeyInfo') ?? empty, 'X509Certificate').map(
      ({ text }) => new X509Certificate(Buffer.from(text, 'base64')),
    )
  } catch {
    return undefined
  }
}

/** Whether signature and digest are right, and the signed bytes contain what is read, however another reader would see the file. */
function isWhole(text: string, certificate: X509Certificate, signed: XmlNode): boolean {
  try {
    const document = new DOMParser().parseFromString(text, 'text/xml')
    const [node, ...more] = Array.from(document.getElementsByTagNameNS(dsig, 'Signature')).filter(({ parentNode }) =>
      layouts.some((layout) => layout.document === parentNode?.nodeName.replace(/^.*:/, '')),
    )
    if (!node || more.length > 0) return false
    const verifier = new SignedXml({ publicCert: certificate.toString(), getCertFromKeyInfo: () => null })
    verifier.loadSignature(node)
    if (!verifier.checkSignature(text)) return false
    const [bytes, ...others] = verifier.getSignedReferences()
    const read = bytes === undefined || others.length > 0 ? undefined : readXml(new TextEncoder().encode(bytes), { maxXmlDepth: 100 })
    return read !== undefined && isSame(read, signed)
  } catch {
    return false
  }
}

/** Whether two elements have the same content; one may spell out namespaces that the other inherits. */
function isSame(one: XmlNode, other: XmlNode): boolean {
  const written = ({ attributes }: XmlNode) =>
    JSON.stringify(
      Object.entries(attributes)
        .filter(([name]) => !/^xmlns(?::|$)/.test(name))
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    )
  return (
    one.name === other.name &&
    one.text === other.text &&
    written(one) === written(other) &&
    one.children.length === other.children.length &&
    one.children.every((child, at) => isSame(child, other.children[at] ?? empty))
  )
}

function judgeCertificate(
  certificate: X509Certificate,
  {
    roots,
    others,
    signed,
    layout,
  }: { roots: readonly X509Certificate[]; others: readonly X509Certificate[]; signed: XmlNode; layout: Layout },
): SignatureCheck {
  const issued = parseInstant(textAt(signed, 'ide/dhEmi', 'ide/dEmi'))
  if (issued === undefined || !leadsToRoot(certificate, { roots, others, at: new Date(issued) })) return unchecked('unknown_certificate')
  if (!maySign(certificate)) return unchecked('wrong_usage')
  // Branches of a company sign with one certificate: the first eight digits are the company's.
  const issuer = textAt(signed, `${layout.issuer}/CNPJ`)?.slice(0, 8)
  if (issuer === undefined || cnpjOf(certificate)?.slice(0, 8) !== issuer) return unchecked('other_signer')
  return {
    state: 'valid',
    signer:
      certificate.subject
        .split('\n')
        .find((line) => line.startsWith('CN='))
        ?.slice(3) ?? '',
  }
}
