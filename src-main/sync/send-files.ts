import { BlobMissing } from '#main/files/blob-store'
import { endBlobTransfer, failBlobTransfer, listBlobTransfers } from '#main/store/sync/sync-blobs'
import { listShownOperations } from '#main/store/sync/sync-journal'
import { type Exchange, transact } from './exchange'
import type { Event } from './machine'
import { maxAttempts, parkNaming } from './park'
import { RemoteError } from './remote-error'

/** A file to send, under one of its names as an attachment. */
export interface NamedFile {
  readonly sha256: string
  readonly file_name: string
}

/** Sends the files that operations name, each by `send`; a failed one delays no other. Throws {@link RemoteError}. */
export async function sendFiles(exchange: Exchange, send: (file: NamedFile) => Promise<void>): Promise<Event> {
  const transfers = await listBlobTransfers(exchange.store.reader, 'up')
  if (transfers.length === 0) return 'done'
  const names = await namesOf(exchange)
  for (const { sha256, attempts } of transfers) {
    const file_names = names.get(sha256)
    try {
      // If no operation names the file any more, nobody needs it.
      for (const file_name of file_names ?? []) await send({ sha256, file_name })
      await transact(exchange, (tx) => endBlobTransfer(tx, { sha256, direction: 'up' }))
    } catch (error) {
      const isMissing = error instanceof BlobMissing
      if (!isMissing && (!(error instanceof RemoteError) || error.failure === 'unauthorized')) throw error
      const { message } = error
      const isFinal = (isMissing || error.failure !== 'unreachable') && attempts + 1 >= maxAttempts
      await transact(exchange, async (tx) => {
        await failBlobTransfer(tx, { sha256, direction: 'up', last_error: message })
        if (!isFinal) return
        await parkNaming(exchange, tx, { sha256, message })
        await endBlobTransfer(tx, { sha256, direction: 'up' })
      })
      if (!isMissing && error.failure === 'unreachable' && error.status === 0) throw error
    }
  }
  return 'done'
}

async function namesOf({ store }: Exchange): Promise<Map<string, Set<string>>> {
  const names = new Map<string, Set<string>>()
  for (const { blobs } of await listShownOperations(store.reader))
    for (const { sha256, file_name } of blobs) names.set(sha256, (names.get(sha256) ?? new Set()).add(file_name))
  return names
}
