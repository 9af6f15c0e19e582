import type { Capture } from '#shared/contract/captures'
import { isAllowedContentType } from '#shared/domain/content-types'
import { translate } from '#shared/i18n/translations'
import type { CaptureWithBlob } from '#main/store/records/files/captures'
import type { Context } from '../endpoint'
import { fileUrl, imageEntries, linkExpiry } from './file-links'

/** A capture as its owner sees it. */
export function toCapture(context: Context, row: CaptureWithBlob): Capture {
  const { id, uid, file_name, content_type, bytes, source, state, problem, captured_at, note, repeat_of, expense_id } = row
  const isServed = isAllowedContentType(content_type)
  return {
    id,
    uid,
    file_name,
    content_type,
    bytes,
    source,
    state,
    problem: problem === null ? null : { code: problem, message: translate(context.locale, `errors:capture.${problem}`) },
    captured_at,
    group: row.group_uid,
    note,
    repeat_of,
    expense_id,
    url: isServed ? fileUrl(context, row, { style: 'original', expires: linkExpiry(context) }) : null,
    file: isServed ? imageEntries(context, row) : [],
    created_at: row.created_at,
    deleted_at: row.deleted_at,
  }
}
