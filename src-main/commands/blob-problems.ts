import type { BlobCheck, BlobStore } from '../files/blob-store'
import { listAllBlobs } from '../store/core/instance-reader'
import { listBlobTransfers } from '../store/sync/sync-blobs'
import type { Store } from '../store/core/store'

/**
 * Named files that are missing or damaged. A bucket verifies what it stores, so there only files of another size are damaged; `readsFiles`: reads
 * each file, as in a folder.
 */
export async function findBlobProblems({ reader }: Store, blobs: BlobStore, { readsFiles = false } = {}): Promise<string[]> {
  const problems: string[] = []
  // A replica fetches some files only on demand.
  const elsewhere = new Set((await listBlobTransfers(reader, 'down')).map(({ sha256 }) => sha256))
  const sizes = blobs.place && !readsFiles ? await listSizes(blobs) : undefined
  for (const { sha256, bytes } of await listAllBlobs(reader)) {
    const kind = sizes ? compareSize(sizes.get(sha256), bytes) : (await blobs.verify(sha256)).kind
    if (kind === 'missing' && !elsewhere.has(sha256)) problems.push(`The file ${sha256} is missing.`)
    if (kind === 'damaged') problems.push(`The file ${sha256} is damaged.`)
  }
  return problems
}

async function listSizes(blobs: BlobStore): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { sha256, bytes } of blobs.list()) sizes.set(sha256, bytes)
  return sizes
}

function compareSize(found: number | undefined, bytes: number): BlobCheck['kind'] {
  if (found === undefined) return 'missing'
  return found === bytes ? 'intact' : 'damaged'
}
