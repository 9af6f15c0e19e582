import type { Row } from '#db/schema'
import { notFound } from '#shared/domain/errors'
import type { Reader } from '#main/store/core/store'
import { findHandover } from '#main/store/records/handovers/handovers'
import type { AskedHandover, ExportDesk } from '../exports/export-desk'

/** A handover: recorded, or an unfinished export of the caller. */
export type FoundHandover =
  { readonly kind: 'recorded'; readonly handover: Row<'handovers'> } | { readonly kind: 'open'; readonly task: AskedHandover }

/** Finds a handover of an organization. Only its author sees one that is not recorded yet. Throws `not_found`. */
export async function getHandover(
  { reader, exports }: { reader: Reader; exports: Pick<ExportDesk, 'findHandover'> },
  { organization_id, id, user_id }: { organization_id: number; id: string; user_id: number },
): Promise<FoundHandover> {
  const own = await exports.findHandover({ id, user_id })
  const task = own?.organization_id === organization_id ? own : undefined
  // It is recorded just before its file can be downloaded.
  const handover = task?.state === 'waiting' ? undefined : await findHandover(reader, { organization_id, uid: id })
  if (handover) return { kind: 'recorded', handover }
  if (!task) throw notFound()
  return { kind: 'open', task }
}
