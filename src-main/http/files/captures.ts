import { captureRoutes } from '#shared/contract/captures'
import { DomainError } from '#shared/domain/errors'
import { isOutOfRoom } from '#shared/domain/out-of-room'
import { translate } from '#shared/i18n/translations'
import { FileTooLarge, type ReceivedFile } from '#main/files/blob-store'
import { detectType, readStart } from '#main/files/sniff'
import { findCapture, findCaptureFromFolder } from '#main/store/records/files/capture-reader'
import type { Tx } from '#main/store/core/store'
import { recordCapture } from '#main/use-cases/captures/record-capture'
import type { ServerDeps, Call } from '../endpoint'
import { withIdempotency } from '../idempotency'
import { readBy } from '../parse-input'
import { contextWithin } from '../pipeline'
import { type ApiResponse, messageResponse } from '../refusals'
import { toCapture } from '../representations/captures'
import { actorOf, localeOf } from '../call'

/**
 * Takes a captured file (`POST /captures`). It is answered 201 only when its bytes are hashed and flushed and its row is
 * committed; what is made of it then, `deps.captures` makes later.
 */
export async function takeCapture(deps: ServerDeps, call: Call): Promise<ApiResponse> {
  const asked = readBy(captureRoutes.create.query, call.query)
  if (!asked.success) throw new DomainError({ kind: 'invalid', fields: asked.fields })
  try {
    const file = await receive(deps, call)
    try {
      return await store(deps, call, { file, asked: asked.data })
    } finally {
      await file.discard()
    }
  } catch (error) {
    if (isOutOfRoom(error)) return messageResponse(507, translate(localeOf(call), 'errors:capture.no_room'))
    // Nobody is there any more who could hear the answer.
    if (call.content?.errored) return messageResponse(400, translate(localeOf(call), 'errors:malformed_request'))
    throw error
  }
}

/** Takes the bytes as they come; what is refused is read to its end all the same, so that its sender can hear why. */
async function receive({ blobs, settings }: ServerDeps, { content }: Call): Promise<ReceivedFile> {
  const maxBytes = settings.upload_max_bytes
  try {
    return await blobs.receive(content?.iterator({ destroyOnReturn: false }) ?? noBytes(), { maxBytes })
  } catch (error) {
    if (!(error instanceof FileTooLarge)) throw error
    const params = { megabytes: Math.floor(maxBytes / 1024 / 1024) }
    throw new DomainError({ kind: 'not_possible', code: 'capture.too_large', params })
  } finally {
    content?.resume()
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

interface Captured {
  readonly file: ReceivedFile
  readonly asked: ReturnType<typeof captureRoutes.create.query.parse>
}

async function store(deps: ServerDeps, call: Call, { file, asked }: Captured): Promise<ApiResponse> {
  if (file.bytes === 0) throw new DomainError({ kind: 'not_possible', code: 'capture.empty' })
  const { source, file_name = '', group = null, note = null, captured_at = null, keeps_location = deps.keepsLocation() } = asked
  const content_type = await detectType(await readStart(file.path), file_name)
  if (content_type === undefined) throw new DomainError({ kind: 'not_possible', code: 'capture.type' })
  await deps.blobs.keep(file)
  const { user_id } = call.caller
  const work = async (tx: Tx): Promise<ApiResponse> => {
    const told = { content_type, source, file_name, group, note, captured_at, keeps_location }
    // A program that ended before it moved what it had stored hands it in once more.
    const known = source === 'folder' ? await findCaptureFromFolder(tx, { user_id, original_sha256: file.sha256 }) : undefined
    const id = known?.id ?? (await recordCapture(tx, file, told))
    const row = await findCapture(tx, { id, user_id })
    return { status: known ? 200 : 201, body: row && toCapture(contextWithin(deps, call, tx), row), headers: {} }
  }
  // The same key with another file is another request.
  const asSent = { ...call, body: { sha256: file.sha256 } }
  const response = await withIdempotency(deps, asSent, {
    transact: (run) => deps.store.transact(actorOf(call), run),
    work,
  })
  deps.captures.wake()
  return response
}
