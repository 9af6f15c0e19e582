import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** Writes bytes or text to a file in a folder and gives its path. */
export async function put(folder: string, name: string, content: Uint8Array | string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

/** A plain picture. */
export function picture(width: number, height: number): ReturnType<typeof sharp> {
  return sharp({ create: { width, height, channels: 3, background: '#3366cc', noise: { type: 'gaussian', mean: 120, sigma: 30 } } })
}

/** A valid PDF: pages of 300 x 600 points, or as high as told, with this content stream; `trailer` adds entries to its trailer. */
export function pdf({ pages = 1, height = 600, content = '0 0 1 rg 0 0 300 600 re f', trailer = '' } = {}): Uint8Array {
  const stream = deflateSync(content)
  const pageIds = Array.from({ length: pages }, (_, index) => index + 4)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pageIds.map((id) => `${String(id)} 0 R`).join(' ')}] /Count ${String(pages)} >>`,
    `<< /Filter /FlateDecode /Length ${String(stream.length)} >>\nstream\n${stream.toString('latin1')}\nendstream`,
    ...pageIds.map(() => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 ${height}] /Contents 3 0 R /Resources << >> >>`),
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${String(index + 1)} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = String(objects.length + 1)
  body += `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer}>>\nstartxref\n${String(body.length)}\n%%EOF\n`
  return Buffer.from(body, 'latin1')
}

/** A PNG whose header claims this size and whose pixels are a lie. */
export function pngClaiming(width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(1000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data])
  const chunk = Buffer.alloc(typed.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  chunk.set(typed, 4)
  chunk.writeUInt32BE(crc32(typed), typed.length + 4)
  return chunk
}

/** A TIFF of empty one-pixel pages, only its directories. */
export function tiff(pages: number, side = 1): Uint8Array {
  const entries = [
    [256, side],
    [257, side],
    [258, 8],
    [259, 1],
    [262, 1],
    [273, 8],
    [277, 1],
    [278, side],
    [279, side * side],
  ]
  const directoryBytes = 2 + entries.length * 12 + 4
  const file = Buffer.alloc(10 + pages * directoryBytes)
  file.write('II*\0', 'latin1')
  file.writeUInt32LE(10, 4)
  for (let page = 0; page < pages; page += 1) {
    const at = 10 + page * directoryBytes
    file.writeUInt16LE(entries.length, at)
    entries.forEach(([tag = 0, value = 0], index) => {
      const entry = at + 2 + index * 12
      file.writeUInt16LE(tag, entry)
      file.writeUInt16LE(4, entry + 2)
      file.writeUInt32LE(1, entry + 4)
      file.writeUInt32LE(value, entry + 8)
    })
    file.writeUInt32LE(page + 1 < pages ? at + directoryBytes : 0, at + directoryBytes - 4)
  }
  return file
}
