import type { Row } from '#db/schema'
import { toInstant } from '#shared/domain/dates'
import type { Tx } from '#main/store/core/store'
import { noteReading } from '#main/store/records/files/reading-writer'
import { extendUpload, findUpload, insertUpload, noteBlob } from '#main/store/records/files/uploads'
import { type StoredFile, syncUploadKey, toLocation } from '../uploads/uploads'

/** How long a replica has to send the operation that names an upload. */
const ttlMs = 7 * 24 * 60 * 60 * 1000

/** Stores an upload by a replica of the acting user; the same file again can be claimed for longer. */
export async function recordSyncUpload(tx: Tx, file: Omit<StoredFile, 'key'> & { readonly file_name: string }): Promise<void> {
  const { sha256, md5, bytes, content_type, file_name, width = null, height = null, pages = null } = file
  await noteBlob(tx, { sha256, md5, bytes, content_type, width, height, pages })
  await noteReading(tx, file)
  await offer(tx, { sha256, bytes, content_type }, file_name)
}

/** Lets the acting user claim a stored file as a new upload; returns its Location. */
export async function offerStoredFile(
  tx: Tx,
  { sha256, bytes, content_type }: Row<'blobs'>,
  { file_name, base_url }: { file_name: string; base_url: string },
): Promise<string> {
  return toLocation(base_url, await offer(tx, { sha256, bytes, content_type }, file_name))
}

/** Returns the key with which the file can be claimed. */
async function offer(tx: Tx, file: Pick<Row<'uploads'>, 'sha256' | 'bytes' | 'content_type'>, file_name: string): Promise<string> {
  const { user_id } = tx.actor
  const key = syncUploadKey({ user_id, sha256: file.sha256, file_name })
  const expires_at = toInstant(new Date(Date.parse(tx.now) + ttlMs))
  if (await findUpload(tx, key)) await extendUpload(tx, { key, expires_at })
  else await insertUpload(tx, { key, user_id, file_name, expires_at, ...file })
  return key
}
