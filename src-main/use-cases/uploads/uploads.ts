import type { Row } from '#db/schema'
import { toInstant } from '#shared/domain/dates'
import { invalid } from '#shared/domain/errors'
import type { InvoiceFile } from '#shared/invoices/invoice'
import type { Tx } from '#main/store/core/store'
import { noteReading } from '#main/store/records/files/reading-writer'
import { findUpload, insertUpload, noteBlob } from '#main/store/records/files/uploads'
import { findUser } from '#main/store/records/users/user-reader'

/** The path of {upload_url}: forms are posted to it, and Locations are below it (contract 4.16). */
export const uploadPath = '/uploads'

/** The Location of an upload (contract 4.16, step 5). `base_url`: the scheme and host that the caller used. */
export function toLocation(base_url: string, key: string): string {
  return `${base_url}${uploadPath}/${key.split('/').map(encodeURIComponent).join('/')}`
}

/** The key in a Location; undefined for other texts. Accepts any host, as an instance has several names. */
export function keyOfLocation(location: string): string | undefined {
  const url = URL.parse(location.trim())
  if (url === null || url.search !== '' || url.hash !== '' || !url.pathname.startsWith(`${uploadPath}/`)) return undefined
  try {
    return decodeURIComponent(url.pathname.slice(uploadPath.length + 1))
  } catch {
    return undefined
  }
}

/** The key of a replica's upload: equal for the same user, file and name. */
export function syncUploadKey({ user_id, sha256, file_name }: { user_id: number; sha256: string; file_name: string }): string {
  return `${user_id}/${sha256}/${file_name}`
}

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

/**
 * The upload that a request names by its Location (contract 4.16, step 5), if it belongs to the user and has not expired. It may be claimed several
 * times. Throws {@link DomainError}: `invalid` under `file`, as blank or invalid.
 */
export async function claimUpload(tx: Tx, { url, user_id }: { url: string; user_id: number }): Promise<Row<'uploads'>> {
  if (url.trim() === '') throw invalid('file', 'blank')
  const key = keyOfLocation(url)
  const upload = key === undefined ? undefined : await findUpload(tx, key)
  if (!upload || upload.user_id !== user_id || upload.expires_at <= tx.now) throw invalid('file', 'invalid')
  return upload
}

/** A logo or avatar to set or to remove, as requests write it (contract 4.17). */
interface ImageChange {
  readonly file?: string | null
  readonly _destroy?: boolean
}

/**
 * The new image of a record: the hash of the upload's file, null to remove it, undefined to keep it. Throws {@link DomainError} under `file` unless
 * it is the Location of the acting user's own image.
 */
export async function claimImage(tx: Tx, { file, _destroy }: ImageChange = {}): Promise<string | null | undefined> {
  if (_destroy === true) return null
  if (file === undefined || file === null) return undefined
  const upload = await claimUpload(tx, { url: file, user_id: tx.actor.user_id })
  if (!upload.content_type.startsWith('image/')) throw invalid('file', 'invalid')
  return upload.sha256
}
