import { forgetBlob, listUnnamedCaptureBlobs } from '#main/store/queues/forgotten-blobs'
import { keepsUnnamedFiles } from '#main/store/core/database-files'
import type { JobDeps } from './job-deps'
import { type Job, createLoop } from './loop'

const everyMs = 60 * 60 * 1000
/** A file that was kept within this time may be about to get its row. */
const wayMs = 60 * 60 * 1000
const nobody = { user_id: 0, origin: 'system', request_id: null, if_match: null } as const

/** Once an hour, removes files that nothing else names of captures used or deleted a week ago. A replica does this separately. */
export function forgetCaptureFiles({ store, clock, log, blobs }: JobDeps): Job {
  let ranAtMs = -Infinity
  const round = async () => {
    const waitMs = ranAtMs + everyMs - clock.monotonicMs()
    if (waitMs > 0) return { kind: 'later', afterMs: waitMs } as const
    ranAtMs = clock.monotonicMs()
    if (await keepsUnnamedFiles(blobs.root)) return { kind: 'again' } as const
    const forgotten = await store.transact(nobody, async (tx) => {
      const hashes = await listUnnamedCaptureBlobs(tx)
      for (const sha256 of hashes) await forgetBlob(tx, sha256)
      return hashes
    })
    // The row first: the doctor sweeps a file without a row, but a row without its file would be damage.
    for (const sha256 of forgotten) await blobs.removeOld(sha256, new Date(clock.now().getTime() - wayMs))
    return { kind: 'again' } as const
  }
  return createLoop({ store, name: 'old captures' }, round, (error) =>
    log.error({ err: error }, 'files of old captures could not be removed'),
  )
}
