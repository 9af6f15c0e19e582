import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ReplicaState } from '#shared/contract/instance/replica'
import { failureText } from '../../api/failure-text'
import { syncNow } from '../../api/replica'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { notifyFailure } from '../../state/notices'
import { FirstProgress, RemoteLine, StopNotice } from './remote-parts'
import classes from './sync.module.css'

/** Asks for an exchange, and watches it. */
export function useSyncNow() {
  const { t } = useTranslation('sync')
  return useMutation({
    mutationFn: syncNow,
    onError: (error) => notifyFailure({ title: t('syncNow.failed'), message: failureText(error) }),
  })
}

/** The sync status, above the lists: the time of the last contact, the obstacles, and a button to sync now. */
export function SyncBar({ state }: { state: ReplicaState }) {
  const { t } = useTranslation('sync')
  const sync = useSyncNow()
  const run = () => sync.mutate()
  useShortcuts({ scope: 'sync-bar', title: t('title') }, [{ id: 'sync', keys: 's', label: t('syncNow.action'), run }])
  return (
    <>
      <div className={classes.bar}>
        <RemoteLine state={state} />
        <span className={classes.spring} />
        <Button
          variant="default"
          leftSection={<RefreshCw size={14} aria-hidden />}
          rightSection={<KeyHint keys="s" />}
          disabled={sync.isPending}
          onClick={run}
        >
          {t('syncNow.action')}
        </Button>
      </div>
      <FirstProgress state={state} />
      <StopNotice state={state} />
    </>
  )
}
