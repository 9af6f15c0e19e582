import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReplicaState } from '#shared/contract/instance/replica'
import { onWritten } from '../../api/client'
import { replicaKeys, useOperations, usePolledReplicaState } from '../../api/replica'
import { useFrame } from '../../state/frame'
import { refreshShown } from '../../state/refresh-shown'
import { unconfirmedOf, useUnconfirmed } from '../../state/unconfirmed'
import { announce } from '../../state/notices'
import { countCameBack } from '../../ui/shell/sync-status'
import { useWithoutDecided } from './held-decisions'

/** How long writes are gathered before the outbox is looked at. */
const gatherMs = 60

/** Keeps the frame's sync status current, and reloads what is shown when an exchange may have changed it. Once, for the signed-in user. */
export function useReplicaWatch(): void {
  const { data } = usePolledReplicaState()
  const sync = data?.remote ? data : null
  useFrameSync(useWithoutDecided(sync))
  useOwnWrites(sync !== null)
  useRefresh(sync)
  useOutbox(sync)
  useMarks(sync !== null && sync.counts.waiting > 0)
}

function useFrameSync(sync: ReplicaState | null): void {
  const { t } = useTranslation('sync')
  const cameBack = sync ? countCameBack(sync) : 0
  const offered = sync?.offered ?? 0
  useEffect(() => {
    useFrame.setState(({ counts }) => ({ sync, counts: { ...counts, sync: cameBack + offered } }))
  }, [sync, cameBack, offered])
  useEffect(() => {
    if (cameBack > 0) announce(t('status.cameBack', { count: cameBack }))
  }, [cameBack, t])
}

/** Local writes are in the outbox at once: they do not wait for the next look. */
function useOwnWrites(hasRemote: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!hasRemote) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onWritten(() => {
      clearTimeout(timer)
      timer = setTimeout(() => void client.invalidateQueries({ queryKey: replicaKeys.state }), gatherMs)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [client, hasRemote])
}

/** After an exchange, and when operations come back, everything shown is read again; unchanged data stays the same object. */
function useRefresh(sync: ReplicaState | null): void {
  const client = useQueryClient()
  const turn = sync && JSON.stringify([sync.last_changed_at, countCameBack(sync), sync.progress !== null])
  useEffect(() => {
    if (turn === null) return
    // What was just read at the start is as new as can be.
    if (useFrame.getState().syncTurn === 0) useFrame.setState({ syncTurn: 1 })
    else refreshShown(client)
  }, [client, turn])
}

/** The lists of operations follow the counts. */
function useOutbox(sync: ReplicaState | null): void {
  const client = useQueryClient()
  const shape = sync && JSON.stringify([sync.counts, sync.oldest_waiting_at, sync.offered])
  useEffect(() => {
    if (shape === null) return
    void client.invalidateQueries({ queryKey: ['replica', 'operations'] })
    void client.invalidateQueries({ queryKey: replicaKeys.offers })
  }, [client, shape])
}

/** Records with operations in the outbox are marked wherever they are shown. */
function useMarks(hasWaiting: boolean): void {
  const { data } = useOperations('waiting', hasWaiting)
  const operations = hasWaiting ? data?.operations : undefined
  useEffect(() => {
    useUnconfirmed.setState({ records: unconfirmedOf(operations ?? []) })
  }, [operations])
}
