import { mostReadings } from '#shared/contract/instance/sync-readings'
import { syncRoutes } from '#shared/contract/sync'
import { isDiskFull } from '#shared/domain/out-of-room'
import { listReadingsToFetch, noteReceipt } from '#main/store/records/files/receipt-readings'
import { endBlobTransfer, failBlobTransfer } from '#main/store/sync/sync-blobs'
import { findReplicaValue } from '#main/store/sync/replica-state'
import { listWantedFiles } from '#main/store/sync/replica-reader'
import { type Exchange, transact } from '../exchange'
import { forgetFiles } from '../local-files'
import type { Event } from '../machine'
import { type Remote, assertResponded } from '../remote'
import { RemoteError } from '../remote-error'

const timeoutMs = 10 * 60_000
/** How many bytes of receipts are fetched in advance by default. */
export const defaultReceiptBudget = 500 * 1024 * 1024
/** The largest possible file of a remote. */
const maxBytes = 200 * 1024 * 1024

/** Fetches files in advance within the budget, first those of expenses that wait for review. Others are fetched on demand. */
export async function downloads(exchange: Exchange): Promise<Event> {
  if (exchange.tally.removed > 0) await forgetFiles(exchange)
  let left = (await findReplicaValue(exchange.store.reader, 'receipt_budget')) ?? defaultReceiptBudget
  for (const { sha256, bytes } of await listWantedFiles(exchange.store.reader)) {
    const isWithin = bytes <= left
    if (isWithin) left -= bytes
    try {
      await (isWithin ? download(exchange, sha256) : downloadPictures(exchange, sha256))
      if (isWithin) exchange.tally.downloads += 1
    } catch (error) {
      if (!(error instanceof RemoteError) || error.failure === 'unauthorized') throw error
      await transact(exchange, (tx) => failBlobTransfer(tx, { sha256, direction: 'down', last_error: error.message }))
      if (error.failure === 'unreachable') throw error
    }
  }
  await fetchReadings(exchange)
  return 'done'
}

/**
 * One request per exchange asks for readings, and each receipt is asked for in several exchanges: the remote may not have read it yet, or may not
 * read receipts.
 */
const asked = { limit: mostReadings, mostTries: 10 }

/** The thumbnails that lists show of files beyond the budget, in order of fetching. */
const pictures = ['thumb', 'medium'] as const

async function downloadPictures({ remote, thumbnails }: Exchange, sha256: string): Promise<void> {
  for (const style of pictures) {
    if (await thumbnails.find(sha256, style)) continue
    const response = await remote.transport({ method: 'GET', path: `/sync/blobs/${sha256}?style=${style}`, headers: {}, timeoutMs })
    // Not every file has a picture.
    if (response.status === 404) return
    if (response.status !== 200) assertResponded(response, await response.text())
    const bytes = Buffer.concat(await Array.fromAsync(response.stream()))
    const content_type = response.headers['content-type'] === 'image/png' ? 'image/png' : 'image/jpeg'
    await thumbnails.keep(sha256, style, { bytes, content_type })
  }
}

/** Fetches one file and keeps it only if its hash is its name. Throws {@link RemoteError}. */
export async function download(
  exchange: Pick<Exchange, 'store' | 'blobs'> & { readonly remote: Pick<Remote, 'transport'> },
  sha256: string,
): Promise<void> {
  const { blobs, remote } = exchange
  if (!(await blobs.has(sha256))) {
    const response = await remote.transport({ method: 'GET', path: `/sync/blobs/${sha256}`, headers: {}, timeoutMs })
    if (response.status !== 200) assertResponded(response, await response.text())
    const file = await blobs.receive(response.stream(), { maxBytes }).catch((error: unknown) => {
      if (isDiskFull(error)) throw error
      throw new RemoteError('unreachable', error instanceof Error ? error.message : String(error))
    })
    try {
      if (file.sha256 !== sha256) throw new RemoteError('unreadable', `The file ${sha256} came with another content.`)
      await blobs.keep(file)
    } finally {
      await file.discard()
    }
  }
  await transact(exchange, (tx) => endBlobTransfer(tx, { sha256, direction: 'down' }))
}

/** Stores the remote's readings of expenses' receipts, even without their files. Throws {@link RemoteError} if it cannot be reached. */
async function fetchReadings(exchange: Exchange): Promise<void> {
  const wanted = await listReadingsToFetch(exchange.store.reader, asked)
  if (wanted.length === 0) return
  const body = { files: wanted.map(({ sha256 }) => sha256) }
  const { readings } = await exchange.remote.call(syncRoutes.readings, { body }).catch(withoutReadings)
  const found = new Map(
    readings.map(({ file, engine, fields }) => [file, { engine, fields: JSON.stringify(fields), state: 'read' as const }]),
  )
  await transact(exchange, async (tx) => {
    for (const { sha256, tries } of wanted)
      await noteReceipt(tx, { ...(found.get(sha256) ?? { engine: null, fields: null, state: 'waiting' }), sha256, tries: tries + 1 })
  })
}

/** An older remote has no readings. */
function withoutReadings(error: unknown): { readings: [] } {
  if (error instanceof RemoteError && error.failure === 'no_sync') return { readings: [] }
  throw error
}
