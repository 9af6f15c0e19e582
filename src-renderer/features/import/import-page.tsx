import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { Import } from '#shared/contract/imports'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { type ImportKey, isRunning, removeImport, useImport } from '../../api/imports'
import { notifyDone } from '../../state/notices'
import { usePreferences } from '../../state/preferences'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { formatBytes } from '../../ui/values/format-bytes'
import { ProgressBar } from '../../ui/feedback/progress-bar'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { Changes } from './changes'
import { FirstRows } from './first-rows'
import { HowRead } from './how-read'
import classes from './import.module.css'
import { Problems } from './problems'
import { Summary } from './summary'
import { useAct } from './use-act'

/** A file: what would be imported from it, or was. */
export function ImportPage({ importKey }: { importKey: ImportKey }) {
  const { t } = useTranslation('imports')
  const [, navigate] = useLocation()
  const { data, error, refetch } = useImport(importKey)
  const back = { label: t('back'), run: () => navigate('/import') }
  if (error instanceof ApiError && error.status === 404) return <EmptyState sentence={t('gone')} action={back} />
  if (error && !data) return <ErrorState happened={t('error')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  if (!data) return <SkeletonRows count={8} />
  return (
    <div className={classes.screen}>
      <div className={classes.column}>
        <Head shown={data} />
        <Body shown={data} />
      </div>
    </div>
  )
}

function Head({ shown }: { shown: Import }) {
  const { t } = useTranslation('imports')
  const language = usePreferences((state) => state.language)
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const removal = useAct(async () => {
    const isStopping = shown.state === 'importing'
    await removeImport(client, shown)
    notifyDone(t(isStopping ? 'stopped' : 'removed'))
    navigate('/import')
  })
  return (
    <div className={classes.section}>
      <Link href="/import" className={classes.back}>
        ‹ {t('back')}
      </Link>
      <div className={classes.head}>
        <h2 className={classes.title}>{shown.file_name}</h2>
        <span className={classes.quiet}>{formatBytes(shown.bytes, language)}</span>
        <Button variant="default" loading={removal.isBusy} onClick={removal.act}>
          {shown.state === 'importing' ? t('stop') : t('remove')}
        </Button>
      </div>
      {removal.failure}
    </div>
  )
}

function Body({ shown }: { shown: Import }) {
  const { t } = useTranslation('imports')
  const { state, message, report, table } = shown
  if (isRunning(shown)) return <Running shown={shown} />
  return (
    <>
      {state === 'unreadable' && (
        <div role="alert" className={classes.section}>
          <h3 className={classes.title}>{t('unreadable')}</h3>
          <p className={classes.failure}>{message}</p>
        </div>
      )}
      {state === 'interrupted' && (
        <div role="alert" className={classes.section}>
          <h3 className={classes.title}>{t('interrupted')}</h3>
          {message !== null && <p className={classes.failure}>{message}</p>}
          <p className={classes.text}>{t('interruptedText')}</p>
        </div>
      )}
      {report && <Summary shown={shown} report={report} />}
      {report && report.changed > 0 && <Changes shown={shown} />}
      {report && report.problems > 0 && <Problems shown={shown} />}
      {table && state !== 'finished' && <FirstRows table={table} />}
      {(state === 'ready' || state === 'unreadable') && shown.headers.length > 0 && <HowRead shown={shown} />}
    </>
  )
}

function Running({ shown: { state, done, report } }: { shown: Import }) {
  const { t } = useTranslation('imports')
  return (
    <div className={classes.section}>
      {state === 'importing' ? (
        <ProgressBar label={t('importing')} done={done} total={report?.rows ?? 0} />
      ) : (
        <p className={classes.text} role="status">
          {t('readingRows', { count: done })}
        </p>
      )}
      <p className={`${classes.text} ${classes.quiet}`}>{t('leave')}</p>
    </div>
  )
}
