import { mkdir, readFile, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { exportBody, exportRepresentation, leftOut } from '#shared/contract/instance/exports'
import { layout } from '#shared/domain/exports/layout'
import { languages } from '#shared/domain/locales'
import { handoverTask } from '../handovers/handover-task'
import { makeFolder, syncFolder, writeDurably } from '#main/files/durable'

/** Reads what was written down. */
export const exportRecord = exportRepresentation.omit({ message: true, url: true }).extend({
  user_id: z.int(),
  locale: z.enum(languages),
  asked: exportBody,
  handover: handoverTask.nullable().default(null),
  layout: layout.nullable().default(null),
  left_out: leftOut.nullable().default(null),
  /** The code of a text. */
  reason: z.string().nullable(),
})

/** What is written down of an export. */
export type ExportRecord = z.infer<typeof exportRecord>

/** Exported files and what is known of each, in folders below `exports` in the data folder: they outlive a process, and a day. */
export class ExportFiles {
  readonly root: string

  constructor(data_folder: string) {
    this.root = join(data_folder, 'exports')
  }

  folderOf(id: string): string {
    return join(this.root, id)
  }

  pathOf(id: string): string {
    return join(this.folderOf(id), 'file')
  }

  /** Every export, newest first. One that cannot be read holds nothing up. */
  async list(): Promise<ExportRecord[]> {
    const names = await readdir(this.root).catch(() => [])
    const records = await Promise.all(names.map((name) => this.find(name)))
    return records.filter((record) => record !== undefined).toSorted((a, b) => (a.id < b.id ? 1 : -1))
  }

  async find(id: string): Promise<ExportRecord | undefined> {
    if (!/^[\w-]{1,64}$/.test(id)) return undefined
    try {
      return exportRecord.parse(JSON.parse(await readFile(join(this.folderOf(id), 'export.json'), 'utf8')))
    } catch {
      return undefined
    }
  }

  async add(record: ExportRecord): Promise<void> {
    await makeFolder(this.root)
    await mkdir(this.folderOf(record.id), { mode: 0o700 })
    await this.write(record)
    await syncFolder(this.root)
  }

  async write(record: ExportRecord): Promise<void> {
    await writeDurably(join(this.folderOf(record.id), 'export.json'), Buffer.from(JSON.stringify(record)))
  }

  async remove(id: string): Promise<void> {
    await rm(this.folderOf(id), { recursive: true, force: true })
  }

  /** Removes exports made before, what was never written down, and what a process that was killed left half written. */
  async sweep(before: Date): Promise<void> {
    for (const name of await readdir(this.root).catch(() => [])) {
      const made = await stat(this.folderOf(name)).catch(() => undefined)
      const record = await this.find(name)
      if (!record || (made && made.mtime < before)) await this.remove(name)
      else await rm(`${this.pathOf(name)}.part`, { force: true })
    }
  }
}
