import { readFile } from 'node:fs/promises'
import { endBlobTransfer, failBlobTransfer, listBlobTransfers } from '#main/store/sync-blobs'
import { listShownOperations } from '#main/store/sync-journal'
import { BlobMissing } from '#main/files/blob-store'
import { findBlob } from '#main/store/blob-reader'
import { type Exchange, transact } from '../exchange'
import type { Event } from '../machine'
import { maxAttempts, parkNaming } from '../park'
import { isPassing } from '../remote'
import { RemoteError } from '../remote-error'

const timeoutMs = 10 * 60_000

/** Sends the files that operations name, each from where it was cut off; one that cannot go holds up no other. */
export async function uploads(exchange: Exchange): Promise<Event> {
  const names = await namesOf(exchange)
  for (const { sha256, attempts } of await listBlobTransfers(exchange.store.reader, 'up')) {
    const file_names = names.get(sha256)
    try {
      // Nobody asks for it any more where no operation names it.
      for (const file_name of file_names ?? []) await uploadOne(exchange, { sha256, file_name })
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

async function uploadOne(exchange: Exchange, { sha256, file_name }: { sha256: string; file_name: string }): Promise<void> {
  const { remote, blobs, store } = exchange
  const known = await findBlob(store.reader, sha256)
  const { path, bytes } = await blobs.open(sha256)
  const content = new Uint8Array(await readFile(path))
  const query = new URLSearchParams({ file_name, content_type: known?.content_type ?? '' })
  const put = (offset: number, body: Uint8Array<ArrayBuffer>) =>
    remote.transport({
      method: 'PUT',
      path: `/sync/blobs/${sha256}?${query.toString()}`,
      headers: {
        'content-type': 'application/octet-stream',
        'upload-offset': String(offset),
        'upload-length': String(bytes),
      },
      body,
      timeoutMs,
    })
  // Where the remote is, it says itself: what came of an upload that was cut off is still there.
  for (let offset = 0, tries = 0; tries < 5; tries += 1) {
    const answer = await put(offset, content.subarray(offset))
    const { status, headers } = answer
    if (status === 201) {
      exchange.tally.uploads += 1
      return
    }
    const there = Number(headers['upload-offset'])
    if ((status !== 409 && status !== 200) || !Number.isInteger(there) || there > bytes)
      throw new RemoteError(
        status === 401 ? 'unauthorized' : isPassing(status) ? 'unreachable' : 'refused',
        await answer.text(),
        status,
      )
    offset = there
  }
  throw new RemoteError('unreachable', 'The upload did not come through.')
}
