import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type Missing, recovery } from '#shared/contract/instance/recoveries'
import { syncFolder, writeDurably } from '#main/files/durable'
import { damagedPrefix, listDamagedFolders } from '#main/store/core/database-files'

const last = z.record(z.string(), z.int())
/** The last id of each kind that a snapshot holds: what is newer is missing. */
export type LastIds = z.infer<typeof last>

const report = recovery.extend({
  /** `moving`: the damaged files are being quarantined; an interrupted start then continues. */
  state: z.enum(['moving', 'done']),
  last,
  acknowledged_at: z.string().nullable(),
})
/** The report of a recovery, in the quarantine folder. */
export type Report = z.infer<typeof report>

/** The reports in a data folder, the oldest first; one that cannot be read holds nothing up. */
export async function listReports(data_folder: string): Promise<Report[]> {
  const reports: Report[] = []
  for (const folder of await listDamagedFolders(data_folder)) {
    const { data } = report.safeParse(await readJson(fileOf(folder)))
    // Moved as a whole to another place, a data folder's reports are where they are now.
    if (data) reports.push({ ...data, folder })
  }
  return reports
}

/** Removes folders in which a start was cut off before anything was written down or moved there. */
export async function removeUnbegun(data_folder: string): Promise<void> {
  for (const folder of await listDamagedFolders(data_folder)) {
    const names = await readdir(folder)
    const isUnbegun = names.every((name) => join(folder, name) === `${fileOf(folder)}.part`)
    if (isUnbegun) await rm(folder, { recursive: true, force: true })
  }
}

/** Of a report that needs no quarantined data, or of which nothing is known. */
export function nothingMissing(is_complete: boolean): Missing {
  return { is_complete, counts: {}, expenses: [], files_missing: 0, files_unnamed: 0, file: null }
}

/** A new report; its folder is yet to be made, and nothing moved there. */
export function beginReport(facts: Pick<Report, 'what' | 'reason'>, at: { data_folder: string; now: Date }): Report {
  const id = `${damagedPrefix}${at.now.toISOString().replaceAll(/[-:.]/g, '')}`
  const nothingKnown = { snapshot_taken_at: null, is_replica: false, missing: null, last: {}, acknowledged_at: null }
  return { ...facts, ...nothingKnown, id, state: 'moving', found_at: at.now.toISOString(), folder: join(at.data_folder, id) }
}

/** Writes a report so that it survives a power cut. A folder that a person has removed stays removed. */
export async function writeReport(written: Report): Promise<void> {
  await writeDurably(fileOf(written.folder), Buffer.from(JSON.stringify(written, null, 2)))
  await syncFolder(written.folder)
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}

function fileOf(folder: string): string {
  return join(folder, 'recovery.json')
}
