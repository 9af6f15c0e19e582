import type { Logger } from 'pino'
import type { Clock } from '#main/clock'
import { type BlobStore, createBlobStore } from './blob-store'
import { BucketUnreachable } from './bucket'
import type { BucketPlace } from './bucket-store/client'

interface Opening {
  readonly place: BucketPlace | undefined
  readonly clock: Pick<Clock, 'now' | 'monotonicMs' | 'uid'>
}

/** Opens the blob store of a data folder: the folder itself, or the operator's bucket. */
export async function openBlobStore(root: string, { place, clock }: Opening): Promise<BlobStore> {
  if (!place) return createBlobStore(root, { randomId: () => clock.uid() })
  // Loaded only with a bucket.
  return (await import('./bucket-store/blobs')).createBucketBlobs(place, { root, clock })
}

/**
 * Like {@link openBlobStore}, for an instance's server, which marks the bucket as its own. If the bucket does not respond, the server starts but is
 * not ready. @throws BucketOfAnother
 */
export async function openOwnBlobStore(
  root: string,
  { log, instance_uid, ...opening }: Opening & { readonly log: Logger; readonly instance_uid: string },
): Promise<BlobStore> {
  const blobs = await openBlobStore(root, opening)
  try {
    await blobs.own(instance_uid)
  } catch (err) {
    if (!(err instanceof BucketUnreachable)) throw err
    log.error({ err }, 'the bucket of files cannot be used')
  }
  return blobs
}
