import { type BlobStore, BlobMissing, type LocalFile, type ReceivedFile, type Spool } from '../blob-store'

/** A copy, and how many use it. */
interface Copy {
  readonly file: Promise<ReceivedFile>
  users: number
}

/**
 * Local copies of blobs, for work that needs a path: one per blob, however many use it, removed after the last use. Copies left by a killed process
 * are swept with unfinished uploads.
 */
export function createLocalCopies({
  spool,
  read,
}: {
  spool: Pick<Spool, 'receive'>
  read: (sha256: string) => AsyncIterable<Uint8Array>
}): Pick<BlobStore, 'withFile'> {
  const copies = new Map<string, Copy>()
  const fetchCopy = (sha256: string): Copy => {
    const file = spool.receive(read(sha256), { maxBytes: Number.MAX_SAFE_INTEGER })
    const copy = { file, users: 0 }
    copies.set(sha256, copy)
    return copy
  }
  return {
    withFile: async <T>(sha256: string, work: (file: LocalFile) => Promise<T>) => {
      const copy = copies.get(sha256) ?? fetchCopy(sha256)
      copy.users += 1
      try {
        const { path, bytes, sha256: found } = await copy.file
        if (found !== sha256) throw new BlobMissing(sha256)
        return await work({ path, bytes })
      } finally {
        copy.users -= 1
        if (copy.users === 0) {
          copies.delete(sha256)
          await copy.file.then(
            (file) => file.discard(),
            () => undefined,
          )
        }
      }
    },
  }
}
