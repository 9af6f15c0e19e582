import type { Row } from '#db/schema'
import { invalid } from '#shared/domain/errors'
import type { Tx } from '#main/store/core/store'
import { findUpload } from '#main/store/records/files/upload-reader'
import { keyOfLocation } from './upload-location'

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
