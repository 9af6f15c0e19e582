import { existsSync, readFileSync } from 'node:fs'

const headerBytes = 32
const frameHeaderBytes = 24

/** The running checksum of a write-ahead log: two words of 32 bits. */
type Sum = readonly [number, number]

/**
 * What is wrong with a write-ahead log (SQLite's file format, section 4); undefined if SQLite will read everything that was committed. SQLite reads a
 * log up to the first invalid frame and ignores the rest. A power failure may tear the last transaction before it was committed; an invalid frame
 * with a later transaction behind it was once valid.
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

/** Whether a later transaction follows an invalid frame: only then was that frame once valid. */
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

/** Whether a frame is of the current use of the file: frames with other salts are left from an earlier use. */
function isOfThisUse(log: Buffer, at: number): boolean {
  return log.compare(log, at + 8, at + 16, 16, 24) === 0
}

/** Whether a frame ends a transaction: only such a frame has the size of the database. */
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
