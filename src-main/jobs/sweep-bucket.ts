import { keepsUnnamedFiles } from '#main/store/core/database-files'
import { listBlobs } from '#main/store/records/files/blob-reader'
import type { JobDeps } from './job-deps'
import { type Job, createLoop } from './loop'

const everyMs = 24 * 60 * 60 * 1000
/** Not at once: a server that restarts repeatedly should list nothing. */
const firstAfterMs = 60 * 60 * 1000
/** A restored backup may name files that today's database does not, so they stay for a while. */
const keptMs = 30 * 24 * 60 * 60 * 1000
/** Files compared with the database in one query. */
const pageLength = 500

/** Once a day, removes the files of a bucket that nothing has named for a month, such as those of interrupted uploads. */
export function sweepBucket({ store, clock, log, blobs }: JobDeps): Job {
  let nextMs = clock.monotonicMs() + firstAfterMs
  const round = async () => {
    const waitMs = blobs.place ? nextMs - clock.monotonicMs() : everyMs
    if (waitMs > 0) return { kind: 'later', afterMs: waitMs } as const
    nextMs = clock.monotonicMs() + everyMs
    if (await keepsUnnamedFiles(blobs.root)) return { kind: 'again' } as const
    await blobs.check()
    const before = new Date(clock.now().getTime() - keptMs)
    const removeUnnamed = async (hashes: readonly string[]) => {
      const named = new Set((await listBlobs(store.reader, hashes)).map(({ sha256 }) => sha256))
      for (const sha256 of hashes) if (!named.has(sha256)) await blobs.removeOld(sha256, before)
    }
    let page: string[] = []
    for await (const { sha256, kept_at } of blobs.list()) {
      if (kept_at < before) page.push(sha256)
      if (page.length < pageLength) continue
      await removeUnnamed(page)
      page = []
    }
    await removeUnnamed(page)
    return { kind: 'again' } as const
  }
  return createLoop({ store, name: 'bucket', isLocal: true }, round, (error) => log.error({ err: error }, 'the bucket could not be swept'))
}
