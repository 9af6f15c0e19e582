import { Button } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { ReplicaState } from '#shared/contract/instance/replica'
import { usePreferences } from '../../state/preferences'
import { formatBytes } from '../../ui/values/format-bytes'
import { Instant } from '../../ui/values/instant'
import { ProgressBar } from '../../ui/feedback/progress-bar'
import { useTrueForAWhile } from '../../ui/feedback/use-true-for-a-while'
import classes from './sync.module.css'

/** The remote's address without what every address has. */
export function hostOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.host}${parsed.pathname.replace(/\/$/, '')}` : url
}

/** In one line: which remote, whether it responds, and when it last did. */
export function RemoteLine({ state }: { state: ReplicaState }) {
  const { t } = useTranslation('sync')
  const { remote, activity, last_synced_at, progress } = state
  const isLong = useTrueForAWhile(activity === 'syncing')
  const isShared = activity !== 'syncing' || isLong || progress !== null
  if (!remote) return null
  return (
    <p className={classes.line}>
      <span className={classes.host} title={remote.url}>
        {hostOf(remote.url)}
      </span>
      <span>{t(`activity.${isShared ? activity : 'idle'}`)}</span>
      <span className={classes.quiet}>
        {last_synced_at === null ? (
          t('never')
        ) : (
          <>
            {t('last')} <Instant value={last_synced_at} show="moment" />
          </>
        )}
      </span>
      {!state.keeps_in_sync && <span className={classes.quiet}>{t('onlyWhenTold')}</span>}
    </p>
  )
}

/** How far the first exchange is, and one after what the person may see has changed. */
export function FirstProgress({ state: { progress } }: { state: ReplicaState }) {
  const { t } = useTranslation('sync')
  const language = usePreferences((state) => state.language)
  if (!progress) return null
  const { rows, total, bytes } = progress
  return (
    <div className={classes.progress}>
      <ProgressBar label={t('progress.label')} done={rows} total={Math.max(rows, total)} />
      <p className={classes.quiet}>{t('progress.text', { bytes: formatBytes(bytes, language) })}</p>
    </div>
  )
}

/** Why nothing is exchanged until a person does something, and what. The guard has its banner. `isHere`: it can be done right below. */
export function StopNotice({ state: { stop }, isHere = false }: { state: ReplicaState; isHere?: boolean }) {
  const { t } = useTranslation('sync')
  const [, navigate] = useLocation()
  if (!stop || stop.kind === 'guard') return null
  const isOfToken = stop.kind === 'unauthorized' || stop.kind === 'wrong_account'
  return (
    <div className={classes.notice} role="status">
      <CircleAlert size={16} aria-hidden />
      <div className={classes.bannerText}>
        <p className={classes.noticeTitle}>{t(`stop.${stop.kind}`)}</p>
        <p className={classes.quiet}>{t(`stop.${stop.kind}Todo`)}</p>
        <details className={classes.support}>
          <summary>{t('support')}</summary>
          <code>{stop.message}</code>
        </details>
      </div>
      {isOfToken && !isHere && (
        <Button variant="default" onClick={() => navigate('/settings/remote')}>
          {t('stop.newToken')}
        </Button>
      )}
    </div>
  )
}

/** How much waits, in words: "3 to send, 12 kB". */
export function useWaitingText(): (counts: ReplicaState['counts']) => string {
  const { t } = useTranslation('sync')
  const language = usePreferences((state) => state.language)
  return ({ waiting, waiting_bytes }) =>
    waiting === 0 ? t('outbox.none') : t('outbox.some', { count: waiting, bytes: formatBytes(waiting_bytes, language) })
}
