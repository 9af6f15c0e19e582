import { attachmentRoutes } from '#shared/contract/attachments'
import { pageAttachmentsOf } from '#main/store/records/files/attachment-reader'
import { getVisibleExpense } from '#main/use-cases/access/get-visible-expense'
import { etagOf } from '#main/use-cases/access/preconditions'
import { createAttachment } from '#main/use-cases/attachments/create-attachment'
import { deleteAttachment } from '#main/use-cases/attachments/delete-attachment'
import { type AttachmentKey, getVisibleAttachment } from '#main/use-cases/attachments/editable-expense'
import { updateAttachment } from '#main/use-cases/attachments/update-attachment'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { toAttachment } from '../representations/attachments'
import { loadPeople } from '../representations/people'

async function member(context: Context, key: AttachmentKey) {
  const { attachment } = await getVisibleAttachment(context.reader, { ...key, user_id: context.caller.user_id })
  const people = await loadPeople(context, { user_ids: [attachment.user_id], with_emails: true })
  return { body: toAttachment(context, people, attachment), etag: etagOf(attachment) }
}

/** Attachments of expenses (contract 4.13, supplement 2). */
export const attachmentEndpoints: Endpoint[] = [
  query(attachmentRoutes.list, async (context, { params, list }) => {
    const { expense } = await getVisibleExpense(context.reader, { id: params.expense_id, user_id: context.caller.user_id })
    const { rows, frame, next } = toPage(list, await pageAttachmentsOf(context.reader, expense, windowOf(list)))
    const people = await loadPeople(context, { user_ids: rows.map(({ user_id }) => user_id), with_emails: true })
    return { body: { ...frame, attachments: rows.map((row) => toAttachment(context, people, row)) }, next }
  }),
  mutation(attachmentRoutes.create, async (context, { params: { expense_id }, body }) =>
    member(context, { expense_id, id: await createAttachment(context.tx, expense_id, body) }),
  ),
  query(attachmentRoutes.show, (context, { params }) => member(context, params)),
  ...[attachmentRoutes.replace, attachmentRoutes.update].map((route) =>
    mutation(route, async (context, { params, body }) => {
      await updateAttachment(context.tx, params, body)
      return member(context, params)
    }),
  ),
  mutation(attachmentRoutes.destroy, async ({ tx }, { params }) => {
    await deleteAttachment(tx, params)
    return { body: null }
  }),
]
