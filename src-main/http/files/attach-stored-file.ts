import { attachmentRoutes } from '#shared/contract/attachments'
import type { Route } from '#shared/contract/route'
import { attachBlob } from '#main/use-cases/attachments/attachments'
import type { Result, AnyWriteContext } from '../endpoint'
import { journal } from '../replica/hooks'
import { showAttachment } from '../representations/attachments'

/** A file in this instance's storage. */
export interface StoredFile {
  readonly sha256: string
  readonly file_name: string
  readonly description: string | null
}

/**
 * Attaches a stored file. On a replica it is journalled as the attachment endpoint's operation, with the file named by its hash. Throws {@link
 * DomainError}.
 */
export function attachStoredFile(context: AnyWriteContext, expense_id: number, stored: StoredFile): Promise<Result<Route>> {
  const { description, ...file } = stored
  const body = { file: encodeURIComponent(file.file_name), ...(description !== null && { description }) }
  const { sender } = context.command
  const named = { route: attachmentRoutes.create, params: { expense_id: String(expense_id) }, query: {}, body }
  return journal({ ...context, command: { ...named, sender, blobs: [{ at: 'body.file', ...file }] } }, async (tx) => {
    const id = await attachBlob(tx, expense_id, { file, description })
    return showAttachment({ ...context, reader: tx }, { expense_id, id })
  })
}
