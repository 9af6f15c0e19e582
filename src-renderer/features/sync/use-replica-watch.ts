import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReplicaState } from '#shared/contract/instance/replica'
import { useOperations, useReplicaState } from '../../api/replica'
import { useFrame } from '../../state/frame'
import { refreshShown } from '../../state/refresh-shown'
import { unconfirmedOf, useUnconfirmed } from '../../state/unconfirmed'
import { announce } from '../../state/notices'
import { countCameBack } from '../../ui/shell/sync-status'
import { useWithoutDecided } from './held-decisions'

/** Keeps the frame's sync status current, and reloads what is shown when an exchange may have changed it. Once, for the signed-in user. */
export function useReplicaWatch(): void {
  const { data } = useReplicaState()
  const sync = data?.remote ? data : null
  useFrameSync(useWithoutDecided(sync))
  useRefresh(sync)
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

/** Records with operations in the outbox are marked wherever they are shown. */
function useMarks(hasWaiting: boolean): void {
  const { data } = useOperations('waiting', hasWaiting)
  const operations = hasWaiting ? data?.operations : undefined
  useEffect(() => {
    useUnconfirmed.setState({ records: unconfirmedOf(operations ?? []) })
  }, [operations])
}
