import type { Row } from '#db/schema'
import { attachmentRoutes } from '#shared/contract/attachments'
import type { captureRoutes } from '#shared/contract/captures'
import type { Route } from '#shared/contract/route'
import { mailType } from '#shared/domain/captures'
import { DomainError, notFound } from '#shared/domain/errors'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import type { ReceivedFile } from '#main/files/blob-store'
import { detectType, readStart } from '#main/files/sniff'
import type { Tx } from '#main/store/core/store'
import { findCapture, findCaptureFromFolder, updateCapture } from '#main/store/records/files/captures'
import { attachBlob } from '#main/use-cases/attachments/attachments'
import { getOwnCapture, recordCapture } from '#main/use-cases/captures/captures'
import {
  type AnyCompositeContext,
  type AnyWriteContext,
  type CompositeContext,
  type ContentLimits,
  type Input,
  type Result,
  bodyOf,
} from '../endpoint'
import type { ApiResponse } from '../refusals'
import { journal } from '../replica/hooks'
import { showAttachment } from '../representations/attachments'
import { toCapture } from '../representations/captures'

/** The limits of a capture. */
export const captureLimits: ContentLimits = {
  most: ({ upload_max_bytes }) => upload_max_bytes,
  tooLarge: 'capture.too_large',
  noRoom: 'capture.no_room',
}

/**
 * Takes a captured file (`POST /captures`). Responds 201 only after its bytes are hashed and flushed and its row is committed; `deps.captures`
 * processes it later.
 */
export async function takeCapture(
  context: CompositeContext<'blobs' | 'captures' | 'keepsLocation'> & { readonly file: ReceivedFile },
  { query: asked }: Input<typeof captureRoutes.create>,
): Promise<ApiResponse> {
  const { deps, caller, file } = context
  if (file.bytes === 0) throw new DomainError({ kind: 'not_possible', code: 'capture.empty' })
  const { source, file_name = '', group = null, note = null, captured_at = null, keeps_location = deps.keepsLocation() } = asked
  const content_type = await detectType(await readStart(file.path), file_name)
  if (content_type === undefined) throw new DomainError({ kind: 'not_possible', code: 'capture.type' })
  await deps.blobs.keep(file)
  const { user_id } = caller
  const work = async (tx: Tx): Promise<ApiResponse> => {
    const told = { content_type, source, file_name, group, note, captured_at, keeps_location }
    // A program that ended before moving a stored file sends it again.
    const known = source === 'folder' ? await findCaptureFromFolder(tx, { user_id, original_sha256: file.sha256 }) : undefined
    const id = known?.id ?? (await recordCapture(tx, file, told))
    const row = await findCapture(tx, { id, user_id })
    return { status: known ? 200 : 201, body: row && toCapture(context.within(tx), row), headers: {} }
  }
  const response = await context.write(work)
  deps.captures.wake()
  return response
}

/** A file in this instance's storage. */
interface StoredFile {
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

/**
 * Attaches captures to an expense (`POST /captures/attach`), all in one transaction or none, with the rules, the trail and, on a replica, the journal
 * of attachments.
 */
export async function attachCaptures(
  { deps, caller, locale, write, within }: AnyCompositeContext,
  { body: { capture_ids, expense_id } }: Input<typeof captureRoutes.attach>,
): Promise<ApiResponse> {
  const ids = [...new Set(capture_ids)]
  await deps.captures.settle(caller.user_id, ids)
  return write(async (tx) => {
    const context = within(tx)
    const attachments: unknown[] = []
    for (const id of ids) {
      const capture = await getOwnCapture(tx, id)
      assertUsable(locale, capture)
      const { sha256, file_name, note: description } = capture
      const attached = await attachStoredFile(context, expense_id, { sha256, file_name, description })
      await updateCapture(tx, id, { expense_id })
      attachments.push(await bodyOf(attached))
    }
    return { status: 201, body: { attachments }, headers: {} }
  })
}

function assertUsable(locale: Language, { file_name, state, problem, deleted_at, content_type }: Row<'captures'>): void {
  if (deleted_at !== null) throw notFound()
  if (state === 'ready' && content_type !== mailType) return
  const reason = translate(locale, `errors:capture.${problem ?? 'not_usable'}`)
  throw new DomainError({ kind: 'not_possible', code: 'capture.unusable', params: { file_name, reason } })
}
