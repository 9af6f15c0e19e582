import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { syncFolder } from './durable'

/** A file for an archive; its name has at most 100 ASCII characters. */
export interface ArchiveEntry {
  readonly name: string
  /** Where the file is, or a function that writes it to a given path. */
  readonly path: string | ((write: (path: string) => Promise<void>) => Promise<void>)
}

/** The file is not a complete archive of ours. */
export class ArchiveError extends Error {}

const block = 512
const isName = (name: string): boolean => /^[\w.-]+(\/[\w.-]+)*$/.test(name) && name.length <= 100 && !name.split('/').includes('..')

/** Writes files into a tar archive, which gets its name only when complete and flushed. @throws errors of the file system */
export async function writeArchive(target: string, entries: Iterable<ArchiveEntry>): Promise<void> {
  const partial = `${target}.partial`
  // An interrupted one may have been made with other permissions.
  await rm(partial, { force: true })
  const file = await open(partial, 'wx', 0o600)
  try {
    for (const entry of entries) await writeEntry(file, entry)
    await file.writeFile(Buffer.alloc(2 * block))
    await file.sync()
    await file.close()
    await rename(partial, target)
    await syncFolder(dirname(target))
  } catch (error) {
    await file.close()
    await rm(partial, { force: true })
    throw error
  }
}

async function writeEntry(file: FileHandle, { name, path }: ArchiveEntry): Promise<void> {
  if (typeof path === 'function') return path((found) => writeEntry(file, { name, path: found }))
  if (!isName(name)) throw new Error(`Not a name for an archive: ${name}`)
  const source = await open(path)
  try {
    const { size } = await source.stat()
    await file.writeFile(toHeader(name, size))
    const chunks: AsyncIterable<Uint8Array> = source.createReadStream({ end: Math.max(0, size - 1), autoClose: false })
    for await (const chunk of chunks) await file.writeFile(chunk)
    await file.writeFile(Buffer.alloc(padding(size)))
  } finally {
    await source.close()
  }
}

function padding(size: number): number {
  return (block - (size % block)) % block
}

/** A POSIX ustar header: texts and octal numbers at fixed positions, each ended by a zero byte. */
function toHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(block)
  const put = (at: number, text: string) => header.write(text, at, 'latin1')
  const octal = (number: number, digits: number) => number.toString(8).padStart(digits, '0')
  put(0, name)
  put(100, octal(0o600, 7))
  for (const owner of [108, 116]) put(owner, octal(0, 7))
  put(124, octal(size, 11))
  put(136, octal(0, 11))
  put(156, '0')
  put(257, 'ustar')
  put(263, '00')
  put(148, octal(checksum(header), 6))
  put(155, ' ')
  return header
}

function checksum(header: Buffer): number {
  return header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0)
}

/**
 * Extracts an archive into a folder; returns the files' names. Rejects the whole archive if it contains anything but plain files, each once and with
 * a name that passes `isExpected`. @throws ArchiveRefused
 */
export async function extractArchive(
  source: string,
  { folder, isExpected }: { folder: string; isExpected: (name: string) => boolean },
): Promise<string[]> {
  const file = await open(source)
  const names = new Set<string>()
  try {
    const { size: length } = await file.stat()
    for (let at = 0; ;) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(block), 0, block, at)
      if (bytesRead < block) throw new ArchiveError('it ends too early')
      if (buffer.every((byte) => byte === 0)) return [...names]
      const { name, size } = fromHeader(buffer)
      if (!isExpected(name) || names.has(name)) throw new ArchiveError(`it is no backup: it holds ${name}`)
      at += block
      if (at + size > length) throw new ArchiveError('it ends too early')
      await copyOut({ source, at, size }, join(folder, name))
      names.add(name)
      at += size + padding(size)
    }
  } finally {
    await file.close()
  }
}

function fromHeader(header: Buffer): { name: string; size: number } {
  const text = (start: number, end: number) => header.toString('latin1', start, end).split('\0')[0] ?? ''
  const name = text(0, 100)
  const size = Number.parseInt(text(124, 136), 8)
  // Links, folders and devices have other types; old archives mark a plain file with a zero byte.
  const isPlain = ['0', ''].includes(text(156, 157))
  // We never write the second part of a long name: another program would extract the file elsewhere.
  const isWhole = text(345, 500) === '' && Number.isSafeInteger(size) && size >= 0
  if (!isPlain || Number.parseInt(text(148, 156), 8) !== checksum(header) || !isName(name) || !isWhole)
    throw new ArchiveError('it is no backup')
  return { name, size }
}

async function copyOut({ source, at, size }: { source: string; at: number; size: number }, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const bytes = size === 0 ? [] : createReadStream(source, { start: at, end: at + size - 1 })
  await pipeline(bytes, createWriteStream(target, { mode: 0o600, flush: true }))
}
