import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '#main/config/settings'

/** Where the snapshots of a data folder are. */
export function snapshotFolder(data_folder: string, settings: Pick<Partial<Settings>, 'OUTLAY_SNAPSHOT_FOLDER'>): string {
  return settings.OUTLAY_SNAPSHOT_FOLDER ?? join(data_folder, 'snapshots')
}

/** A snapshot of a database that is in the folder of snapshots. */
export interface SnapshotFile {
  readonly path: string
  readonly taken_at: Date
  readonly bytes: number
}

/** How many of the newest stay, for how many days one a day, and how much all beyond the two newest may take. */
export const rotation = { newest: 4, days: 7, bytes: 2 * 1024 ** 3 } as const

const pattern = /^outlay-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.db$/

/** The name of a snapshot taken now; names sort as their times do. */
export function snapshotName(now: Date): string {
  return `outlay-${now.toISOString().replaceAll(/[-:.]/g, '')}.db`
}

/** The snapshots in a folder, the newest first; files of other names are none. */
export async function listSnapshots(folder: string): Promise<SnapshotFile[]> {
  const names = await readdir(folder).catch(() => [])
  const found: SnapshotFile[] = []
  for (const name of names.sort().reverse()) {
    const path = join(folder, name)
    const taken_at = new Date(name.replace(pattern, '$1-$2-$3T$4:$5:$6.$7Z'))
    const size = pattern.test(name) ? (await stat(path).catch(() => undefined))?.size : undefined
    if (size !== undefined && !Number.isNaN(taken_at.getTime())) found.push({ path, taken_at, bytes: size })
  }
  return found
}

/** Which snapshots, given the newest first, have had their time: {@link rotation} says which stay. */
export function outdatedSnapshots(snapshots: readonly SnapshotFile[], now: Date): SnapshotFile[] {
  const dayOf = (time: Date) => time.toISOString().slice(0, 10)
  const since = dayOf(new Date(now.getTime() - (rotation.days - 1) * 86_400_000))
  const days = new Set<string>()
  let bytes = 0
  return snapshots.filter(({ taken_at, bytes: size }, index) => {
    const day = dayOf(taken_at)
    const isFirstOfDay = !days.has(day) && day >= since
    days.add(day)
    bytes += size
    const isWanted = index < rotation.newest || isFirstOfDay
    return !isWanted || (index >= 2 && bytes > rotation.bytes)
  })
}
