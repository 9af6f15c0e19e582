import { readFile } from 'node:fs/promises'
import { findBlob } from '#main/store/records/files/blob-reader'
import type { Exchange } from '../exchange'
import type { Event } from '../machine'
import { isPassing } from '../remote'
import { RemoteError } from '../remote-error'
import { sendFiles } from '../send-files'

const timeoutMs = 10 * 60_000

/** Sends the files that operations name, each from where it was interrupted. */
export function uploads(exchange: Exchange): Promise<Event> {
  return sendFiles(exchange, (file) => uploadOne(exchange, file))
}

async function uploadOne(exchange: Exchange, { sha256, file_name }: { sha256: string; file_name: string }): Promise<void> {
  const { remote, blobs, store } = exchange
  const known = await findBlob(store.reader, sha256)
  const content = await blobs.withFile(sha256, async ({ path }) => new Uint8Array(await readFile(path)))
  const bytes = content.length
  const query = new URLSearchParams({ file_name, content_type: known?.content_type ?? '' })
  const put = (offset: number, body: Uint8Array<ArrayBuffer>) =>
    remote.transport({
      method: 'PUT',
      path: `/sync/blobs/${sha256}?${query.toString()}`,
      headers: { 'content-type': 'application/octet-stream', 'upload-offset': String(offset), 'upload-length': String(bytes) },
      body,
      timeoutMs,
    })
  // The remote says where to continue: it keeps interrupted uploads.
  for (let offset = 0, tries = 0; tries < 5; tries += 1) {
    const response = await put(offset, content.subarray(offset))
    const { status, headers } = response
    if (status === 201) {
      exchange.tally.uploads += 1
      return
    }
    const there = Number(headers['upload-offset'])
    if ((status !== 409 && status !== 200) || !Number.isInteger(there) || there > bytes)
      throw new RemoteError(status === 401 ? 'unauthorized' : isPassing(status) ? 'unreachable' : 'refused', await response.text(), status)
    offset = there
  }
  throw new RemoteError('unreachable', 'The upload did not come through.')
}
