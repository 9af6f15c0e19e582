import { listBlobTransfers } from '#main/store/sync/sync-blobs'
import { countOperations } from '#main/store/sync/sync-journal'
import type { Reader } from '#main/store/core/store'

/** How many operations are on their way, and how many wait for a person; `oldest`: when the oldest on its way was made. */
export async function countWork(reader: Reader) {
  const rows = await countOperations(reader)
  const of = (...states: string[]) => rows.filter(({ state }) => states.includes(state))
  const sum = (list: typeof rows) => list.reduce((total, { count }) => total + count, 0)
  const waiting = of('pending', 'sent', 'acknowledged')
  return {
    waiting: sum(waiting),
    waiting_bytes: waiting.reduce((total, { bytes }) => total + bytes, 0),
    conflicts: sum(of('conflict')),
    failed: sum(of('rejected', 'parked')),
    quarantined: sum(of('quarantined')),
    uploads: (await listBlobTransfers(reader, 'up')).length,
    downloads: (await listBlobTransfers(reader, 'down')).length,
    oldest: waiting.map(({ oldest }) => oldest).sort()[0] ?? null,
  }
}
