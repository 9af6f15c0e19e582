import { attachmentRoutes } from '#shared/contract/attachments'
import { originalRoutes } from '#shared/contract/organization-records/originals'
import { forbidden } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { pageAttachmentsOf } from '#main/store/records/files/attachments'
import { listOriginals } from '#main/store/records/files/original-reader'
import { getVisibleExpense } from '#main/use-cases/access/get-visible-expense'
import { attachBlob, deleteAttachment, updateAttachment } from '#main/use-cases/attachments/attachments'
import { type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { showAttachment, toAttachment } from '../representations/attachments'
import { fileUrl, linkExpiry } from '../representations/file-links'
import { loadPeople } from '../representations/people'

/** Attachments of expenses (contract 4.13, supplement 2), and their original files (extension). */
export const attachmentEndpoints: Endpoint[] = [
  query(attachmentRoutes.list, async (context, { params, list }) => {
    const { expense } = await getVisibleExpense(context.reader, { id: params.expense_id, user_id: context.caller.user_id })
    const { rows, frame, next } = toPage(list, await pageAttachmentsOf(context.reader, expense, windowOf(list)))
    const people = await loadPeople(context, { user_ids: rows.map(({ user_id }) => user_id), with_emails: true })
    return { body: { ...frame, attachments: rows.map((row) => toAttachment(context, people, row)) }, next }
  }),
  mutation(attachmentRoutes.create, async (context, { params: { expense_id }, body }) =>
    showAttachment(context, { expense_id, id: await attachBlob(context.tx, expense_id, body) }),
  ),
  query(attachmentRoutes.show, (context, { params }) => showAttachment(context, params)),
  ...[attachmentRoutes.replace, attachmentRoutes.update].map((route) =>
    mutation(route, async (context, { params, body }) => {
      await updateAttachment(context.tx, params, body)
      return showAttachment(context, params)
    }),
  ),
  mutation(attachmentRoutes.destroy, async ({ tx }, { params }) => {
    await deleteAttachment(tx, params)
    return { body: null }
  }),
  query(originalRoutes.ofExpense, async (context, { params: { expense_id: id } }) => {
    const { relation } = await getVisibleExpense(context.reader, { id, user_id: context.caller.user_id })
    if (!may('originals.list', relation)) throw forbidden()
    const expires = linkExpiry(context)
    const originals = (await listOriginals(context.reader, id)).map((row) => ({
      ...row,
      url: fileUrl(context, { ...row, width: null, height: null }, { style: 'original', expires }),
    }))
    return { body: { originals } }
  }),
]
