import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReplicaState } from '#shared/contract/instance/replica'
import { useOperations, useReplicaState } from '../../api/replica'
import { useFrame } from '../../state/frame'
import { unconfirmedOf, useUnconfirmed } from '../../state/unconfirmed'
import { announce } from '../../state/notices'
import { countCameBack } from '../../ui/shell/sync-status'
import { useWithoutDecided } from './held-decisions'

/** Keeps the frame's sync status current, and marks what is not sent. Once, for the signed-in user. */
export function useReplicaWatch(): void {
  const { data } = useReplicaState()
  const sync = data?.remote ? data : null
  useFrameSync(useWithoutDecided(sync))
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

/** Records with operations in the outbox are marked wherever they are shown. */
function useMarks(hasWaiting: boolean): void {
  const { data } = useOperations('waiting', hasWaiting)
  const operations = hasWaiting ? data?.operations : undefined
  useEffect(() => {
    useUnconfirmed.setState({ records: unconfirmedOf(operations ?? []) })
  }, [operations])
}
