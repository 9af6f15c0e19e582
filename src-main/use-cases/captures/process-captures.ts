import type { Logger } from 'pino'
import type { Row } from '#db/schema'
import { isAllowedContentType } from '#shared/domain/content-types'
import type { BlobStore } from '#main/files/blob-store'
import type { Inspector } from '#main/files/inspect'
import { findProcessing, listCaptures } from '#main/store/capture-reader'
import { updateCapture } from '#main/store/capture-writer'
import type { Store } from '#main/store/store'

/** Makes of captured files what is to be attached; what is waiting is in the database, so it survives. */
export interface CaptureProcessor {
  /** There may be captures to process: they are, one after the other. */
  wake(): void
  /** Resolves when these captures are processed, before others. @throws what kept one from it: it is tried again later */
  settle(ids: readonly number[]): Promise<void>
  /** Ends after the capture that is processed just now. */
  close(): Promise<void>
}

/** What captures are processed with. */
export interface CaptureProcessing {
  readonly store: Store
  readonly blobs: BlobStore
  readonly inspector: Inspector
  readonly log: Logger
}

/** A processor of the captures of an instance. One file at a time: whoever looks at a receipt meanwhile needs the other thread. */
export function createCaptureProcessor(parts: CaptureProcessing): CaptureProcessor {
  const { store, log } = parts
  const running = new Map<number, Promise<void>>()
  let round: Promise<void> | undefined
  let isWanted = false
  let isClosed = false

  const process = (capture: Row<'captures'>): Promise<void> => {
    const job = running.get(capture.id) ?? processCapture(parts, capture).finally(() => running.delete(capture.id))
    running.set(capture.id, job)
    return job
  }
  const processAll = async (): Promise<void> => {
    while (isWanted && !isClosed) {
      isWanted = false
      let next = await findProcessing(store.reader, 0)
      while (next !== undefined && !isClosed) {
        const capture = next
        await process(capture).catch((err: unknown) =>
          log.error({ err, capture_id: capture.id }, 'a capture could not be processed'),
        )
        next = await findProcessing(store.reader, capture.id)
      }
    }
    round = undefined
  }
  return {
    wake: () => {
      isWanted = true
      if (!isClosed) round ??= processAll()
    },
    settle: async (ids) => {
      for (const capture of await listCaptures(store.reader, ids)) if (capture.state === 'processing') await process(capture)
    },
    close: async () => {
      isClosed = true
      await round
      await Promise.allSettled(running.values())
    },
  }
}

async function processCapture({ store, blobs, inspector }: CaptureProcessing, capture: Row<'captures'>): Promise<void> {
  const { id, user_id, original_sha256, content_type } = capture
  const { path } = await blobs.open(original_sha256)
  const found = isAllowedContentType(content_type) ? await inspector.inspect({ path, content_type }) : undefined
  await store.transact({ user_id, origin: 'app', request_id: null, if_match: null }, async (tx) => {
    if (found?.kind === 'refused') await updateCapture(tx, id, { state: 'unusable', problem: found.reason })
    else await updateCapture(tx, id, { state: 'ready' })
  })
}
