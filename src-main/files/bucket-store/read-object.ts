import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { BlobMissing } from '../blob-store'
import { BucketUnreachable } from '../bucket'
import type { ByteSpan } from '../shelf'
import type { BucketClient } from './client'

/** Which bytes of an object to read. `sha256`: the hash of the whole object, if it should be checked. */
export interface ReadSpan extends ByteSpan {
  readonly sha256?: string
}

/** An interrupted read continues where it stopped, unless it brought nothing this many times. */
const mostBreaks = 3

/**
 * The bytes of an object. If its hash is given, the last bytes are sent only after the hash matches, so damaged content never arrives complete.
 * @throws BlobMissing; BucketUnreachable
 */
export async function* readObject(
  client: Pick<BucketClient, 'get'>,
  key: string,
  { start = 0, end, sha256 }: ReadSpan = {},
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let held: Buffer | undefined
  let left: number | undefined
  for (let at = start, breaks = 0; left !== 0;) {
    const found = await client.get(key, { start: at, end })
    if (!found) throw new BlobMissing(sha256 ?? key)
    left ??= found.bytes
    try {
      for await (const chunk of chunksOf(found.body)) {
        if (held) yield held
        held = chunk
        if (sha256 !== undefined) hash.update(chunk)
        at += chunk.length
        left -= chunk.length
        breaks = 0
      }
      if (left > 0) throw new Error('The bucket sent less than it announced.')
    } catch (error) {
      breaks += 1
      if (breaks >= mostBreaks) throw new BucketUnreachable('The bucket breaks off while a file is read.', { cause: error })
    } finally {
      found.body.destroy()
    }
  }
  if (sha256 !== undefined && hash.digest('hex') !== sha256) throw new BlobMissing(sha256)
  if (held) yield held
}

async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of body) if (Buffer.isBuffer(chunk)) yield chunk
}
