import type { captureRoutes } from '#shared/contract/captures'
import { DomainError } from '#shared/domain/errors'
import type { ReceivedFile } from '#main/files/blob-store'
import { detectType, readStart } from '#main/files/sniff'
import { findCapture, findCaptureFromFolder } from '#main/store/records/files/capture-reader'
import type { Tx } from '#main/store/core/store'
import { recordCapture } from '#main/use-cases/captures/captures'
import type { CompositeContext, ContentLimits, Input } from '../endpoint'
import type { ApiResponse } from '../refusals'
import { toCapture } from '../representations/captures'

type TakingContext = CompositeContext<'blobs' | 'captures' | 'keepsLocation'>

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
  context: TakingContext & { readonly file: ReceivedFile },
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
