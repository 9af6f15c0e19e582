import type { Row } from '#db/schema'
import { attachmentRoutes } from '#shared/contract/attachments'
import { captureRoutes } from '#shared/contract/captures'
import { mailType } from '#shared/domain/captures'
import { DomainError, notFound } from '#shared/domain/errors'
import { translate } from '#shared/i18n/translations'
import { findBlob } from '#main/store/records/files/blob-reader'
import { updateCapture } from '#main/store/records/files/capture-writer'
import type { Tx } from '#main/store/core/store'
import { getOwnCapture } from '#main/use-cases/captures/own-capture'
import { offerStoredFile } from '#main/use-cases/sync/record-sync-upload'
import type { ServerDeps, Call } from '../endpoint'
import { withIdempotency } from '../idempotency'
import { parseInput } from '../parse-input'
import { answerWithin } from '../pipeline'
import type { ApiResponse } from '../refusals'
import type { Router } from '../router'
import { actorOf, localeOf } from '../call'

/** What the endpoint of attachments answered instead of attaching; nothing of the others stays. */
class AttachmentError extends Error {
  constructor(readonly answer: ApiResponse) {
    super('An attachment was refused.')
  }
}

/**
 * Makes captures attachments of an expense (`POST /captures/attach`), all in one transaction or none. Each is made by the endpoint
 * of attachments itself, so that its rules, its trail and, on a replica, its journal are the same.
 */
export async function attachCaptures(deps: ServerDeps, call: Call, router: Router): Promise<ApiResponse> {
  const { capture_ids, expense_id } = captureRoutes.attach.body.parse(parseInput(captureRoutes.attach, call).body)
  const ids = [...new Set(capture_ids)]
  await deps.captures.settle(call.caller.user_id, ids)
  const work = async (tx: Tx): Promise<ApiResponse> => {
    const own = tx.as(actorOf(call))
    const attachments: unknown[] = []
    for (const id of ids) {
      const capture = await getOwnCapture(own, id)
      assertUsable(call, capture)
      const { body } = await attach(deps, { ...call, expense_id, router }, { tx: own, capture })
      await updateCapture(own, id, { expense_id })
      attachments.push(body)
    }
    return { status: 201, body: { attachments }, headers: {} }
  }
  try {
    return await withIdempotency(deps, call, { transact: (run) => deps.store.transact(actorOf(call), run), work })
  } catch (error) {
    if (error instanceof AttachmentError) return error.answer
    throw error
  }
}

function assertUsable(call: Call, { file_name, state, problem, deleted_at, content_type }: Row<'captures'>): void {
  if (deleted_at !== null) throw notFound()
  if (state === 'ready' && content_type !== mailType) return
  const reason = translate(localeOf(call), `errors:capture.${problem ?? 'not_usable'}`)
  throw new DomainError({ kind: 'not_possible', code: 'capture.unusable', params: { file_name, reason } })
}

async function attach(
  deps: ServerDeps,
  { expense_id, router, ...call }: Call & { expense_id: number; router: Router },
  { tx, capture }: { tx: Tx; capture: Row<'captures'> },
): Promise<ApiResponse> {
  const { sha256, file_name, note } = capture
  const blob = await findBlob(tx, sha256)
  const path = attachmentRoutes.create.path.replace(':expense_id', String(expense_id))
  const match = router.match('POST', path)
  if (!blob || match.kind !== 'found') throw new Error(`Nothing is known of the file ${sha256}.`)
  const file = await offerStoredFile(tx, blob, { file_name, base_url: call.base_url })
  const body = { file, ...(note !== null && { description: note }) }
  const { accept_language } = call.headers
  const { endpoint, params } = match
  const response = await answerWithin(
    deps,
    { ...call, endpoint, params, query: {}, body, path, headers: { accept_language } },
    tx,
  )
  if (response.status >= 400) throw new AttachmentError(response)
  return response
}
