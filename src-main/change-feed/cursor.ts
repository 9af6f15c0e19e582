import { z } from 'zod'
import { invalid } from '#shared/domain/errors'
import { findNonce, getLogEnd } from '#main/store/sync/feed-reader'
import type { Reader } from '#main/store/core/store'

/**
 * A position in the log: the history, the change, its nonce, and the newest entry of the audit trail at that time. Two histories of one instance,
 * before and after a restored backup, never have the same nonce.
 */
const shape = z.object({ epoch: z.string(), seq: z.int().nonnegative(), nonce: z.string(), activity_id: z.int().nonnegative() })
export type Cursor = z.infer<typeof shape>

/** Writes a cursor; replicas do not parse it. */
export function writeCursor({ epoch, seq, nonce, activity_id }: Cursor): string {
  return Buffer.from(JSON.stringify([epoch, seq, nonce, activity_id])).toString('base64url')
}

/** Parses a cursor of {@link writeCursor}. Throws {@link DomainError}: `invalid` under `cursor`. */
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

/** Whether a cursor's change is in this instance's history. */
export async function isInHistory(reader: Reader, { seq, nonce }: Pick<Cursor, 'seq' | 'nonce'>): Promise<boolean> {
  return seq === 0 || (await findNonce(reader, seq)) === nonce
}

/** Whether changes can be followed from a cursor: `diverged` if a backup was restored since, `expired` if the log begins later. */
export async function judgeCursor(reader: Reader, cursor: Cursor, epoch: string): Promise<'same' | 'diverged' | 'expired'> {
  if (cursor.epoch !== epoch || !(await isInHistory(reader, cursor))) return 'diverged'
  return cursor.seq + 1 < (await getLogEnd(reader)).oldest ? 'expired' : 'same'
}
