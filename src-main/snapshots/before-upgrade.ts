import type { Clock } from '#main/clock'
import { damaged } from '#main/store/core/database-error'
import { NoSnapshot, makeSnapshot } from './make-snapshot'

/** An upgrade needs room for a copy of the database first. */
export class NoRoomToUpgrade extends Error {
  readonly code = 'ENOSPC'
}

/** Keeps a snapshot of a data folder as an older version of the program left it. Throws {@link NoRoomToUpgrade}, and what is damaged. */
export async function snapshotBeforeUpgrade(data_folder: string, { folder, clock }: { folder: string; clock: Clock }): Promise<void> {
  const { signal } = new AbortController()
  try {
    await makeSnapshot({ data_folder, folder, now: clock.now(), spareBytes: 0, signal })
  } catch (error) {
    if (!(error instanceof NoSnapshot)) throw error
    if (error.kind === 'damaged') throw damaged(String(error.facts.problem))
    throw new NoRoomToUpgrade('there is no room for the snapshot that is kept before an upgrade')
  }
}
