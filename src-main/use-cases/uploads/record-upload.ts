import { toInstant } from '#shared/domain/dates'
import type { InvoiceFile } from '#shared/invoices/invoice'
import type { Tx } from '#main/store/core/store'
import { noteReading } from '#main/store/records/files/reading-writer'
import { findUpload } from '#main/store/records/files/upload-reader'
import { insertUpload, noteBlob } from '#main/store/records/files/upload-writer'
import { findUser } from '#main/store/records/users/user-reader'

/** A file in the blob store, and its metadata; sizes in pixels. */
export interface StoredFile {
  readonly key: string
  readonly content_type: string
  readonly sha256: string
  readonly md5: string
  readonly bytes: number
  readonly width?: number
  readonly height?: number
  readonly pages?: number
  /** The invoice in an XML file, if there is one. */
  readonly invoice?: InvoiceFile
  /** The perceptual hash of an image that shows something. */
  readonly picture_hash?: string
}

/** The result for an upload: a key is used once, and only while its user exists. */
export type RecordedUpload = { kind: 'recorded' } | { kind: 'key_taken' } | { kind: 'unknown_user' }

/** Stores an upload of the acting user (contract 4.16): its Location can be claimed from now on, for `ttl_s` seconds. */
export async function recordUpload(tx: Tx, file: StoredFile, ttl_s: number): Promise<RecordedUpload> {
  const { user_id } = tx.actor
  if (!(await findUser(tx, user_id))) return { kind: 'unknown_user' }
  if (await findUpload(tx, file.key)) return { kind: 'key_taken' }
  const { key, content_type, sha256, md5, bytes, width = null, height = null, pages = null } = file
  await noteBlob(tx, { sha256, md5, bytes, content_type, width, height, pages })
  await noteReading(tx, file)
  const file_name = key.slice(key.lastIndexOf('/') + 1)
  const expires_at = toInstant(new Date(Date.parse(tx.now) + ttl_s * 1000))
  await insertUpload(tx, { key, user_id, sha256, file_name, content_type, bytes, expires_at })
  return { kind: 'recorded' }
}
