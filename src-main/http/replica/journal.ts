import type { Operation } from '#shared/contract/sync'
import { forbidden } from '#shared/domain/errors'
import { changedAttributes, seenAttributes } from '#shared/sync/merge'
import { records } from '#shared/records/index'
import type { SyncPolicy } from '#shared/records/definition'
import { namedRecords } from '#shared/sync/references'
import { mintIdentity } from '#main/store/sync/id-leases'
import { findReplicaValue } from '#main/store/sync/replica-state'
import { findSharedRecord } from '#main/store/sync/shared-records'
import { listByNumber, nextOperation } from '#main/store/sync/sync-journal'
import { findByUid, findUid } from '#main/store/sync/sync-operations'
import { findConfirmed, listWriters, listWritten } from '#main/store/sync/sync-undo'
import type { Minter, Tx } from '#main/store/core/store'
import { findUpload } from '#main/store/records/files/uploads'
import { appendOperation } from '#main/use-cases/sync/append-operation'
import { keyOfLocation } from '#main/use-cases/uploads/uploads'
import type { Command } from '../command'
import type { Result, AnyWriteContext } from '../endpoint'
import type { Route } from '#shared/contract/route'
import { readRepresentation } from '../representation'
import { writeRequest } from '../requests'

type Run = (tx: Tx) => Promise<Result<Route>>

/** Records on whose versions money and status changes depend. */
const guarded: ReadonlySet<string> = new Set(records.flatMap(({ table, isGuarded }) => (isGuarded ? [table] : [])))

/**
 * Runs a write on a replica and journals it in the same transaction (`src-main/sync/SPEC.md`, "Push"): its effect can be undone until the remote has
 * confirmed it. A write without changes is not journalled.
 */
export async function runJournalled(context: AnyWriteContext, policy: SyncPolicy, run: Run): Promise<Result<Route>> {
  const { command, deps, tx } = context
  const remote = await findReplicaValue(tx, 'remote')
  if (remote?.user_id !== context.caller.user_id) throw forbidden()
  const number = await nextOperation(tx)
  const { method, path, body } = writeRequest(command)
  if (method === 'GET') throw new Error('A read is no operation.')
  const before = policy === 'add' ? undefined : await readRepresentation(context, path)
  const named = await nameRecords(tx, command)
  const minted: Operation['minted'] = []
  const result = await captured(tx, number, () => run(tx.as(tx.actor, noting(minted))))
  const written = await listWritten(tx, number)
  if (written.length === 0) return result
  const after = before && policy === 'merge' ? await readRepresentation(context, path) : undefined
  const changed = before && after ? changedAttributes(before, after) : { base: {}, mine: {} }
  const touched = new Map(
    written.flatMap(({ table_name, record_key, record_uid, version_before }) =>
      record_uid !== null && version_before !== null && guarded.has(table_name)
        ? [[record_uid, { table: table_name, key: record_key, uid: record_uid }] as const]
        : [],
    ),
  )
  const seen = policy === 'add' ? [] : await seenOf(tx, { number, touched: [...touched.values()], named })
  const blobs = command.blobs ?? (await blobsOf(tx, body))
  await appendOperation(tx, {
    id: number,
    op_id: deps.clock.uid(),
    policy,
    method,
    path,
    body: body ?? null,
    group_id: context.request_id,
    refs: named.map(({ at, table, uid }) => ({ at, table, uid })),
    blobs,
    minted,
    seen: seen.map(({ table, uid, version }) => ({ table, uid, version })),
    after_ops: await opIdsOf(tx, new Set(seen.flatMap(({ writers }) => writers))),
    depends_on: await creatorsOf(tx, number, named),
    base: policy === 'merge' ? changed.base : before ? seenAttributes(before) : {},
    mine: changed.mine,
  })
  return result
}

async function captured<T>(tx: Tx, number: number, work: () => Promise<T>): Promise<T> {
  tx.replica.capture(number)
  try {
    return await work()
  } finally {
    tx.replica.capture(null)
  }
}

/** Mints ids as a replica does, and collects them. Entries of the trail are skipped: nobody refers to them by id. */
function noting(minted: Operation['minted']): Minter {
  return {
    mint: async (tx, table) => {
      const identity = await mintIdentity(tx, table)
      if (table !== 'activities') minted.push({ table, id: identity.id ?? null, uid: identity.uid })
      return identity
    },
  }
}

interface NamedRecord {
  readonly at: string
  readonly table: string
  readonly id: number
  readonly uid: string
}

async function nameRecords(tx: Tx, command: Command): Promise<NamedRecord[]> {
  const named: NamedRecord[] = []
  for (const { at, table, id } of namedRecords(command)) {
    const uid = await findUid(tx, table, id)
    if (uid !== undefined) named.push({ at, table, id, uid })
  }
  return named
}

interface Seen {
  readonly table: string
  readonly uid: string
  readonly version: number
  readonly writers: readonly number[]
}

/** The confirmed versions of the records on which this operation was decided; its own record first. */
async function seenOf(
  tx: Tx,
  input: { number: number; touched: ReadonlyArray<{ table: string; key: string; uid: string }>; named: readonly NamedRecord[] },
): Promise<Seen[]> {
  const targets = input.named
    .filter(
      ({ at, table }) => (at.startsWith('path.') || at.startsWith('body.expense_ids')) && guarded.has(table) && table !== 'organizations',
    )
    .map(({ table, id, uid }) => ({ table, key: String(id), uid }))
    .reverse()
  const seen = new Map<string, Seen>()
  for (const { table, key, uid } of [...targets, ...input.touched]) {
    if (seen.has(uid)) continue
    const first = await findConfirmed(tx, table, key)
    // Nobody has seen a record that the operation itself creates.
    if (first?.version_before === null && first.operation === input.number) continue
    const current = first ? undefined : await findByUid(tx, table, uid)
    const writers = (await listWriters(tx, table, key)).filter((writer) => writer !== input.number)
    seen.set(uid, { table, uid, version: (first ? first.version_before : current?.version) ?? 0, writers })
  }
  return [...seen.values()]
}

async function opIdsOf(tx: Tx, numbers: ReadonlySet<number>): Promise<string[]> {
  return (await listByNumber(tx, [...numbers])).map(({ op_id }) => op_id)
}

/** The unconfirmed operations that created the records that this one names. */
async function creatorsOf(tx: Tx, number: number, named: readonly NamedRecord[]): Promise<string[]> {
  const creators = new Set<number>()
  for (const { table, id } of named) {
    const first = findSharedRecord(table) ? await findConfirmed(tx, table, String(id)) : undefined
    if (first?.version_before === null && first.operation !== number) creators.add(first.operation)
  }
  return opIdsOf(tx, creators)
}

async function blobsOf(tx: Tx, body: unknown, at = 'body'): Promise<Operation['blobs']> {
  if (typeof body === 'string') {
    const key = body.startsWith('http') ? keyOfLocation(body) : undefined
    const upload = key === undefined ? undefined : await findUpload(tx, key)
    return upload ? [{ at, sha256: upload.sha256, file_name: upload.file_name }] : []
  }
  if (typeof body !== 'object' || body === null) return []
  const parts = await Promise.all(Object.entries(body).map(([name, part]) => blobsOf(tx, part, `${at}.${name}`)))
  return parts.flat()
}
