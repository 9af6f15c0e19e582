import type { ReplicaList, ReplicaOperation } from '#shared/contract/replica'
import { differencesSince } from '#shared/sync/merge'
import { listOperations, listShownOperations } from '#main/store/sync-journal'
import type { JournalEntry } from '#main/store/sync-journal'
import { findByUid } from '#main/store/sync-operations'
import type { Reader } from '#main/store/store'
import { router } from '../endpoints'
import type { Context } from '../endpoint'
import { readRepresentation } from '../representation'

/** The operations of a list, oldest first. */
export async function listFor(reader: Reader, list: ReplicaList): Promise<JournalEntry[]> {
  switch (list) {
    case 'waiting':
      return listShownOperations(reader)
    case 'conflicts':
      return listOperations(reader, 'conflict')
    case 'failed':
      return [...(await listOperations(reader, 'rejected')), ...(await listOperations(reader, 'parked'))].sort(
        (a, b) => a.id - b.id,
      )
    case 'quarantined':
      return listOperations(reader, 'quarantined')
  }
}

/** An operation as a person sees it: what it is about, what it would do, and what stands against it. */
export async function toOperation(context: Context, row: JournalEntry): Promise<ReplicaOperation> {
  const { base, mine, body, last_answer: answer } = row
  const subject = await subjectOf(context.reader, row)
  // One that was refused here, before it was sent, has not been compared yet.
  const isUncompared =
    row.state === 'conflict' && answer !== null && answer.differences.length === 0 && row.policy === 'conditional'
  const current = isUncompared && subject ? await readRepresentation(context, router, localPath(row, subject.id)) : undefined
  return {
    op_id: row.op_id,
    state: row.state === 'settled' || row.state === 'discarded' ? 'acknowledged' : row.state,
    method: row.method,
    path: row.path,
    body,
    subject,
    base,
    mine,
    attempts: row.attempts,
    bytes: row.bytes,
    created_at: row.created_at,
    answer: answer && (current ? { ...answer, differences: differencesSince(base, current) } : answer),
  }
}

/** The record that an operation is about: the last that its path names, else the first that it made. */
async function subjectOf(reader: Reader, row: JournalEntry): Promise<ReplicaOperation['subject']> {
  const named = row.refs.filter(({ at, table }) => at.startsWith('path.') && table !== 'organizations')
  const subject = named.at(-1) ?? row.minted[0]
  if (!subject) return null
  const { table, uid } = subject
  const record = await findByUid(reader, table, uid)
  return record ? { table, uid, id: record.id } : null
}

function localPath({ path }: JournalEntry, id: number): string {
  return path.replace(/^(\/[a-z_]+)\/-?\d+/, `$1/${id}`)
}
