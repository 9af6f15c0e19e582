import { timingSafeEqual } from 'node:crypto'
import type { UploadCredentials } from '#shared/contract/uploads'
import { isAllowedContentType } from '#shared/domain/content-types'
import { FileTooLarge } from '#main/files/blob-store'
import type { Bucket, BucketObject } from '#main/files/bucket'
import { isPlainKey, toMediaType } from '#main/files/upload-policy'
import { findUpload } from '#main/store/records/files/uploads'
import { keyedHash } from '#main/use-cases/access/keyed-hash'
import { keyOfLocation, toLocation } from '#main/use-cases/uploads/uploads'
import type { Command, Sender } from '../command'
import type { CommonDeps, ServerParts } from '../deps'
import { storeUpload } from './store-upload'

/** The parts of the server with which a file in the bucket is taken. */
export type TakingDep = 'bucket' | 'blobs' | 'inspector' | 'store'
type TakingDeps = CommonDeps & Pick<ServerParts, TakingDep>

/** Credentials for a form that is sent to the bucket. The key's prefix names the user and the end, so that nothing is stored. */
export function bucketCredentialsFor(
  { clock, settings, signing_secret: secret }: CommonDeps,
  bucket: Bucket,
  user_id: number,
): Promise<UploadCredentials> {
  const now = clock.now()
  const expires_s = Math.floor(now.getTime() / 1000) + settings.upload_ttl_s
  return bucket.issueCredentials({
    keyPrefix: writePrefix(secret, `${user_id}/${expires_s}-${clock.secret(16)}`),
    expiration: new Date(expires_s * 1000),
    maxBytes: settings.upload_max_bytes,
    now,
  })
}

/**
 * Replaces each Location of the bucket in the body's `file` with one of ours. Each file is fetched first, once, and checked and stored like an upload
 * to this server; a rejected file leaves no upload. Throws BucketUnreachable.
 */
export async function takeFromBucket(deps: TakingDeps, command: Command): Promise<Command> {
  const { bucket } = deps
  if (!bucket || command.content) return command
  const keys = new Set<string>()
  const body = mapFiles(command.body, (location) => {
    const key = bucket.keyOf(location)
    if (key === undefined) return location
    keys.add(key)
    return toLocation('http://localhost', key)
  })
  for (const key of keys) await takeOne(deps, command.sender, { bucket, key })
  return { ...command, body }
}

/**
 * The hashes of those files that the caller uploaded, by the Locations that name them. Of a file in the bucket there is one once it was
 * fetched, which it is here. Throws BucketUnreachable.
 */
export async function hashesOfUploads(deps: TakingDeps, sender: Sender, locations: readonly string[]): Promise<Map<string, string>> {
  const { bucket } = deps
  const hashes = new Map<string, string>()
  for (const location of new Set(locations)) {
    const key = bucket?.keyOf(location)
    if (bucket && key !== undefined) await takeOne(deps, sender, { bucket, key })
    const upload = await findUpload(deps.store.reader, key ?? keyOfLocation(location) ?? '')
    if (upload?.user_id === sender.caller.user_id) hashes.set(location, upload.sha256)
  }
  return hashes
}

async function takeOne(deps: TakingDeps, sender: Sender, { bucket, key }: { bucket: Bucket; key: string }): Promise<void> {
  const now = deps.clock.now()
  const { user_id } = sender.caller
  if (!isOwnKey(key, { secret: deps.signing_secret, user_id, now }) || (await findUpload(deps.store.reader, key))) return
  await bucket.read(key, { now, take: (object) => takeObject(deps, sender, { key, object }) })
}

async function takeObject(deps: TakingDeps, sender: Sender, { key, object }: { key: string; object: BucketObject }): Promise<void> {
  const { caller, origin, request_id } = sender
  const content_type = toMediaType(object.content_type)
  if (!isAllowedContentType(content_type)) return
  try {
    const file = await deps.blobs.receive(object.bytes, { maxBytes: deps.settings.upload_max_bytes })
    await storeUpload(deps, { actor: { user_id: caller.user_id, origin, request_id, if_match: null }, key, content_type, file }).finally(
      () => file.discard(),
    )
  } catch (error) {
    if (!(error instanceof FileTooLarge)) throw error
  }
}

/** `named`: the user, the end in seconds, and a random part. */
function writePrefix(secret: string, named: string): string {
  return `${named}-${keyedHash({ secret, purpose: 'upload', text: named })}/`
}

function isOwnKey(key: string, { secret, user_id, now }: { secret: string; user_id: number; now: Date }): boolean {
  const [prefix = '', named = '', owner, expires_s] = /^((-?\d+)\/(\d+)-[0-9a-f]+)-[0-9a-f]{64}\//.exec(key) ?? []
  const expected = writePrefix(secret, named)
  if (prefix.length !== expected.length || !timingSafeEqual(Buffer.from(prefix), Buffer.from(expected))) return false
  return Number(owner) === user_id && now.getTime() < Number(expires_s) * 1000 && isPlainKey(key, prefix)
}

/** The JSON with each text under `file` changed. */
function mapFiles(json: unknown, change: (file: string) => string): unknown {
  if (Array.isArray(json)) return json.map((item) => mapFiles(item, change))
  if (typeof json !== 'object' || json === null) return json
  const entries = Object.entries(json).map(([name, value]) => [
    name,
    name === 'file' && typeof value === 'string' ? change(value) : mapFiles(value, change),
  ])
  return Object.fromEntries(entries)
}
