import { Radio } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { ReplicaState } from '#shared/contract/instance/replica'
import { failureText } from '../../api/failure-text'
import { disconnectRemote } from '../../api/replica'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { notifyDone, notifyFailure } from '../../state/notices'
import { countCameBack } from '../../ui/shell/sync-status'
import { hostOf } from './remote-parts'
import classes from './sync.module.css'

/** Asks what to do with the remote's data, and says what is lost. */
export function DisconnectSheet({ state, onClose }: { state: ReplicaState; onClose: () => void }) {
  const { t } = useTranslation('sync')
  const [, navigate] = useLocation()
  const [data, setData] = useState<'keep' | 'remove'>('keep')
  const unsent = state.counts.waiting + countCameBack(state)
  const host = hostOf(state.remote?.url ?? '')
  const disconnect = async () => {
    onClose()
    // `?connect` would open the form to connect again, as soon as there is no remote.
    navigate('/settings/remote', { replace: true })
    try {
      await disconnectRemote(data)
      if (data === 'remove') return location.assign('/')
      notifyDone(t('disconnect.done'))
    } catch (error) {
      notifyFailure({ title: t('disconnect.failed'), message: failureText(error) })
    }
  }
  return (
    <ConfirmSheet
      title={t('disconnect.title', { host })}
      confirmLabel={t(data === 'remove' ? 'disconnect.remove' : 'disconnect.keep', { host })}
      isDanger
      onConfirm={() => void disconnect()}
      onCancel={onClose}
    >
      <Radio.Group aria-label={t('disconnect.question')} value={data} onChange={(value) => setData(value === 'remove' ? 'remove' : 'keep')}>
        <div className={classes.choices}>
          <Radio size="xs" value="keep" label={t('disconnect.keepChoice')} description={t('disconnect.keepDetail')} />
          <Radio size="xs" value="remove" label={t('disconnect.removeChoice')} description={t('disconnect.removeDetail')} />
        </div>
      </Radio.Group>
      {unsent > 0 && <p className={classes.failure}>{t(data === 'remove' ? 'disconnect.lost' : 'disconnect.unsent', { count: unsent })}</p>}
    </ConfirmSheet>
  )
}
