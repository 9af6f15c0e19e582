import type { ReplicaList, ReplicaOperation } from '#shared/contract/instance/replica'
import { type Disagreement, differencesSince, textOf } from '#shared/sync/merge'
import { replaceAt } from '#shared/sync/references'
import { type JournalEntry, listOperations, listShownOperations } from '#main/store/sync/sync-journal'
import { findByUid } from '#main/store/sync/sync-operations'
import type { Reader } from '#main/store/core/store'
import { keyedHash } from '#main/use-cases/access/keyed-hash'
import type { AnyContext } from '../endpoint'
import { readRepresentation } from '../representation'

/** The operations of a list, oldest first. */
export async function listFor(reader: Reader, list: ReplicaList): Promise<JournalEntry[]> {
  switch (list) {
    case 'waiting':
      return listShownOperations(reader)
    case 'conflicts':
      return listOperations(reader, 'conflict')
    case 'failed':
      return [...(await listOperations(reader, 'rejected')), ...(await listOperations(reader, 'parked'))].sort((a, b) => a.id - b.id)
    case 'quarantined':
      return listOperations(reader, 'quarantined')
  }
}

/** States in which a person must decide about an operation. */
export const undecided: ReadonlySet<JournalEntry['state']> = new Set(['conflict', 'rejected', 'parked', 'quarantined'])

/** An operation as shown to a person: its record, its effect, and what conflicts with it. */
export async function toOperation(context: AnyContext, row: JournalEntry): Promise<ReplicaOperation> {
  const { base, mine, body, last_answer: response } = row
  const standing = undecided.has(row.state) ? await readStanding(context, row) : null
  return {
    op_id: row.op_id,
    state: row.state === 'settled' || row.state === 'discarded' ? 'acknowledged' : row.state,
    method: row.method,
    path: row.path,
    body,
    is_conditional: row.policy === 'conditional',
    seen: standing?.seen ?? null,
    subject: await subjectOf(context.reader, row),
    base,
    mine,
    attempts: row.attempts,
    bytes: row.bytes,
    created_at: row.created_at,
    answer: response && (standing ? { ...response, differences: standing.differences } : response),
  }
}

interface Standing {
  readonly differences: Disagreement[]
  /** Identifies the state that a person decides on; it differs after a change. */
  readonly seen: string
}

/**
 * What conflicts with an operation now: the remote's response may be older than later changes. A disagreement is decided by others' values;
 * everything else by the current records.
 */
export async function readStanding(context: AnyContext, row: JournalEntry): Promise<Standing> {
  const answered = row.last_answer?.differences ?? []
  const isDisagreement = row.last_answer?.message === 'disagreement'
  const current = row.state === 'conflict' ? await readRepresentation(context, await localPath(context.reader, row)) : undefined
  const differences = !current
    ? answered
    : isDisagreement
      ? answered.map((one) => ({ ...one, theirs: current[one.attribute] ?? null }))
      : row.policy === 'conditional'
        ? differencesSince(row.base, current)
        : answered
  const by = isDisagreement ? differences.map(({ theirs }) => theirs) : await versionsOf(context.reader, row)
  const hash = keyedHash({ secret: context.deps.signing_secret, purpose: 'operation', text: textOf(by) })
  return { differences, seen: hash.slice(0, 32) }
}

async function versionsOf(reader: Reader, { seen }: JournalEntry): Promise<Array<number | null>> {
  const versions: Array<number | null> = []
  for (const { table, uid } of seen) versions.push((await findByUid(reader, table, uid))?.version ?? null)
  return versions
}

/** The record of an operation: the last one in its path, otherwise the first that it created. */
async function subjectOf(reader: Reader, row: JournalEntry): Promise<ReplicaOperation['subject']> {
  const named = row.refs.filter(({ at, table }) => at.startsWith('path.') && table !== 'organizations')
  const subject = named.at(-1) ?? row.minted[0]
  if (!subject) return null
  const { table, uid } = subject
  const record = await findByUid(reader, table, uid)
  return record ? { table, uid, id: record.id } : null
}

/** Its path with current local ids. */
async function localPath(reader: Reader, { path, refs }: JournalEntry): Promise<string> {
  const values: Array<{ at: string; value: number }> = []
  for (const { at, table, uid } of refs) {
    const record = at.startsWith('path.') ? await findByUid(reader, table, uid) : undefined
    if (record) values.push({ at, value: record.id })
  }
  return replaceAt({ path, body: null }, values).path
}
