import { notFound } from '#shared/domain/errors'
import { deleteJoinNotice, findJoinNotice } from '#main/store/records/organizations/join-notices'
import type { Tx } from '#main/store/core/store'

/** Deletes a notice that the acting user has read; 404 if they have none with this id. */
export async function readJoinNotice(tx: Tx, id: number): Promise<void> {
  if (!(await findJoinNotice(tx, { id, user_id: tx.actor.user_id }))) throw notFound()
  await deleteJoinNotice(tx, id)
}
