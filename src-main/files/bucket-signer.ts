import { Hash } from '@smithy/core/serde'
import { SignatureV4 } from '@smithy/signature-v4'

/** A bucket as the operator sets it: its path-style address, and the key with read and write access. */
export interface BucketAccess {
  readonly url: string
  readonly region: string
  readonly access_key_id: string
  readonly secret_access_key: string
}

/** A request to sign: its address with an escaped path, and its query. `payload`: the SHA-256 of its body. */
export interface UnsignedRequest {
  readonly method: string
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string
}

/** Signs for a bucket by AWS signature version 4. */
export interface BucketSigner {
  /** The signature of a policy, hexadecimal. */
  signText(text: string, now: Date): Promise<string>
  /** The headers of a request that reads this address, which has an escaped path. */
  signRead(url: URL, now: Date): Promise<Record<string, string>>
  /** All headers of a request. */
  sign(request: UnsignedRequest, now: Date): Promise<Record<string, string>>
}

/** Makes a signer with the bucket's key. */
export function createBucketSigner({ region, access_key_id, secret_access_key }: BucketAccess): BucketSigner {
  const signer = new SignatureV4({
    credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key },
    region,
    service: 's3',
    sha256: Hash.bind(null, 'sha256'),
    uriEscapePath: false,
  })
  const sign: BucketSigner['sign'] = async ({ method, url, headers = {}, payload }, now) => {
    const { protocol, host, hostname, pathname, searchParams } = url
    const hashed: Record<string, string> = payload === undefined ? {} : { 'x-amz-content-sha256': payload }
    const request = { method, protocol, hostname, path: pathname, query: Object.fromEntries(searchParams) }
    return (await signer.sign({ ...request, headers: { ...headers, ...hashed, host } }, { signingDate: now })).headers
  }
  return {
    signText: (text, now) => signer.sign(text, { signingDate: now }),
    signRead: (url, now) => sign({ method: 'GET', url }, now),
    sign,
  }
}
