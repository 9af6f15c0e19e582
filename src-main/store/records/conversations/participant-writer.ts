import type { Row } from '#db/schema'
import { type ParentRef, parentColumns } from './parent-columns'
import { findParticipant } from './participant-reader'
import { deleteRecord, insertRecord } from '../../core/record-writer'
import type { Tx } from '../../core/store'

/** Makes a user a participant; one who is stays one (contract 4.12). */
export async function addParticipant(tx: Tx, parent: ParentRef, user_id: number): Promise<void> {
  if (await findParticipant(tx, parent, user_id)) return
  await insertRecord(tx, 'participants', {
    values: { user_id, ...parentColumns(parent) },
    scope: { organization_id: parent.organization_id, user_id },
  })
}

/** Takes a user off the participants. */
export async function removeParticipant(tx: Tx, parent: ParentRef, row: Row<'participants'>): Promise<void> {
  await deleteRecord(tx, 'participants', { row, scope: { organization_id: parent.organization_id, user_id: row.user_id } })
}
