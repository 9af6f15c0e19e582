import { Readable } from 'node:stream'
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '#main/clock'
import { BucketUnreachable } from '../bucket'
import type { BucketClient, BucketContent } from './client'

/**
 * Who may renew or remove an old blob just now: an object that only one can create. Without it a file could be removed between the moment
 * at which an upload of the same content finds it there and the row that names it.
 */
export interface Claims {
  /** Runs `work` while nobody else holds the blob; waits for who does. @throws BucketUnreachable */
  hold<T>(sha256: string, work: () => Promise<T>): Promise<T>
  /** As `hold`, but does nothing where someone else holds it. `assertHeld` throws where the claim may have been taken over. */
  tryHold(sha256: string, work: (assertHeld: () => Promise<void>) => Promise<void>): Promise<void>
}

/** Nobody holds a claim for longer: one that is older was left by a process that ended. */
const leftMs = 120_000
/** Who removes a blob acts within this after the claim, or not at all. */
const actWithinMs = 60_000
const pauseMs = 200

/** Claims of the blobs of a bucket. */
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
