import type { AttachmentRepresentation } from '#shared/contract/representations'
import type { AttachmentWithBlob } from '#main/store/records/files/attachment-reader'
import type { Context } from '../endpoint'
import { fileUrl, imageEntries, linkExpiry, previewUrl } from './file-links'
import { type People, toUserRepresentation } from './people'

/** A receipt as the contract shows it (2.9), its thumbnails under `file`. */
export function toAttachment(context: Context, people: People, row: AttachmentWithBlob): AttachmentRepresentation {
  const { id, uid, version, description, uploaded_at, content_type, file_name, bytes, created_at, updated_at } = row
  return {
    id,
    uid,
    version,
    description,
    uploaded_at,
    content_type,
    file_name,
    bytes,
    url: fileUrl(context, row, { style: 'original', expires: linkExpiry(context) }),
    file: imageEntries(context, row),
    preview_url: previewUrl(context, row),
    user: toUserRepresentation(people, row.user_id),
    created_at,
    updated_at,
  }
}
