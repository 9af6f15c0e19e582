import type { Row } from '#db/schema'
import type { AccountabilityRelation } from '#shared/domain/accountability-status'
import { notFound } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { findAccountability } from '#main/store/records/settlements/accountability-reader'
import { findRole } from '#main/store/records/organizations/membership-reader'
import type { Reader } from '#main/store/core/store'

/** An accountability and the caller's relation to it. */
export interface VisibleAccountability {
  readonly accountability: Row<'accountabilities'>
  readonly relation: AccountabilityRelation
}

/** The accountability, if the caller may see it; otherwise `not_found`, as for a missing one. */
export async function getVisibleAccountability(
  reader: Reader,
  { id, user_id }: { id: number; user_id: number },
): Promise<VisibleAccountability> {
  const accountability = await findAccountability(reader, id)
  if (!accountability || accountability.deleted_at !== null) throw notFound()
  const relation = {
    role: await findRole(reader, { organization_id: accountability.payer_id, user_id }),
    is_receiver: accountability.receiver_id === user_id,
    is_holder: accountability.author_id === user_id,
  }
  if (!may('accountabilities.read', relation)) throw notFound()
  return { accountability, relation }
}
