import { z } from 'zod'
import { BucketUnreachable } from '../bucket'
import { contentOf } from './claims'
import type { BucketClient } from './client'

/** The bucket holds the files of another instance; this one would remove files that it does not know. */
export class BucketOfAnother extends Error {}

const key = 'outlay.json'
const marked = z.object({ instance: z.string() })

/** The object that names the bucket's instance. */
export interface OwnerMark {
  /** Writes the mark if there is none. @throws BucketOfAnother */
  own(instance_uid: string): Promise<void>
  /** Reads the mark. @throws BucketUnreachable if it cannot be read or does not exist */
  check(): Promise<void>
}

/** The owner mark of a bucket. */
export function createOwnerMark(client: BucketClient): OwnerMark {
  const read = async (): Promise<string | undefined> => {
    const found = await client.read(key)
    if (!found) return undefined
    const parsed = marked.safeParse(parseJson(found.bytes.toString()))
    if (!parsed.success) throw new BucketUnreachable(`The object ${key} of the bucket was not written by Outlay.`)
    return parsed.data.instance
  }
  return {
    own: async (instance) => {
      if ((await read()) === undefined) await client.put(key, contentOf(`${JSON.stringify({ instance })}\n`), { isNew: true })
      const owner = await read()
      if (owner !== instance)
        throw new BucketOfAnother(`The bucket of OUTLAY_BUCKET_URL holds the files of another Outlay (${owner ?? 'unknown'}).`)
    },
    check: async () => {
      if ((await read()) === undefined) throw new BucketUnreachable(`The bucket has no object ${key}.`)
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
