import { type FileHandle, mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { importRepresentation } from '#shared/contract/imports'
import type { ReceivedFile } from '#main/files/blob-store'
import { makeFolder, syncFolder, writeDurably } from '#main/files/durable'

/** Reports about a whole file are stored by code: each reader has their own language. */
const reasons = z.array(
  z.object({
    key: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    column: z.string().nullish(),
  }),
)

const importRecord = importRepresentation
  .omit({ message: true, done: true })
  // Imports that an earlier version finished have no end.
  .extend({ reasons, finished_at: importRepresentation.shape.finished_at.default(null) })

/** What is written down of an import. */
export type ImportRecord = z.infer<typeof importRecord>

/** The reports line by line, in separate files: there may be as many lines as the table has rows. */
export type LineKind = 'problems' | 'changes'

/** How many lines are read at a time. */
const pageLines = 100
const readBytes = 64 * 1024

/** Files that are to be imported, and what is known of each, in folders below `imports` in the data folder: they outlive a process. */
export class ImportFiles {
  readonly root: string

  constructor(data_folder: string) {
    this.root = join(data_folder, 'imports')
  }

  folderOf(id: string): string {
    return join(this.root, id)
  }

  tableOf(id: string): string {
    return join(this.folderOf(id), 'table')
  }

  /** Where the lines of a pass are, or are being, written. */
  linesOf(id: string, kind: LineKind): string {
    return join(this.folderOf(id), `${kind}.jsonl`)
  }

  /** Every import, newest first. One that cannot be read holds nothing up. */
  async list(): Promise<ImportRecord[]> {
    const names = await readdir(this.root).catch(() => [])
    const records = await Promise.all(names.map((name) => this.find(name)))
    return records.filter((record) => record !== undefined).toSorted((a, b) => (a.id < b.id ? 1 : -1))
  }

  async find(id: string): Promise<ImportRecord | undefined> {
    if (!/^[\w-]{1,64}$/.test(id)) return undefined
    try {
      return importRecord.parse(JSON.parse(await readFile(join(this.folderOf(id), 'import.json'), 'utf8')))
    } catch {
      return undefined
    }
  }

  /** Keeps a received file: from when this resolves, both it and what is known of it survive. */
  async add(record: ImportRecord, file: ReceivedFile): Promise<void> {
    await makeFolder(this.root)
    await mkdir(this.folderOf(record.id), { mode: 0o700 })
    await rename(file.path, this.tableOf(record.id))
    await this.write(record)
    await syncFolder(this.root)
  }

  async write(record: ImportRecord): Promise<void> {
    await writeDurably(join(this.folderOf(record.id), 'import.json'), Buffer.from(JSON.stringify(record)))
  }

  /** The table of a finished import is no longer needed; its report is. */
  async forgetTable(id: string): Promise<void> {
    await rm(this.tableOf(id), { force: true })
  }

  async remove(id: string): Promise<void> {
    await rm(this.folderOf(id), { recursive: true, force: true })
  }

  /** Removes what nobody has touched since, and what was never written down. */
  async sweep(before: Date): Promise<void> {
    for (const name of await readdir(this.root).catch(() => [])) {
      const known = await stat(join(this.folderOf(name), 'import.json')).catch(() => stat(this.folderOf(name)))
      if (known.mtime < before) await this.remove(name)
    }
  }

  /** Lines from a place on, and where the next ones begin; null: these are the last. */
  async readLines(id: string, kind: LineKind, from: number): Promise<{ lines: unknown[]; next: number | null }> {
    const file = await open(this.linesOf(id, kind), 'r').catch(() => undefined)
    if (file === undefined) return { lines: [], next: null }
    try {
      const { size } = await file.stat()
      if (!(await beginsLine(file, from))) return { lines: [], next: null }
      let bytes = Buffer.alloc(0)
      for (;;) {
        const chunk = Buffer.alloc(readBytes)
        const { bytesRead } = await file.read(chunk, 0, readBytes, from + bytes.length)
        bytes = Buffer.concat([bytes, chunk.subarray(0, bytesRead)])
        const ends = lineEnds(bytes)
        const end = ends.at(-1)
        if (bytesRead > 0 && ends.length < pageLines) continue
        if (end === undefined) return { lines: [], next: null }
        const lines = bytes.toString('utf8', 0, end).trimEnd().split('\n')
        return { lines: lines.map((line): unknown => JSON.parse(line)), next: from + end < size ? from + end : null }
      }
    } finally {
      await file.close()
    }
  }
}

/** Whether a line begins at this place. */
async function beginsLine(file: FileHandle, at: number): Promise<boolean> {
  if (at === 0) return true
  const before = Buffer.alloc(1)
  await file.read(before, 0, 1, at - 1)
  return before[0] === 10
}

/** Where the first lines end, behind their line breaks; no more than a page of them. */
function lineEnds(bytes: Buffer): number[] {
  const ends: number[] = []
  for (let at = bytes.indexOf(10); at !== -1 && ends.length < pageLines; at = bytes.indexOf(10, at + 1)) ends.push(at + 1)
  return ends
}
