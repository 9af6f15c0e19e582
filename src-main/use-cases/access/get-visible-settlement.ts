import { notFound } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import type { Role } from '#shared/domain/roles'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { findParticipant } from '#main/store/records/conversations/participants'
import { type Settlement, type SettlementKind, findSettlement } from '#main/store/records/settlements/settlements'
import type { Reader } from '#main/store/core/store'

/** A reimbursement or an advancement and the caller's relation to it. */
export interface VisibleSettlement {
  readonly settlement: Settlement
  readonly relation: { readonly role: Role | undefined; readonly is_receiver: boolean }
}

/**
 * The reimbursement or advancement, if the caller may see it; otherwise 404, as for a missing one. A deleted one only if `deleted` is set: its
 * comments are 410, not 404.
 */
export async function getVisibleSettlement(
  reader: Reader,
  kind: SettlementKind,
  { id, user_id, deleted = false }: { id: number; user_id: number; deleted?: boolean },
): Promise<VisibleSettlement> {
  const settlement = await findSettlement(reader, kind, id)
  if (!settlement || (settlement.deleted_at !== null && !deleted)) throw notFound()
  const role = await findRole(reader, { organization_id: settlement.payer_id, user_id })
  const is_receiver = settlement.receiver_id === user_id
  const action = `${kind}s.read` as const
  const isSeen =
    may(action, { role, is_receiver }) ||
    may(action, { role, is_receiver, is_participant: (await findParticipant(reader, { kind, id }, user_id)) !== undefined })
  if (!isSeen) throw notFound()
  return { settlement, relation: { role, is_receiver } }
}
