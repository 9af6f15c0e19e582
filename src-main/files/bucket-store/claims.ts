import { Readable } from 'node:stream'
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '#main/clock'
import { BucketUnreachable } from '../bucket'
import type { BucketClient, BucketContent } from './client'

/**
 * Lets one process at a time renew or remove an old blob, by an object that only one can create. Otherwise a file could be removed after an upload of
 * the same content finds it, and before the row that names it.
 */
export interface Claims {
  /** Runs `work` while nobody else holds the blob; waits for the current holder. @throws BucketUnreachable */
  hold<T>(sha256: string, work: () => Promise<T>): Promise<T>
  /** Like `hold`, but does nothing if someone else holds it. `assertHeld` throws if the claim may have been taken over. */
  tryHold(sha256: string, work: (assertHeld: () => Promise<void>) => Promise<void>): Promise<void>
}

/** An older claim was left by a process that ended. */
const leftMs = 120_000
/** A removal must act within this time after the claim. */
const actWithinMs = 60_000
const pauseMs = 200

/** Makes the claims of a bucket's blobs. */
export function createClaims(client: BucketClient, clock: Pick<Clock, 'monotonicMs' | 'uid'>): Claims {
  const keyOf = (sha256: string) => `claims/${sha256}`
  const take = (sha256: string, owner: string) => client.put(keyOf(sha256), contentOf(owner), { isNew: true })
  const free = (sha256: string) => client.remove(keyOf(sha256))
  const freeLeft = async (sha256: string): Promise<void> => {
    const found = await client.head(keyOf(sha256))
    if (found && found.age_ms > leftMs) await free(sha256)
  }
  return {
    hold: async (sha256, work) => {
      const beganMs = clock.monotonicMs()
      while (!(await take(sha256, clock.uid()))) {
        await freeLeft(sha256)
        if (clock.monotonicMs() - beganMs > 2 * leftMs) throw new BucketUnreachable('A file of the bucket stays claimed.')
        await wait(pauseMs)
      }
      return work().finally(() => free(sha256))
    },
    tryHold: async (sha256, work) => {
      const owner = clock.uid()
      const beganMs = clock.monotonicMs()
      if (!(await take(sha256, owner))) return freeLeft(sha256)
      const assertHeld = async () => {
        const found = await client.read(keyOf(sha256))
        if (found?.bytes.toString() !== owner || clock.monotonicMs() - beganMs > actWithinMs)
          throw new BucketUnreachable('The claim of a file of the bucket was taken over.')
      }
      await work(assertHeld).finally(() => free(sha256))
    },
  }
}

/** A short text as an object. */
export function contentOf(text: string, content_type = 'text/plain'): BucketContent {
  const bytes = Buffer.from(text)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { bytes: bytes.length, sha256, content_type, open: () => Readable.from([bytes]) }
}
