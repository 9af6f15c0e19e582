import { invalid } from '#shared/domain/errors'
import type { Tx } from '#main/store/core/store'
import { claimUpload } from './claim-upload'

/** A logo or avatar to set or to remove, as requests write it (contract 4.17). */
export interface ImageChange {
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
