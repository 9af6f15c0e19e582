/** The requested part of a file; `start` and `end` in bytes, inclusive. */
export type ByteRange = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'unsatisfiable' }

/**
 * Reads a Range header (RFC 9110, section 14.2) for a file of this many bytes. Several ranges and other units get the whole file, as the RFC allows.
 */
export function parseRange(header: string | undefined, bytes: number): ByteRange {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return { kind: 'whole' }
  if (first === '')
    return last === '0' || bytes === 0
      ? { kind: 'unsatisfiable' }
      : { kind: 'part', start: Math.max(0, bytes - Number(last)), end: bytes - 1 }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return { kind: 'whole' }
  if (start >= bytes) return { kind: 'unsatisfiable' }
  return { kind: 'part', start, end: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) }
}
