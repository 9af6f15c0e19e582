import { type BlobStore, FileTooLarge } from '#main/files/blob-store'
import type { Command, Received } from '../command'

/** Receives and hashes bytes into a temporary file, which the caller discards. Ignores bytes beyond `maxBytes`. */
export async function receiveContent(
  { blobs }: { readonly blobs: Pick<BlobStore, 'receive'> },
  { stream, bytes }: NonNullable<Command['content']>,
  maxBytes: number,
): Promise<Received> {
  const tooLarge: Received = { sha256: 'too large', file: undefined }
  if (bytes > maxBytes) return tooLarge
  try {
    const file = await blobs.receive(stream.iterator({ destroyOnReturn: false }), { maxBytes })
    return { sha256: file.sha256, file }
  } catch (error) {
    if (error instanceof FileTooLarge) return tooLarge
    throw error
  }
}
