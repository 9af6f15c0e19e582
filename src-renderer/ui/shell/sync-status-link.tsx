import { CircleAlert, CloudOff, Hourglass, RefreshCw, Undo2, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { FrameState } from '../../state/frame'
import classes from './frame.module.css'
import { statusParts, type StatusPart } from './sync-status'
import { useTrueForAWhile } from '../feedback/use-true-for-a-while'

const icons: Readonly<Partial<Record<StatusPart['kind'], LucideIcon>>> = {
  offline: CloudOff,
  syncing: RefreshCw,
  stopped: CircleAlert,
  decide: CircleAlert,
  cameBack: Undo2,
  waiting: Hourglass,
}
const wanted: ReadonlySet<StatusPart['kind']> = new Set(['stopped', 'decide', 'cameBack'])

/** The sync status in the frame: text and icon, and the way to waiting work. Nothing if there is nothing to report. */
export function SyncStatus({ sync, connection }: Pick<FrameState, 'sync' | 'connection'>) {
  const { t } = useTranslation('sync')
  const isLong = useTrueForAWhile(sync?.activity === 'syncing')
  const parts = statusParts(sync, connection, isLong)
  if (parts.length === 0) return null
  const content = parts.map((part) => <Part key={part.kind} part={part} />)
  const title = parts.map((part) => t(`status.${part.kind}Detail`)).join(' ')
  if (!sync)
    return (
      <span className={`${classes.connection} tabular`} role="status" title={title}>
        {content}
      </span>
    )
  const wantsPerson = parts.find(({ kind }) => kind === 'cameBack')
  return (
    <Link
      href={wantsPerson ? addressFor(sync) : '/sync'}
      className={`${classes.connection} tabular`}
      title={title}
      // The list that it leads to takes the keys.
      onClick={(event) => event.currentTarget.blur()}
    >
      <span className="visually-hidden">{t('status.label')}</span>
      {content}
    </Link>
  )
}

function addressFor({ counts }: NonNullable<FrameState['sync']>): string {
  if (counts.conflicts > 0) return '/sync/conflicts'
  return counts.failed > 0 ? '/sync/failed' : '/sync/quarantined'
}

function Part({ part }: { part: StatusPart }) {
  const { t } = useTranslation('sync')
  const Icon = icons[part.kind]
  return (
    <span className={classes.connectionPart} data-wanted={wanted.has(part.kind) ? '' : undefined}>
      {Icon ? <Icon size={14} aria-hidden /> : <span className={classes.connectionDot} aria-hidden />}
      {'count' in part && (
        <span className={classes.connectionCount} aria-hidden>
          {part.count}
        </span>
      )}
      <span className={classes.connectionText}>
        {'count' in part ? t(`status.${part.kind}`, { count: part.count }) : t(`status.${part.kind}`)}
      </span>
    </span>
  )
}
