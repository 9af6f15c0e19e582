import type { BlobStore } from '../files/blob-store'
import { listAllBlobs } from '../store/core/instance-reader'
import { listBlobTransfers } from '../store/sync/sync-blobs'
import type { Store } from '../store/core/store'

/** The uploaded files that records name and that are missing or damaged. */
export async function findBlobProblems({ reader }: Store, blobs: BlobStore): Promise<string[]> {
  const problems: string[] = []
  // A replica fetches some files only when they are asked for.
  const elsewhere = new Set((await listBlobTransfers(reader, 'down')).map(({ sha256 }) => sha256))
  for (const { sha256 } of await listAllBlobs(reader)) {
    const check = await blobs.verify(sha256)
    if (check.kind === 'missing' && !elsewhere.has(sha256)) problems.push(`The file ${sha256} is missing.`)
    if (check.kind === 'damaged') problems.push(`The file ${sha256} is damaged.`)
  }
  return problems
}
