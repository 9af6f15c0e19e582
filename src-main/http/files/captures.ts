import type { captureRoutes } from '#shared/contract/captures'
import { DomainError } from '#shared/domain/errors'
import { isOutOfRoom } from '#shared/domain/out-of-room'
import { translate } from '#shared/i18n/translations'
import { FileTooLarge, type ReceivedFile } from '#main/files/blob-store'
import { detectType, readStart } from '#main/files/sniff'
import { findCapture, findCaptureFromFolder } from '#main/store/records/files/capture-reader'
import type { Tx } from '#main/store/core/store'
import { recordCapture } from '#main/use-cases/captures/record-capture'
import type { Command } from '../command'
import type { CompositeContext, Input, ServerDeps } from '../endpoint'
import { type ApiResponse, messageResponse } from '../refusals'
import { toCapture } from '../representations/captures'

type TakingContext = CompositeContext<'blobs' | 'captures' | 'keepsLocation'>
type Captured = Input<typeof captureRoutes.create>['query']

/**
 * Takes a captured file (`POST /captures`). The response is 201 only when its bytes are hashed and flushed and its row is
 * committed; `deps.captures` processes it later.
 */
export async function takeCapture(context: TakingContext, { query: asked }: Input<typeof captureRoutes.create>): Promise<ApiResponse> {
  const { deps, command, locale } = context
  try {
    const file = await receive(deps, command)
    try {
      return await store(context, file, asked)
    } finally {
      await file.discard()
    }
  } catch (error) {
    if (isOutOfRoom(error)) return messageResponse(507, translate(locale, 'errors:capture.no_room'))
    // Nobody is there any more who could hear the response.
    if (command.content?.stream.errored) return messageResponse(408, translate(locale, 'errors:cut_request'))
    throw error
  }
}

/** Takes the bytes as they come; what is refused is read to its end all the same, so that its sender can hear why. */
async function receive({ blobs, settings }: Pick<ServerDeps, 'blobs' | 'settings'>, { content }: Command): Promise<ReceivedFile> {
  const maxBytes = settings.upload_max_bytes
  try {
    return await blobs.receive(content?.stream.iterator({ destroyOnReturn: false }) ?? noBytes(), { maxBytes })
  } catch (error) {
    if (!(error instanceof FileTooLarge)) throw error
    const params = { megabytes: Math.floor(maxBytes / 1024 / 1024) }
    throw new DomainError({ kind: 'not_possible', code: 'capture.too_large', params })
  } finally {
    content?.stream.resume()
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

async function store(context: TakingContext, file: ReceivedFile, asked: Captured): Promise<ApiResponse> {
  const { deps, caller } = context
  if (file.bytes === 0) throw new DomainError({ kind: 'not_possible', code: 'capture.empty' })
  const { source, file_name = '', group = null, note = null, captured_at = null, keeps_location = deps.keepsLocation() } = asked
  const content_type = await detectType(await readStart(file.path), file_name)
  if (content_type === undefined) throw new DomainError({ kind: 'not_possible', code: 'capture.type' })
  await deps.blobs.keep(file)
  const { user_id } = caller
  const work = async (tx: Tx): Promise<ApiResponse> => {
    const told = { content_type, source, file_name, group, note, captured_at, keeps_location }
    // A program that ended before it moved what it had stored hands it in once more.
    const known = source === 'folder' ? await findCaptureFromFolder(tx, { user_id, original_sha256: file.sha256 }) : undefined
    const id = known?.id ?? (await recordCapture(tx, file, told))
    const row = await findCapture(tx, { id, user_id })
    return { status: known ? 200 : 201, body: row && toCapture(context.within(tx), row), headers: {} }
  }
  // The same key with another file is another request.
  const response = await context.write(work, { sha256: file.sha256 })
  deps.captures.wake()
  return response
}
