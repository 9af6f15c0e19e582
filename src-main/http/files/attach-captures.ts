import type { Row } from '#db/schema'
import type { captureRoutes } from '#shared/contract/captures'
import { mailType } from '#shared/domain/captures'
import { DomainError, notFound } from '#shared/domain/errors'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import { updateCapture } from '#main/store/records/files/capture-writer'
import { getOwnCapture } from '#main/use-cases/captures/captures'
import { type AnyCompositeContext, type Input, bodyOf } from '../endpoint'
import type { ApiResponse } from '../refusals'
import { attachStoredFile } from './attach-stored-file'

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
