import type { CapturableType, CaptureSource } from '#shared/domain/captures'
import type { ReceivedFile } from '#main/files/blob-store'
import { insertCapture } from '#main/store/records/files/capture-writer'
import type { Tx } from '#main/store/core/store'
import { noteBlob } from '#main/store/records/files/upload-writer'
import { toFileName } from './file-name'

/** The given and detected properties of a captured file. */
export interface CapturedFile {
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
