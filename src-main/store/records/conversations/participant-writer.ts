import type { Row } from '#db/schema'
import { type FollowableRef, followableColumns } from './followable-columns'
import { findParticipant } from './participant-reader'
import { deleteRecord, insertRecord } from '../../core/record-writer'
import type { Tx } from '../../core/store'

/** Makes a user a participant, unless they are one already (contract 4.12). */
export async function addParticipant(tx: Tx, followable: FollowableRef, user_id: number): Promise<void> {
  if (!(await findParticipant(tx, followable, user_id))) await insertParticipant(tx, followable, user_id)
}

/** Makes a user who is none a participant. */
export async function insertParticipant(tx: Tx, followable: FollowableRef, user_id: number): Promise<void> {
  await insertRecord(tx, 'participants', {
    values: { user_id, ...followableColumns(followable) },
    scope: { organization_id: followable.organization_id, user_id },
  })
}

/** Removes a user from the participants. */
export async function removeParticipant(tx: Tx, followable: FollowableRef, row: Row<'participants'>): Promise<void> {
  await deleteRecord(tx, 'participants', { row, scope: { organization_id: followable.organization_id, user_id: row.user_id } })
}
