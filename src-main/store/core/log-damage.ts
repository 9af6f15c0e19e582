import { existsSync, readFileSync } from 'node:fs'

const headerBytes = 32
const frameHeaderBytes = 24

/** The running checksum of a write-ahead log: two words of 32 bits. */
type Sum = readonly [number, number]

/**
 * What is wrong with a write-ahead log (SQLite's file format, section 4); undefined where SQLite will read all that was promised.
 * SQLite reads a log up to the first frame that does not fit, and says nothing of what follows. The last transaction of a log may be
 * torn, when the power failed before it was promised; a frame that does not fit and has a later transaction behind it was whole once.
 */
export function findLogDamage(path: string): string | undefined {
  const log = existsSync(path) ? readFileSync(path) : undefined
  if (log === undefined || log.length <= headerBytes) return undefined
  const isBig = (log.readUInt32BE(0) & 1) === 1
  const magic = log.readUInt32BE(0) & ~1
  const pageBytes = log.readUInt32BE(8)
  const start = sumOf(log.subarray(0, 24), isBig, [0, 0])
  if (magic !== 0x377f0682 || !fits(log, 24, start)) return 'the head of the write-ahead log does not fit its checksum'
  const shape = { frameBytes: frameHeaderBytes + pageBytes, isBig }
  let sum = start
  for (let at = headerBytes; at + shape.frameBytes <= log.length; at += shape.frameBytes) {
    const found = frameSum(log, at, { ...shape, before: sum })
    if (!isOfThisUse(log, at) || !fits(log, at + 16, found))
      return hasLaterTransaction(log, at, shape)
        ? `frame ${(at - headerBytes) / shape.frameBytes + 1} of the write-ahead log does not fit its checksum`
        : undefined
    sum = found
  }
  return undefined
}

interface Shape {
  readonly frameBytes: number
  readonly isBig: boolean
}

/** Whether anything is behind the transaction of a frame that does not fit: only then was that one whole once. */
function hasLaterTransaction(log: Buffer, torn: number, { frameBytes, isBig }: Shape): boolean {
  let hasEnded = isOfThisUse(log, torn) && endsTransaction(log, torn)
  for (let at = torn + frameBytes; at + frameBytes <= log.length; at += frameBytes) {
    const before: Sum = [log.readUInt32BE(at - frameBytes + 16), log.readUInt32BE(at - frameBytes + 20)]
    if (!isOfThisUse(log, at) || !fits(log, at + 16, frameSum(log, at, { frameBytes, isBig, before }))) continue
    if (hasEnded) return true
    hasEnded = endsTransaction(log, at)
  }
  return false
}

/** Frames of other salts are what an earlier use of the file left. */
function isOfThisUse(log: Buffer, at: number): boolean {
  return log.compare(log, at + 8, at + 16, 16, 24) === 0
}

/** The size of the database is in the frame that ends a transaction. */
function endsTransaction(log: Buffer, at: number): boolean {
  return log.readUInt32BE(at + 4) !== 0
}

function frameSum(log: Buffer, at: number, { frameBytes, isBig, before }: Shape & { before: Sum }): Sum {
  const head = sumOf(log.subarray(at, at + 8), isBig, before)
  return sumOf(log.subarray(at + frameHeaderBytes, at + frameBytes), isBig, head)
}

function sumOf(bytes: Buffer, isBig: boolean, [one, two]: Sum): Sum {
  let [a, b] = [one, two]
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    a = (a + (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0
    b = (b + (isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0
  }
  return [a, b]
}

function fits(log: Buffer, at: number, [one, two]: Sum): boolean {
  return log.readUInt32BE(at) === one && log.readUInt32BE(at + 4) === two
}
