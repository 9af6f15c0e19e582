import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { ReplicaState } from '#shared/contract/instance/replica'
import { failureText } from '../../api/failure-text'
import { useReplicaState } from '../../api/replica'
import { usePreferences } from '../../state/preferences'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { formatCount } from '../../ui/values/format'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { ChangedVerdicts } from './changed-verdicts'
import { useWithoutDecided } from './held-decisions'
import { Offers } from './offers'
import { Operations } from './operations'
import { SyncBar } from './sync-bar'
import classes from './sync.module.css'
import { TrailForks } from './trail-forks'

const tabs = ['waiting', 'conflicts', 'failed', 'quarantined', 'offers'] as const
type Tab = (typeof tabs)[number]

/** What waits to be sent, and what waits for the person. `list`: as the address has it; the outbox without. */
export function SyncScreen({ list }: { list: string | undefined }) {
  const { t } = useTranslation('sync')
  const [, navigate] = useLocation()
  const { data, error, refetch } = useReplicaState()
  const state = useWithoutDecided(data)
  if (error && !state) return <ErrorState happened={t('error')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  if (!state) return <SkeletonRows count={8} />
  if (!state.remote)
    return <EmptyState sentence={t('noRemote')} action={{ label: t('connect.open'), run: () => navigate('/settings/remote?connect') }} />
  const tab = tabs.find((known) => known === list) ?? 'waiting'
  return (
    <div className={classes.screen}>
      <SyncBar state={state} />
      <TrailForks forks={state.trail_forks} />
      <ChangedVerdicts />
      <nav className={classes.tabs} aria-label={t('tabs.label')}>
        {tabs
          .filter((known) => known === tab || known !== 'offers' || state.offered > 0)
          .map((known) => (
            <TabLink key={known} tab={known} isCurrent={known === tab} count={countOf(state, known)} />
          ))}
      </nav>
      {tab === 'offers' ? <Offers state={state} /> : <Operations key={tab} list={tab} state={state} />}
    </div>
  )
}

function countOf({ counts, offered }: ReplicaState, tab: Tab): number {
  return tab === 'offers' ? offered : counts[tab]
}

function TabLink({ tab, isCurrent, count }: { tab: Tab; isCurrent: boolean; count: number }) {
  const { t } = useTranslation('sync')
  const language = usePreferences((state) => state.language)
  return (
    <Link
      href={tab === 'waiting' ? '/sync' : `/sync/${tab}`}
      className={classes.tab}
      aria-current={isCurrent ? 'page' : undefined}
      // The list takes the keys.
      onClick={(event) => event.currentTarget.blur()}
    >
      {t(`tabs.${tab}`)}
      <span className={classes.tabCount}>{formatCount(count, language)}</span>
    </Link>
  )
}
