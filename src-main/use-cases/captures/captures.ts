import { type CapturableType, type CaptureSource, mailType } from '#shared/domain/captures'
import { notFound } from '#shared/domain/errors'
import type { ReceivedFile } from '#main/files/blob-store'
import type { Tx } from '#main/store/core/store'
import {
  type CaptureWithBlob,
  findCapture,
  insertCapture,
  undoneUntil,
  updateCapture as storeCapture,
} from '#main/store/records/files/captures'
import { noteBlob } from '#main/store/records/files/uploads'

const longestName = 200

const extensions: Readonly<Partial<Record<CapturableType, string>>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/tiff': 'tif',
  'image/heic': 'heic',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
  [mailType]: 'eml',
}

/** A file name that is valid everywhere: no folders, nothing unprintable; `fallback` if there is no name. */
function toFileName(given: string, { content_type, fallback }: { content_type: CapturableType; fallback: string }): string {
  const plain = given
    .toWellFormed()
    .slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
  const [, stem = plain, extension] = /^(.+)\.(\w{1,8})$/.exec(plain) ?? []
  const named = /^\.*$/.test(stem) ? fallback : stem
  return `${named.slice(0, longestName)}.${extension ?? extensions[content_type] ?? 'bin'}`
}

/** The name of a file that was converted to another type. */
export function withExtensionOf(file_name: string, content_type: CapturableType): string {
  return `${file_name.replace(/\.\w{1,8}$/, '')}.${extensions[content_type] ?? 'bin'}`
}

/** The given and detected properties of a captured file. */
interface CapturedFile {
  readonly content_type: CapturableType
  readonly source: CaptureSource
  readonly file_name: string
  readonly group: string | null
  readonly note: string | null
  /** When the file was made, if known. */
  readonly captured_at: string | null
  readonly keeps_location: boolean
}

/** Stores a capture of the acting user's file, which must be in the blob store; returns its id. It is processed later. */
export async function recordCapture(
  tx: Tx,
  { sha256, md5, bytes }: Pick<ReceivedFile, 'sha256' | 'md5' | 'bytes'>,
  { file_name, group: group_uid, captured_at, keeps_location, ...told }: CapturedFile,
): Promise<number> {
  const { content_type, source } = told
  await noteBlob(tx, { sha256, md5, bytes, content_type, width: null, height: null, pages: null })
  return insertCapture(tx, {
    ...told,
    sha256,
    bytes,
    group_uid,
    file_name: toFileName(file_name, { content_type, fallback: source }),
    captured_at: captured_at ?? tx.now,
    keeps_location: keeps_location ? 1 : 0,
  })
}

/** Changes of a capture; absent ones stay. `deleted_at`: null restores a deleted one. */
interface CaptureChanges {
  readonly group?: string | null | undefined
  readonly note?: string | null | undefined
  readonly deleted_at?: null | undefined
}

/** The acting user's capture that is on no expense; a deleted one while it can be restored. Throws {@link DomainError}. */
export async function getOwnCapture(tx: Tx, id: number): Promise<CaptureWithBlob> {
  const capture = await findCapture(tx, { id, user_id: tx.actor.user_id })
  const isGone = capture?.deleted_at != null && capture.deleted_at <= undoneUntil(tx)
  if (!capture || isGone || capture.expense_id !== null) throw notFound()
  return capture
}

/** Changes a capture; a deleted one only to restore it. Throws {@link DomainError}. */
export async function updateCapture(tx: Tx, id: number, { group, note, deleted_at }: CaptureChanges): Promise<CaptureWithBlob> {
  const capture = await getOwnCapture(tx, id)
  if (capture.deleted_at !== null && deleted_at !== null) throw notFound()
  await storeCapture(tx, id, {
    ...(group !== undefined && { group_uid: group }),
    ...(note !== undefined && { note }),
    ...(deleted_at === null && { deleted_at }),
  })
  return getOwnCapture(tx, id)
}

/** Deletes a capture; its file stays until it can no longer be restored. Throws {@link DomainError}. */
export async function deleteCapture(tx: Tx, id: number): Promise<void> {
  const { deleted_at } = await getOwnCapture(tx, id)
  if (deleted_at !== null) throw notFound()
  await storeCapture(tx, id, { deleted_at: tx.now })
}
