import type { ReplicaState } from '#shared/contract/instance/replica'
import type { Connection } from '../../state/frame'

/** One thing that the frame says of sync. */
export type StatusPart =
  { kind: 'offline' | 'syncing' | 'upToDate' | 'stopped' | 'decide' } | { kind: 'cameBack' | 'waiting'; count: number }

/** What of sync waits for a person. */
export function countCameBack({ counts }: Pick<ReplicaState, 'counts'>): number {
  return counts.conflicts + counts.failed + counts.quarantined
}

/**
 * What the frame says: what waits for the person first, then what waits to be sent. Nothing at all where all is as it should be
 * and there is no remote. `isLong`: the exchange has lasted long enough to be worth a word.
 */
export function statusParts(sync: ReplicaState | null, connection: Connection, isLong: boolean): StatusPart[] {
  const parts: StatusPart[] = []
  const waiting = connection.waiting + (sync?.counts.waiting ?? 0)
  const cameBack = sync ? countCameBack(sync) : 0
  if (sync?.stop) parts.push({ kind: sync.stop.kind === 'guard' ? 'decide' : 'stopped' })
  if (cameBack > 0) parts.push({ kind: 'cameBack', count: cameBack })
  const isOffline = connection.kind === 'offline' || (sync?.activity === 'offline' && !sync.stop)
  if (isOffline) parts.push({ kind: 'offline' })
  if (waiting > 0) parts.push({ kind: 'waiting', count: waiting })
  else if (sync && !isOffline && (sync.progress !== null || (isLong && sync.activity === 'syncing'))) parts.push({ kind: 'syncing' })
  if (parts.length === 0 && sync) parts.push({ kind: 'upToDate' })
  return parts
}
