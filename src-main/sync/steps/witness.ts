import type { z } from 'zod'
import { syncRoutes } from '#shared/contract/sync'
import { type EntryHashes, detailsHash, factsHash, headOf, isPersonal, isSigned, rootOf } from '#main/store/audit/seal-format'
import { listEntriesOfChain } from '#main/store/audit/seal-reader'
import { type ReplicaValue, findReplicaValue, writeReplicaValue } from '#main/store/sync/replica-state'
import { type Exchange, transact } from '../exchange'
import { RemoteError } from '../remote-error'

type Chain = z.infer<typeof syncRoutes.heads.response>['chains'][number]
type Seal = Chain['seals'][number]
type Seen = ReplicaValue<'heads'>[number]
type ForkKind = NonNullable<Seen['fork']>['kind']

/** The most requests for seals in one exchange; the next one continues. */
const mostRounds = 20

/**
 * Stores the heads of the remote's audit trail that this replica has seen, and follows them: each new seal must continue the last one seen, and match
 * the entries that are here. If it does not, as after a restored backup, this is stored with its time and shown, and the chain is followed from
 * there. A remote without seals is skipped.
 */
export async function witness(exchange: Exchange): Promise<void> {
  try {
    for (let round = 0; round < mostRounds; round += 1) if (!(await followOnce(exchange))) return
  } catch (error) {
    if (error instanceof RemoteError && (error.failure === 'no_sync' || error.failure === 'refused')) return
    throw error
  }
}

/** Requests seals once; resolves to whether there are more. */
async function followOnce(exchange: Exchange): Promise<boolean> {
  const { store, remote, log, clock } = exchange
  const seen = (await findReplicaValue(store.reader, 'heads')) ?? []
  const body = { seen: seen.map(({ organization_id, number }) => ({ organization_id, number })) }
  const { chains } = await remote.call(syncRoutes.heads, { body })
  const noticed_at = clock.now().toISOString()
  const heads = new Map(seen.map((one) => [one.organization_id, one]))
  for (const chain of chains) {
    const before = heads.get(chain.organization_id)
    const kind = before && (await findFork(exchange, chain, before))
    const last = chain.seals.at(-1)
    if (before && kind) {
      const { organization_id, number, sealed_at } = before
      log.error({ organization_id, number, sealed_at, kind }, 'the audit trail of the remote does not continue what was seen of it')
    }
    const fork = before && kind ? { noticed_at, number: before.number, sealed_at: before.sealed_at, kind } : (before?.fork ?? null)
    const next = last ? toSeen(last, noticed_at, fork) : before && { ...before, fork }
    if (next) heads.set(chain.organization_id, next)
  }
  const now = [...heads.values()]
  if (JSON.stringify(now.map(comparable)) !== JSON.stringify(seen.map(comparable)))
    await transact(exchange, (tx) => writeReplicaValue(tx, 'heads', now))
  return chains.some(({ is_more }) => is_more)
}

function comparable({ seen_at: _at, ...rest }: Seen): Omit<Seen, 'seen_at'> {
  return { ...rest, fork: rest.fork && { ...rest.fork, noticed_at: '' } }
}

function toSeen(seal: Seal, seen_at: string, fork: Seen['fork']): Seen {
  const { organization_id, number, total, sealed_at, public_key, last_id } = seal
  return { organization_id, number, total, head: headOf(seal), sealed_at, public_key, last_id, seen_at, fork }
}

/** What is wrong with a chain for someone who has seen one of its heads; undefined if it continues that head. */
async function findFork(exchange: Exchange, { seals, entries }: Chain, seen: Seen): Promise<ForkKind | undefined> {
  const [first, ...following] = seals
  if (!first || first.number !== seen.number || headOf(first) !== seen.head) return 'head'
  let before = first
  for (const seal of following) {
    const own = entries.filter(([id]) => id > before.last_id && id <= seal.last_id)
    const isNext = seal.number === before.number + 1 && seal.previous === headOf(before) && seal.public_key === seen.public_key
    const isWhole = own.length === seal.entries && rootOf(own.map(([, ...hashes]): EntryHashes => hashes)) === seal.root
    if (!isNext || !isWhole || !isSigned({ ...seal, id: 0, head: '' })) return 'head'
    if (!(await holdsSame(exchange, { own, after: before.last_id, seal }))) return 'entries'
    before = seal
  }
  return undefined
}

/** Whether the local entries of a seal are those that it was made from. The remote does not send all of them to everyone. */
async function holdsSame(
  { store }: Exchange,
  { own, after, seal }: { own: Chain['entries']; after: number; seal: Seal },
): Promise<boolean> {
  const { organization_id, last_id: until } = seal
  const here = await listEntriesOfChain(store.reader, { organization_id, after, until, limit: seal.entries + 1 })
  const sealed = new Map(own.map(([id, ...hashes]) => [id, hashes]))
  return here.every((entry) => {
    const [facts, details] = sealed.get(entry.id) ?? []
    return facts === factsHash(entry) && (isPersonal(entry) || details === detailsHash(entry.details, entry.uid))
  })
}
