import { readFile } from 'node:fs/promises'
import { type Unzipped, unzipSync, zipSync } from 'fflate'
import readWorkbook from 'read-excel-file/node'
import type { StatementFormat } from '#shared/domain/statements/mapping'
import { decodeText, detectEncoding, isWebPage } from './encodings'
import { readMarkupTable } from './markup-table'
import { UnreadableTable } from './table-reason'
import { type TableSource, bytesSource, fileSource } from './table-source'

/** The first bytes of a workbook, which is an archive, and of one of before 2007. */
const archive = [0x50, 0x4b, 0x03, 0x04]
const older = [0xd0, 0xcf, 0x11, 0xe0]
/** A larger workbook, packed or unpacked, is no statement: it is in memory as a whole. Bytes. */
const mostPacked = 8 * 1024 * 1024
const mostUnpacked = 64 * 1024 * 1024

/** The bytes of a text, and the format of the file from which they were made, if it is not the text's. */
export interface PlainSource {
  readonly source: TableSource
  readonly format: StatementFormat | undefined
}

/**
 * A file as text: the sheet with the most rows of a workbook, or the longest table of a page that is called .xls, is written as a delimited table.
 * Throws {@link UnreadableTable}.
 */
export async function plainSource(path: string): Promise<PlainSource> {
  const source = fileSource(path)
  const [start = new Uint8Array()] = source()
  const begins = (bytes: readonly number[]) => bytes.every((byte, at) => start[at] === byte)
  if (begins(older)) throw new UnreadableTable([{ code: 'older_workbook' }])
  if (isWebPage(start)) return asTable(readPage(await readFile(path)))
  if (!begins(archive)) return { source, format: undefined }
  const sheets = await readSheets(unpack(await readFile(path)))
  const [largest] = sheets.toSorted((one, other) => other.length - one.length)
  return asTable(largest ?? [])
}

function asTable(rows: ReadonlyArray<readonly unknown[]>): PlainSource {
  const text = rows.map((row) => row.map(toField).join('\t')).join('\n')
  return { source: bytesSource(new TextEncoder().encode(text)), format: 'xlsx' }
}

function readPage(bytes: Uint8Array): string[][] {
  if (bytes.length > mostPacked) throw new UnreadableTable([{ code: 'workbook' }])
  const source = bytesSource(bytes)
  const rows = readMarkupTable(decodeText(source, detectEncoding(source, true), true))
  if (rows.length === 0) throw new UnreadableTable([{ code: 'web_page' }])
  return rows
}

/** The texts of an archive, of which there must be few: a small file can unpack to a whole memory. */
function unpack(bytes: Uint8Array): Unzipped {
  const refuse = () => new UnreadableTable([{ code: 'workbook' }])
  if (bytes.length > mostPacked) throw refuse()
  let unpacked = 0
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/\.(xml|rels)$/i.test(name)) return false
        unpacked += originalSize
        if (unpacked > mostUnpacked) throw refuse()
        return true
      },
    })
  } catch {
    throw refuse()
  }
}

/** The library reads an archive as a stream, which may never end where it is damaged, and may be longer than its list of files says. */
async function readSheets(files: Unzipped): Promise<ReadonlyArray<ReadonlyArray<readonly unknown[]>>> {
  try {
    return (await readWorkbook(Buffer.from(zipSync(files, { level: 0 })))).map(({ data }) => data)
  } catch {
    throw new UnreadableTable([{ code: 'workbook' }])
  }
}

/** A cell as a field of a table. Days have no zone in a workbook; numbers lose what their binary form adds. */
function toField(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10)
  const text = typeof cell === 'number' ? String(Number(cell.toPrecision(15))) : typeof cell === 'string' ? cell : ''
  return /["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
