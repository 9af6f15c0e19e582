import type { UploadCredentials } from '#shared/contract/uploads'
import { toInstant } from '#shared/domain/dates'
import type { BucketAccess, BucketSigner } from './bucket-signer'
import { type UploadGrant, writePolicy } from './upload-policy'

/** An object of the bucket that is being read; `content_type` as the bucket reports it. */
export interface BucketObject {
  readonly content_type: string
  readonly bytes: AsyncIterable<Uint8Array>
}

/** An S3-compatible bucket that takes uploads instead of the server (supplement, "Attachments and uploads"). It is used for nothing else. */
export interface Bucket {
  readonly origin: string
  /** Credentials with a pre-signed POST policy (signature version 4). */
  issueCredentials(grant: UploadGrant & { now: Date }): Promise<UploadCredentials>
  /** The key of a Location, if it is in this bucket. */
  keyOf(location: string): string | undefined
  /** Reads an object while `take` runs; undefined if it does not exist. @throws BucketUnreachable; errors of `take`. */
  read<T>(key: string, options: { now: Date; take: (object: BucketObject) => Promise<T> }): Promise<T | undefined>
}

/** The bucket does not respond, or rejects us. The message holds no secret. */
export class BucketUnreachable extends Error {}

const timeoutMs = 60_000

/** Makes the client of a bucket. */
export function createBucket(access: BucketAccess): Bucket {
  const { origin, host, protocol, pathname } = new URL(access.url)
  const path = pathname.replace(/\/$/, '')
  const name = path.slice(1)
  const folders = [`${origin}${path}/`, `${protocol}//${name}.${host}/`]
  let loaded: Promise<BucketSigner> | undefined
  // Loaded only with a bucket.
  const signer = () => (loaded ??= import('./bucket-signer').then(({ createBucketSigner }) => createBucketSigner(access)))

  return {
    origin,
    issueCredentials: async ({ now, ...grant }) => {
      const stamp = stampOf(access, now)
      const policy = writePolicy({ ...grant, bucket: name, also: stamp })
      const signature = await (await signer()).signText(policy, now)
      return {
        signature,
        access_key: access.access_key_id,
        policy,
        host: `${origin}${path}`,
        acl: 'private',
        key: grant.keyPrefix,
        expiration: toInstant(grant.expiration),
        fields: { ...stamp, 'x-amz-signature': signature },
      }
    },
    keyOf: (location) => {
      const text = URL.parse(location.trim())?.href ?? ''
      const folder = folders.find((start) => text.startsWith(start))
      return folder === undefined || /[?#]/.test(text) ? undefined : decodeKey(text.slice(folder.length))
    },
    read: async (key, { now, take }) => {
      const url = new URL(`${origin}${path}/${encodeKey(key)}`)
      const headers = await (await signer()).signRead(url, now)
      const ending = new AbortController()
      const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(timeoutMs)])
      try {
        const response = await orUnreachable(() => fetch(url, { headers, redirect: 'error', signal }))
        if (response.status !== 200 || !response.body) return await explain(response)
        return await take({ content_type: response.headers.get('content-type') ?? '', bytes: bytesOf(response.body) })
      } finally {
        ending.abort()
      }
    },
  }
}

/** The fields of a form with its policy's signature and date. */
function stampOf({ access_key_id, region }: BucketAccess, now: Date): Record<string, string> {
  const signedAt = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return {
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': `${access_key_id}/${signedAt.slice(0, 8)}/${region}/s3/aws4_request`,
    'x-amz-date': signedAt,
  }
}

/** A missing object is undefined; other errors are thrown by S3's name. */
async function explain(response: Response): Promise<undefined> {
  const text = await orUnreachable(() => response.text())
  const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(text) ?? []
  if (response.status === 404 && code !== 'NoSuchBucket') return undefined
  throw new BucketUnreachable(`The bucket answers ${response.status} ${code}.`)
}

async function orUnreachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new BucketUnreachable('The bucket cannot be reached.', { cause: error })
  }
}

/** A broken stream counts as unread; the consumer's errors stay its own. */
async function* bytesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await orUnreachable(() => reader.read())
    if (done) return
    yield value
  }
}

function decodeKey(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Escapes as signatures require: everything except letters, digits and `-._~`; folders stay. */
function encodeKey(key: string): string {
  const escape = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  return key
    .split('/')
    .map((part) => encodeURIComponent(part).replaceAll(/[!'()*]/g, escape))
    .join('/')
}
