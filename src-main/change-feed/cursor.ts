import { z } from 'zod'
import { invalid } from '#shared/domain/errors'
import { findNonce, getLogEnd } from '#main/store/sync/feed-reader'
import type { Reader } from '#main/store/core/store'

/**
 * A place in the log of changes: which history it is of, the change, its nonce, and the newest entry of the audit trail that
 * went with it. Two histories of one instance, before and after a restored backup, never agree on a nonce.
 */
const shape = z.object({ epoch: z.string(), seq: z.int().nonnegative(), nonce: z.string(), activity_id: z.int().nonnegative() })
export type Cursor = z.infer<typeof shape>

/** A cursor as replicas keep it: opaque to them. */
export function writeCursor({ epoch, seq, nonce, activity_id }: Cursor): string {
  return Buffer.from(JSON.stringify([epoch, seq, nonce, activity_id])).toString('base64url')
}

/** Reads what {@link writeCursor} wrote. Throws {@link DomainError}: `invalid` under `cursor`. */
export function readCursor(text: string): Cursor {
  try {
    const [epoch, seq, nonce, activity_id] = z.array(z.unknown()).parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
    return shape.parse({ epoch, seq, nonce, activity_id })
  } catch {
    throw invalid('cursor', 'invalid')
  }
}

/** The cursor from which a replica continues after a snapshot. */
export async function cursorAtEnd(reader: Reader, epoch: string): Promise<Cursor> {
  const { seq, nonce, activity_id } = await getLogEnd(reader)
  return { epoch, seq, nonce, activity_id }
}

/** Whether the change that a cursor names is in this instance's history. */
export async function isInHistory(reader: Reader, { seq, nonce }: Pick<Cursor, 'seq' | 'nonce'>): Promise<boolean> {
  return seq === 0 || (await findNonce(reader, seq)) === nonce
}

/** Whether changes can be followed from a cursor: `diverged` when a backup was restored since, `expired` when the log begins later. */
export async function judgeCursor(reader: Reader, cursor: Cursor, epoch: string): Promise<'same' | 'diverged' | 'expired'> {
  if (cursor.epoch !== epoch || !(await isInHistory(reader, cursor))) return 'diverged'
  return cursor.seq + 1 < (await getLogEnd(reader)).oldest ? 'expired' : 'same'
}
