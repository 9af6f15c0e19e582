import { X509Certificate } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A DER value: its tag, its content, and the remaining bytes. */
interface Der {
  readonly tag: number
  readonly value: Buffer
  readonly rest: Buffer
}

const maxCertificates = 10
const oids = { keyUsage: '551d0f', alternativeName: '551d11', cnpj: '604c010303' }
/** The bits of a key usage for digital signature and non-repudiation. */
const signingBits = 0b1100_0000

/** The certificates in a folder, PEM or DER; empty if there is no folder. @throws if a file holds no certificate */
export async function readCertificates(folder: string | undefined): Promise<X509Certificate[]> {
  if (folder === undefined) return []
  const names = (await readdir(folder).catch(() => [])).filter((name) => /\.(?:pem|crt|cer|der)$/i.test(name))
  const files = await Promise.all(names.map((name) => readFile(join(folder, name))))
  return files.flatMap((bytes) => {
    const blocks = bytes.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
    return (blocks ?? [bytes]).map((block) => new X509Certificate(block))
  })
}

/**
 * Whether a certificate leads to a root through accompanying ones, each valid at the instant and allowed to issue. Revocation cannot be checked
 * offline.
 */
export function leadsToRoot(
  certificate: X509Certificate,
  { roots, others, at }: { readonly roots: readonly X509Certificate[]; readonly others: readonly X509Certificate[]; readonly at: Date },
): boolean {
  const isValid = ({ validFromDate, validToDate }: X509Certificate) => validFromDate <= at && at <= validToDate
  const issued = (issuer: X509Certificate, child: X509Certificate) =>
    issuer.ca && child.checkIssued(issuer) && child.verify(issuer.publicKey)
  let current = certificate
  for (let steps = 0; steps < maxCertificates; steps += 1) {
    if (!isValid(current)) return false
    const child = current
    if (roots.some((root) => isValid(root) && issued(root, child))) return true
    const issuer = [...roots, ...others].find((other) => other.fingerprint256 !== child.fingerprint256 && issued(other, child))
    if (!issuer) return false
    current = issuer
  }
  return false
}

/** Whether a certificate belongs to a person or company, and its key may sign documents. */
export function maySign(certificate: X509Certificate): boolean {
  if (certificate.ca) return false
  const usage = extensionOf(certificate, oids.keyUsage)
  if (usage === undefined) return true
  const bits = read(usage)
  return bits?.tag === 0x03 && ((bits.value[1] ?? 0) & signingBits) !== 0
}

/** The CNPJ in an ICP-Brasil certificate (2.16.76.1.3.3); undefined if it has none. */
export function cnpjOf(certificate: X509Certificate): string | undefined {
  const names = read(extensionOf(certificate, oids.alternativeName) ?? Buffer.alloc(0))
  for (const name of childrenOf(names?.value)) {
    const [type, wrapped] = name.tag === 0xa0 ? childrenOf(name.value) : []
    if (type?.value.toString('hex') !== oids.cnpj) continue
    return read(wrapped?.value ?? Buffer.alloc(0))?.value.toString('latin1')
  }
  return undefined
}

/** The content of an extension. The signed part of a certificate ends with the list of extensions, each named by an object id. */
function extensionOf({ raw }: X509Certificate, oid: string): Buffer | undefined {
  const [signed] = childrenOf(read(raw)?.value)
  const [list] = childrenOf(childrenOf(signed?.value).find(({ tag }) => tag === 0xa3)?.value)
  const found = childrenOf(list?.value)
    .map(({ value }) => childrenOf(value))
    .find(([name]) => name?.value.toString('hex') === oid)
  return found?.at(-1)?.value
}

function childrenOf(bytes: Buffer | undefined): Der[] {
  const children: Der[] = []
  for (let at = bytes; at && at.length > 0;) {
    const child = read(at)
    if (!child) break
    children.push(child)
    at = child.rest
  }
  return children
}

function read(bytes: Buffer): Der | undefined {
  const [tag, short] = bytes
  if (tag === undefined || short === undefined) return undefined
  const more = short > 0x80 ? short - 0x80 : 0
  if (more > 4 || bytes.length < 2 + more) return undefined
  const length = more === 0 ? short : bytes.readUIntBE(2, more)
  const start = 2 + more
  if (start + length > bytes.length) return undefined
  return { tag, value: bytes.subarray(start, start + length), rest: bytes.subarray(start + length) }
}
