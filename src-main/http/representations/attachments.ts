import type { AttachmentRepresentation } from '#shared/contract/attachments'
import { attachment as definition } from '#shared/records/attachment'
import { toShown } from '#shared/records/columns'
import type { AttachmentWithBlob } from '#main/store/records/files/attachments'
import type { Context } from '../endpoint'
import { type AttachmentKey, getVisibleAttachment } from '#main/use-cases/attachments/attachments'
import { etagOf } from '#main/use-cases/access/preconditions'
import { fileUrl, imageEntries, linkExpiry, previewUrl } from './file-links'
import { type People, loadPeople, toUserRepresentation } from './people'

/** A receipt in the contract's form (2.9), with its thumbnails under `file`. */
export function toAttachment(context: Context, people: People, row: AttachmentWithBlob): AttachmentRepresentation {
  const { id, uid, version, uploaded_at, content_type, file_name, bytes, created_at, updated_at } = row
  return {
    id,
    uid,
    version,
    ...toShown(definition.attributes, row),
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

/** An attachment for its own endpoint. Throws {@link DomainError} if the caller does not see its expense. */
export async function showAttachment(context: Context, key: AttachmentKey) {
  const { attachment } = await getVisibleAttachment(context.reader, { ...key, user_id: context.caller.user_id })
  const people = await loadPeople(context, { user_ids: [attachment.user_id], with_emails: true })
  return { body: toAttachment(context, people, attachment), etag: etagOf(attachment) }
}
