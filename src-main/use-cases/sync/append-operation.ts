import { findBlob } from '#main/store/records/files/blob-reader'
import { findReplicaValue } from '#main/store/sync/replica-state'
import { noteBlobTransfer } from '#main/store/sync/sync-blobs'
import { type NewJournalEntry, insertOperation } from '#main/store/sync/sync-journal'
import type { Tx } from '#main/store/core/store'

/** An operation without its progress, which the journal keeps. */
export type NewOperation = Omit<
  NewJournalEntry,
  'user_id' | 'device_uid' | 'api_version' | 'state' | 'bytes' | 'created_at' | 'last_answer' | 'effect_seq' | 'sent_at' | 'settled_at'
>

/** Adds an operation of the acting user to the journal, to be sent with its files. */
export async function appendOperation(tx: Tx, row: NewOperation): Promise<void> {
  await noteUploads(tx, row)
  const device = await findReplicaValue(tx, 'device')
  await insertOperation(tx, {
    ...row,
    user_id: tx.actor.user_id,
    device_uid: device?.uid ?? '',
    api_version: 'v1',
    state: 'pending',
    bytes: JSON.stringify([row.body, row.refs, row.minted, row.seen, row.base]).length,
    created_at: tx.now,
    last_answer: null,
    effect_seq: null,
    sent_at: null,
    settled_at: null,
  })
}

/** Stores the files of an operation for sending: they are sent before it. */
export async function noteUploads(tx: Tx, { blobs }: Pick<NewJournalEntry, 'blobs'>): Promise<void> {
  for (const { sha256 } of blobs) await noteBlobTransfer(tx, { sha256, direction: 'up', bytes: (await findBlob(tx, sha256))?.bytes ?? 0 })
}
