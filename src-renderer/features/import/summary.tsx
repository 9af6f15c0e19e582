import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Import, ImportSummary } from '#shared/contract/imports'
import type { Language } from '#shared/domain/locales'
import { keepImport, runImport } from '../../api/imports'
import { usePreferences } from '../../state/preferences'
import { Amount } from '../../ui/values/amount'
import { formatCount } from '../../ui/values/format'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { DownloadReport } from './download-report'
import classes from './import.module.css'
import { useAct } from './use-act'

/** What would become of the rows, or became of them, and the button that imports them. */
export function Summary({ shown, report }: { shown: Import; report: ImportSummary }) {
  const { t } = useTranslation('imports')
  const language = usePreferences((state) => state.language)
  const isDone = shown.state === 'finished'
  const totals = Object.entries(report.total)
  const changedNotUpdated = report.changed - report.updated
  const counts = [
    ['rows', report.rows],
    [isDone ? 'imported' : 'new', report.imported],
    [isDone ? 'updated' : 'willUpdate', report.updated],
    ['changed', changedNotUpdated],
    ['same', report.skipped - changedNotUpdated],
    ['refused', report.refused],
  ] as const
  return (
    <section className={classes.section} aria-labelledby="import-summary">
      <h3 id="import-summary" className={classes.title}>
        {t(isDone ? 'result' : 'preview')}
      </h3>
      <dl className={classes.counts}>
        {counts
          .filter(([name, count]) => count > 0 || name === 'rows' || name === 'refused')
          .map(([name, count]) => (
            <div key={name}>
              <dt>{t(`count.${name}`)}</dt>
              <dd className="tabular">{formatCount(count, language)}</dd>
            </div>
          ))}
        <div>
          <dt>{t('count.total')}</dt>
          {totals.length === 0 && <dd>{t('count.none')}</dd>}
          {totals.map(([currency, amount]) => (
            <dd key={currency} className="tabular">
              <Amount amount={amount} currency={currency} />
            </dd>
          ))}
        </div>
      </dl>
      {isDone ? <Done shown={shown} report={report} /> : <ImportButton shown={shown} report={report} />}
    </section>
  )
}

function wordImport(
  t: TFunction<'imports'>,
  { state, report, language }: { state: Import['state']; report: ImportSummary; language: Language },
): string {
  const { imported, updated } = report
  if (state === 'interrupted') return t('importRest')
  if (updated === 0) return t('import', { count: imported })
  if (imported === 0) return t('importUpdate', { count: updated })
  return t('importBoth', { added: formatCount(imported, language), updated: formatCount(updated, language) })
}

function ImportButton({ shown, report }: { shown: Import; report: ImportSummary }) {
  const { t } = useTranslation('imports')
  const language = usePreferences((state) => state.language)
  const client = useQueryClient()
  const { act, isBusy, failure } = useAct(async () => keepImport(client, await runImport(shown)))
  const isNothing = report.imported + report.updated === 0 && shown.state !== 'interrupted'
  useShortcuts({ scope: 'import-ready', title: t('title') }, [
    { id: 'import', keys: 'i', label: t('key.import'), run: act, when: () => !isNothing },
  ])
  return (
    <>
      {isNothing ? (
        <p className={classes.text}>{t('nothing')}</p>
      ) : (
        <div className={classes.actions}>
          <Button onClick={act} loading={isBusy} rightSection={<KeyHint keys="i" />}>
            {wordImport(t, { state: shown.state, report, language })}
          </Button>
          {report.problems + report.changed > 0 && <DownloadReport shown={shown} />}
        </div>
      )}
      {failure}
    </>
  )
}

function Done({ shown, report }: { shown: Import; report: ImportSummary }) {
  const { t } = useTranslation('imports')
  const terms = [
    ['f', `created_at.from.${shown.started_at ?? shown.created_at}`],
    ...(shown.finished_at === null ? [] : [['f', `created_at.to.${shown.finished_at}`]]),
  ]
  const address = new URLSearchParams([['queue', 'all'], ...terms, ['sort', '-created_at']])
  return (
    <>
      <div className={classes.actions}>
        {report.imported > 0 && (
          <Button component={Link} href={`/review?${address.toString()}`}>
            {t('review')}
          </Button>
        )}
        {report.problems + report.changed > 0 && <DownloadReport shown={shown} />}
        <Button component={Link} href="/import" variant="default">
          {t('another')}
        </Button>
      </div>
      {report.imported > 0 && <p className={`${classes.text} ${classes.quiet}`}>{t('reviewHint')}</p>}
    </>
  )
}
