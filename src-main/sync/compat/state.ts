import { z } from 'zod'
import { findReplicaValue, writeReplicaValue } from '#main/store/sync/replica-state'
import { deleteSyncState, findSyncState, writeSyncState } from '#main/store/sync/sync-state'
import type { Reader, Tx } from '#main/store/core/store'

/** The position of pulling lists, stored in place of other remotes' cursor. */
const position = z.object({
  /** The newest change seen in each list. */
  since: z.record(z.string(), z.string()),
  /** When all lists were last read completely, by this device's clock; only a long time matters. */
  whole_at: z.string().nullable(),
  /** Lists whose lengths here and there still differ, with both lengths: reading them again does not help. */
  odd: z.record(z.string(), z.string()),
})
export type Position = z.infer<typeof position>

/** The stored position and scopes; empty before the first pull. */
export async function findPosition(reader: Reader): Promise<Position & { scopes: string }> {
  const pulled = await findReplicaValue(reader, 'pulled')
  if (!pulled) return { since: {}, whole_at: null, odd: {}, scopes: '' }
  return { ...position.parse(JSON.parse(pulled.cursor)), scopes: pulled.scopes }
}

/** Stores the position. */
export async function keepPosition(tx: Tx, { scopes, ...place }: Position & { scopes: string }): Promise<void> {
  await writeReplicaValue(tx, 'pulled', { cursor: JSON.stringify(place), scopes, seq: 0 })
}

/** A call as it was first sent. A repeat must be identical, or the server does not recognize it. */
const request = z.object({
  method: z.string(),
  path: z.string(),
  body: z.unknown(),
  if_match: z.string().nullable(),
  /** The idempotency key of the call. */
  key: z.string(),
})
export type SentRequest = z.infer<typeof request>

const requestKey = (op_id: string) => `compat_request:${op_id}`

/** The sent call of an operation whose outcome is unknown. */
export async function findSentRequest(reader: Reader, op_id: string): Promise<SentRequest | undefined> {
  const text = await findSyncState(reader, requestKey(op_id))
  return text === undefined ? undefined : request.parse(JSON.parse(text))
}

/** Stores a call before it is sent; undefined removes it once its outcome is known. */
export async function keepSentRequest(tx: Tx, op_id: string, sent: SentRequest | undefined): Promise<void> {
  if (sent) await writeSyncState(tx, requestKey(op_id), JSON.stringify(sent))
  else await deleteSyncState(tx, requestKey(op_id))
}

const place = z.object({ location: z.string(), at: z.string() })
/** A file that was uploaded to a remote. */
export interface UploadedFile {
  readonly url: string
  readonly sha256: string
  readonly file_name: string
}

const locationKey = ({ url, sha256, file_name }: UploadedFile) => `compat_upload:${url}:${sha256}:${file_name}`
/** The shortest known time to claim an upload is an hour; half of that is safe. */
const claimableMs = 30 * 60_000

/** The remote's address of an uploaded file, while it can be claimed. */
export async function findLocation(reader: Reader, file: UploadedFile, now: Date): Promise<string | undefined> {
  const text = await findSyncState(reader, locationKey(file))
  if (text === undefined) return undefined
  const { location, at } = place.parse(JSON.parse(text))
  return now.getTime() - Date.parse(at) < claimableMs ? location : undefined
}

/** Stores the address of an uploaded file; undefined removes it once claimed. */
export async function keepLocation(tx: Tx, file: UploadedFile, location: string | undefined): Promise<void> {
  if (location === undefined) await deleteSyncState(tx, locationKey(file))
  else await writeSyncState(tx, locationKey(file), JSON.stringify({ location, at: tx.now }))
}
