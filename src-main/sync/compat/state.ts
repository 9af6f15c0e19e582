import { z } from 'zod'
import { findReplicaValue, writeReplicaValue } from '#main/store/sync/replica-state'
import { deleteSyncState, findSyncState, writeSyncState } from '#main/store/sync/sync-state'
import type { Reader, Tx } from '#main/store/core/store'

/** The position of pulling lists; it is kept in the place of the cursor that other remotes give. */
const position = z.object({
  /** The newest change seen of each list. */
  since: z.record(z.string(), z.string()),
  /** When all lists were last gone through whole, by this device's clock: only that it is long ago matters. */
  whole_at: z.string().nullable(),
  /** Lists whose length still differs there and here, and both lengths: no listing repairs it. */
  odd: z.record(z.string(), z.string()),
})
export type Position = z.infer<typeof position>

/** The position of pulling, and for what the user may see; before the first pull, nowhere. */
export async function findPosition(reader: Reader): Promise<Position & { scopes: string }> {
  const pulled = await findReplicaValue(reader, 'pulled')
  if (!pulled) return { since: {}, whole_at: null, odd: {}, scopes: '' }
  return { ...position.parse(JSON.parse(pulled.cursor)), scopes: pulled.scopes }
}

/** Keeps the position of pulling. */
export async function keepPosition(tx: Tx, { scopes, ...place }: Position & { scopes: string }): Promise<void> {
  await writeReplicaValue(tx, 'pulled', { cursor: JSON.stringify(place), scopes, seq: 0 })
}

/** A call as it was first sent: what is sent again must be the same, or the server cannot know it again. */
const request = z.object({
  method: z.string(),
  path: z.string(),
  body: z.unknown(),
  if_match: z.string().nullable(),
  /** What the server knows the call by. */
  key: z.string(),
})
export type SentRequest = z.infer<typeof request>

const requestKey = (op_id: string) => `compat_request:${op_id}`

/** The call of an operation of which it is not known whether it came through. */
export async function findSentRequest(reader: Reader, op_id: string): Promise<SentRequest | undefined> {
  const text = await findSyncState(reader, requestKey(op_id))
  return text === undefined ? undefined : request.parse(JSON.parse(text))
}

/** Keeps a call before it is sent; undefined when it is known what became of it. */
export async function keepSentRequest(tx: Tx, op_id: string, sent: SentRequest | undefined): Promise<void> {
  if (sent) await writeSyncState(tx, requestKey(op_id), JSON.stringify(sent))
  else await deleteSyncState(tx, requestKey(op_id))
}

const place = z.object({ location: z.string(), at: z.string() })
/** A file as it was uploaded to a remote. */
export interface UploadedFile {
  readonly url: string
  readonly sha256: string
  readonly file_name: string
}

const locationKey = ({ url, sha256, file_name }: UploadedFile) => `compat_upload:${url}:${sha256}:${file_name}`
/** Uploads can be claimed for an hour at the least that was ever seen; half of it is on the safe side of any pause between. */
const claimableMs = 30 * 60_000

/** Where an uploaded file is at the remote, while it can be claimed. */
export async function findLocation(reader: Reader, file: UploadedFile, now: Date): Promise<string | undefined> {
  const text = await findSyncState(reader, locationKey(file))
  if (text === undefined) return undefined
  const { location, at } = place.parse(JSON.parse(text))
  return now.getTime() - Date.parse(at) < claimableMs ? location : undefined
}

/** Keeps where an uploaded file is; undefined when it has been claimed. */
export async function keepLocation(tx: Tx, file: UploadedFile, location: string | undefined): Promise<void> {
  if (location === undefined) await deleteSyncState(tx, locationKey(file))
  else await writeSyncState(tx, locationKey(file), JSON.stringify({ location, at: tx.now }))
}
