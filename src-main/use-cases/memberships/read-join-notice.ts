import { notFound } from '#shared/domain/errors'
import { deleteJoinNotice, findJoinNotice } from '#main/store/records/organizations/join-notices'
import type { Tx } from '#main/store/core/store'

/** Ends a notice of the acting user, who has read it; 404 where they have none of this id. */
export async function readJoinNotice(tx: Tx, id: number): Promise<void> {
  if (!(await findJoinNotice(tx, { id, user_id: tx.actor.user_id }))) throw notFound()
  await deleteJoinNotice(tx, id)
}
