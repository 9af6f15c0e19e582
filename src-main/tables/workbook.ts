import { readFile } from 'node:fs/promises'
import { type Unzipped, unzipSync, zipSync } from 'fflate'
import readWorkbook from 'read-excel-file/node'
import type { StatementFormat } from '#shared/domain/statements/mapping'
import { UnreadableTable } from './table-reason'
import { type TableSource, bytesSource, fileSource } from './table-source'

/** The first bytes of a workbook, which is an archive. */
const archive = [0x50, 0x4b, 0x03, 0x04]
/** A larger workbook, packed or unpacked, is no statement: it is in memory as a whole. Bytes. */
const mostPacked = 8 * 1024 * 1024
const mostUnpacked = 64 * 1024 * 1024

/** The bytes of a text, and the format of the file from which they were made, if it is not the text's. */
export interface PlainSource {
  readonly source: TableSource
  readonly format: StatementFormat | undefined
}

/** A file as text: the sheet of a workbook with the most rows is written as a delimited table. Throws {@link UnreadableTable}. */
export async function plainSource(path: string): Promise<PlainSource> {
  const source = fileSource(path)
  const [start = new Uint8Array()] = source()
  if (!archive.every((byte, at) => start[at] === byte)) return { source, format: undefined }
  const bytes = await readFile(path)
  const sheets = await readSheets(unpack(bytes))
  const [largest] = sheets.toSorted((one, other) => other.length - one.length)
  const text = (largest ?? []).map((row) => row.map(toField).join('\t')).join('\n')
  return { source: bytesSource(new TextEncoder().encode(text)), format: 'xlsx' }
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
