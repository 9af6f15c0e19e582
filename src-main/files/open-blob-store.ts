import type { Logger } from 'pino'
import type { Clock } from '#main/clock'
import { type BlobStore, createBlobStore } from './blob-store'
import { BucketUnreachable } from './bucket'
import type { BucketPlace } from './bucket-store/client'

interface Opening {
  readonly place: BucketPlace | undefined
  readonly clock: Pick<Clock, 'now' | 'monotonicMs' | 'uid'>
}

/** The blob store of a data folder: in the folder itself, or in the bucket that the operator names. */
export async function openBlobStore(root: string, { place, clock }: Opening): Promise<BlobStore> {
  if (!place) return createBlobStore(root, { randomId: () => clock.uid() })
  // Loaded only where there is a bucket.
  return (await import('./bucket-store/blobs')).createBucketBlobs(place, { root, clock })
}

/**
 * As {@link openBlobStore}, for the server of an instance, which takes the bucket. Where that does not respond, the server starts and says
 * that it is not ready. @throws BucketOfAnother
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
