import { type BlobStore, BlobMissing, type LocalFile, type ReceivedFile, type Spool } from '../blob-store'

/** A copy in use, and by how many. */
interface Copy {
  readonly file: Promise<ReceivedFile>
  users: number
}

/**
 * Copies of blobs on this disk, for work that needs a path: one of a blob at a time, however many use it, removed when the last is done.
 * What a killed process leaves is among uploads that never ended, and is swept with them.
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
