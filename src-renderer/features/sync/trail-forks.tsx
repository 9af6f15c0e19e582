import { useTranslation } from 'react-i18next'
import type { ReplicaState } from '#shared/contract/instance/replica'
import { Instant } from '../../ui/values/instant'
import classes from './sync.module.css'

/** Where the remote's audit trail became another one than was seen before: never in silence. */
export function TrailForks({ forks }: { forks: ReplicaState['trail_forks'] }) {
  const { t } = useTranslation('audit')
  return forks.map(({ organization_id, kind, number, sealed_at, noticed_at }) => (
    <p key={organization_id} className={classes.fork} role="alert">
      {t(`fork.${kind}`, { number })} <Instant value={noticed_at} show="moment" /> {t('fork.last')}{' '}
      <Instant value={sealed_at} show="moment" />
    </p>
  ))
}
