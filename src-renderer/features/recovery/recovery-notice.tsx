import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Missing, Recovery } from '#shared/contract/instance/recoveries'
import { usePreferences } from '../../state/preferences'
import { Amount } from '../../ui/values/amount'
import { now } from '../../ui/values/clock'
import { formatAbsolute } from '../../ui/values/format'
import { Instant } from '../../ui/values/instant'
import classes from './recovery.module.css'

/** Damage found at a start: what replaced the database, what is missing, and where it is. `children`: the acts. */
export function RecoveryNotice({ recovery, children }: { recovery: Recovery; children?: ReactNode }) {
  const { t } = useTranslation('recovery')
  const titleId = useId()
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const { what, snapshot_taken_at, folder, missing, is_replica } = recovery
  const time = snapshot_taken_at === null ? '' : formatAbsolute(snapshot_taken_at, { language, timezone, now: now() })
  const kind = what === 'database' && snapshot_taken_at === null ? 'startedOver' : what
  return (
    <section className={classes.notice} role="alert" aria-labelledby={titleId}>
      <TriangleAlert size={18} aria-hidden />
      <div className={classes.body}>
        <h2 id={titleId} className={classes.title}>
          {t(`${kind}.title`)}
        </h2>
        <p className={classes.text}>{t(`${kind}.text`, { time })}</p>
        {kind === 'database' && <MissingText missing={missing} isReplica={is_replica} />}
        {missing && <FilesText missing={missing} />}
        <p className={classes.text}>{t('folder', { folder })}</p>
        {missing && missing.expenses.length > 0 && <MissingExpenses missing={missing} />}
      </div>
      {children}
    </section>
  )
}

function MissingText({ missing, isReplica }: { missing: Missing | null; isReplica: boolean }) {
  const { t } = useTranslation('recovery')
  if (missing === null) return <p className={classes.text}>{t('missing.reading')}</p>
  const { expenses = 0, comments = 0, operations = 0 } = missing.counts
  const others = Object.values(missing.counts).reduce((sum, count) => sum + count, 0) - expenses - comments - operations
  const parts = [
    ...(expenses > 0 ? [t('missing.expenses', { count: expenses })] : []),
    ...(comments > 0 ? [t('missing.comments', { count: comments })] : []),
    ...(operations > 0 ? [t('missing.operations', { count: operations })] : []),
    ...(others > 0 ? [t('missing.others', { count: others })] : []),
  ]
  return (
    <p className={classes.text}>
      {parts.length > 0 ? t('missing.some', { what: parts.join(', ') }) : t(missing.is_complete ? 'missing.none' : 'missing.unknown')}{' '}
      {parts.length > 0 && !missing.is_complete && `${t('missing.more')} `}
      {missing.file !== null && `${t('missing.file', { file: missing.file })} `}
      {isReplica && t('missing.replica')}
    </p>
  )
}

function FilesText({ missing: { files_missing, files_unnamed } }: { missing: Missing }) {
  const { t } = useTranslation('recovery')
  if (files_missing + files_unnamed === 0) return null
  return (
    <p className={classes.text}>
      {files_missing > 0 && `${t('missing.files_missing', { count: files_missing })} `}
      {files_unnamed > 0 && t('missing.files_unnamed', { count: files_unnamed })}
    </p>
  )
}

function MissingExpenses({ missing: { expenses } }: { missing: Missing }) {
  const { t } = useTranslation('recovery')
  return (
    <details className={classes.missing}>
      <summary>{t('missing.show', { count: expenses.length })}</summary>
      <ul className={classes.list}>
        {expenses.map(({ id, change, description, amount, currency, occurred_at }) => (
          <li key={id}>
            <span>{t(`change.${change}`)}</span>
            <span className={classes.what}>{description ?? t('missing.nameless', { id })}</span>
            <Instant value={occurred_at} />
            <Amount amount={amount} currency={currency} />
          </li>
        ))}
      </ul>
    </details>
  )
}
