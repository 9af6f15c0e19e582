import type { FollowableKind } from '#shared/contract/followables'
import { attachment } from '#shared/records/attachment'
import { toColumns } from '#shared/records/columns'
import { comment } from '#shared/records/comment'
import { findRow, listRowsOf } from '#main/store/sync/remote-rows'
import { listWriters } from '#main/store/sync/sync-undo'
import { findUserByMentionName } from '#main/store/records/users/user-reader'
import { readAs } from './plain-api'
import { type CellRow, type Reading, needPerson, recordColumns, uidOf } from './rows'
import * as shapes from './shapes'

/** The record to which comments and participants belong. */
export interface PlainFollowable {
  readonly kind: FollowableKind
  readonly id: number
}

const noFollowable = { expense_id: null, advancement_id: null, reimbursement_id: null }
const columnOf = ({ kind, id }: PlainFollowable) => ({ ...noFollowable, [`${kind}_id`]: id })

/** The local comments or participants of a followable record that came from the remote. */
export async function listKnown({ reader }: Pick<Reading, 'reader'>, table: string, followable: PlainFollowable): Promise<CellRow[]> {
  const rows = await listRowsOf(reader, table, { column: `${followable.kind}_id`, id: followable.id })
  return rows.filter(({ id }) => Number(id) > 0)
}

/** All comments of a followable record. Local comments that the remote lacks are removed. */
export async function convertComments(reading: Reading, followable: PlainFollowable, list: readonly unknown[]): Promise<void> {
  const ids = new Set<number>()
  for (const raw of list) {
    const shown = readAs(shapes.comment, raw, 'a comment')
    const { id, deleted_at } = shown
    ids.add(id)
    const local = await findRow(reading.reader, 'comments', id)
    reading.rows.add('comments', {
      ...recordColumns(reading, 'comments', { ...shown, local }),
      deleted_at,
      user_id: await needPerson(reading, shown.user),
      ...toColumns(comment.attributes, shown),
      // The content of a removed comment is not shown.
      content: deleted_at === null ? shown.content : (local?.content ?? ''),
      ...columnOf(followable),
    })
    for (const { mention_name } of shown.mentioned_users) {
      const user = await findUserByMentionName(reading.reader, mention_name)
      if (user) reading.rows.add('comment_mentions', { comment_id: id, user_id: user.id }, `${id},${user.id}`)
    }
  }
  for (const { id } of await listKnown(reading, 'comments', followable))
    if (!ids.has(Number(id))) reading.rows.removed.push({ table: 'comments', id: Number(id) })
}

/** All participants of a followable record. The contract shows the users, not records of participation; those are made here. */
export async function convertParticipants(reading: Reading, followable: PlainFollowable, list: readonly unknown[]): Promise<void> {
  const { rows, url } = reading
  const known = await listConfirmed(reading, followable)
  const taking = new Set<number>()
  for (const raw of list) {
    const person = readAs(shapes.person, raw, 'a participant')
    taking.add(person.id)
    if (known.some(({ user_id }) => user_id === person.id)) continue
    const id = await reading.mintId()
    const uid = uidOf({ ...reading, url: `${url}/${followable.kind}/${followable.id}` }, 'participants', {
      id: person.id,
      local: undefined,
    })
    const dates = { created_at: '1970-01-01T00:00:00Z', updated_at: '1970-01-01T00:00:00Z', deleted_at: null }
    rows.add('participants', { id, uid, version: 1, ...dates, user_id: await needPerson(reading, person), ...columnOf(followable) })
  }
  for (const { id, user_id } of known) if (!taking.has(Number(user_id))) rows.removed.push({ table: 'participants', id: Number(id) })
}

/** The known participants, without pending changes. */
async function listConfirmed({ reader }: Reading, followable: PlainFollowable): Promise<CellRow[]> {
  const confirmed: CellRow[] = []
  for (const row of await listRowsOf(reader, 'participants', { column: `${followable.kind}_id`, id: followable.id }))
    if (row.deleted_at === null && (await listWriters(reader, 'participants', String(row.id))).length === 0) confirmed.push(row)
  return confirmed
}

/**
 * The receipts of an expense whose files are known here; a receipt is identified by its file, so others follow with their files. A receipt with
 * another file counts as new.
 */
export async function convertAttachments(reading: Reading, expense_id: number, list: readonly shapes.PlainAttachment[]): Promise<void> {
  const { rows } = reading
  const known = await listKnown(reading, 'attachments', { kind: 'expense', id: expense_id })
  for (const shown of list) {
    const local = known.find(({ id }) => id === shown.id)
    if (!local) continue
    if (isSameFile(local, shown)) rows.add('attachments', await attachmentRow(reading, expense_id, { ...local, shown }))
    else rows.removed.push({ table: 'attachments', id: shown.id })
  }
  for (const { id } of known) if (!list.some((shown) => shown.id === id)) rows.removed.push({ table: 'attachments', id: Number(id) })
}

function isSameFile(local: CellRow, { file_name, uploaded_at, bytes }: shapes.PlainAttachment): boolean {
  return local.file_name === file_name && local.uploaded_at === uploaded_at && (bytes ?? local.bytes) === local.bytes
}

/** The row of a receipt with a known file. */
export async function attachmentRow(
  reading: Reading,
  expense_id: number,
  { shown, sha256, bytes }: { shown: shapes.PlainAttachment; sha256?: CellRow[string]; bytes?: CellRow[string] },
): Promise<CellRow> {
  const { id, file_name, content_type, uploaded_at } = shown
  const local = await findRow(reading.reader, 'attachments', id)
  const created_at = shown.created_at ?? uploaded_at
  return {
    ...recordColumns(reading, 'attachments', { ...shown, created_at, updated_at: shown.updated_at ?? created_at, local }),
    expense_id,
    user_id: await needPerson(reading, shown.user),
    sha256: sha256 ?? null,
    ...toColumns(attachment.attributes, shown),
    file_name,
    content_type,
    bytes: bytes ?? shown.bytes ?? 0,
    uploaded_at,
  }
}
