import type { ContentType } from '#shared/domain/content-types'
import type { ReceivedFile } from '#main/files/blob-store'
import type { RefusalReason } from '#main/files/inspection'
import type { Actor } from '#main/store/core/actor'
import { type RecordedUpload, recordUpload } from '#main/use-cases/uploads/uploads'
import type { ServerDeps } from '../endpoint'

/** A complete upload with its declared type; `actor` is its owner. */
export interface ReceivedUpload {
  readonly actor: Actor
  readonly key: string
  readonly content_type: ContentType
  readonly file: ReceivedFile
}

/** Inspects a received file, makes it durable, and only then stores its row. The caller discards the temporary file. */
export async function storeUpload(
  deps: Pick<ServerDeps, 'inspector' | 'blobs' | 'store' | 'settings'>,
  { actor, key, content_type, file }: ReceivedUpload,
): Promise<RecordedUpload | { kind: 'refused'; reason: RefusalReason }> {
  const inspection = await deps.inspector.inspect({ path: file.path, content_type })
  if (inspection.kind === 'refused') return inspection
  await deps.blobs.keep(file)
  const { width, height, pages, invoice, picture_hash } = inspection
  const { sha256, md5, bytes } = file
  const stored = { key, content_type, sha256, md5, bytes, width, height, pages, invoice, picture_hash }
  return deps.store.transact(actor, (tx) => recordUpload(tx, stored, deps.settings.upload_ttl_s))
}
