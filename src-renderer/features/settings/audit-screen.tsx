import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AuditStatus, auditRoutes } from '#shared/contract/instance/audit'
import { may } from '#shared/domain/permissions'
import { call } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useMembership } from '../../state/membership'
import { usePreferences } from '../../state/preferences'
import { EmptyState } from '../../ui/feedback/empty-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { formatCount } from '../../ui/values/format'
import { ProgressBar } from '../../ui/feedback/progress-bar'
import { Instant } from '../../ui/values/instant'
import { ExportAct } from '../../records/export/export-act'
import { Section, SectionColumn } from './section'
import { type Found, useVerification } from './use-verification'
import classes from './settings.module.css'

/** The sealed audit trail of the organization, for its admins. */
export function AuditScreen() {
  const { t } = useTranslation('settings')
  const membership = useMembership()
  const isTheirs = membership !== undefined && may('audit.read', membership)
  return (
    <SectionColumn>
      {isTheirs ? (
        <Trail key={membership.organization.id} organizationId={membership.organization.id} />
      ) : (
        <EmptyState sentence={t('notYours')} />
      )}
    </SectionColumn>
  )
}

/** Its last seal, its verification, and the pack for an auditor. */
function Trail({ organizationId }: { organizationId: number }) {
  const { t } = useTranslation('audit')
  const params = { organization_id: organizationId }
  const { data, error, refetch } = useQuery({
    queryKey: ['audit', 'status', organizationId],
    queryFn: ({ signal }) => call(auditRoutes.show, { params, signal }),
  })
  return (
    <Section id="audit" title={t('section.title')}>
      <p className={classes.quiet}>{t('section.text')}</p>
      {!data && !error && <SkeletonRows count={4} />}
      {!data && error && (
        <div className={classes.row}>
          <p className={classes.failure} role="alert">
            {failureText(error)}
          </p>
          <Button variant="default" onClick={() => void refetch()}>
            {t('section.again')}
          </Button>
        </div>
      )}
      {data && <Seals status={data} />}
      {data && !data.is_replica && data.last && <Verification organizationId={organizationId} />}
      {data && <Period organizationId={organizationId} hasPack={data.pack_url !== null} />}
    </Section>
  )
}

function Seals({ status: { last, sealed, waiting, public_key, is_replica, fork } }: { status: AuditStatus }) {
  const { t } = useTranslation('audit')
  const language = usePreferences((state) => state.language)
  if (!last) return <p>{is_replica ? t('section.noneSeen') : t('section.none', { count: waiting })}</p>
  return (
    <>
      {fork && (
        <p className={classes.failure} role="alert">
          {t(`fork.${fork.kind}`, { number: fork.number })} <Instant value={fork.noticed_at} show="moment" />
        </p>
      )}
      <dl className={classes.facts}>
        <dt>{is_replica ? t('section.lastSeen') : t('section.last')}</dt>
        <dd>
          {t('section.number', { number: formatCount(last.number, language) })} <Instant value={last.sealed_at} show="moment" />
        </dd>
        <dt>{t('section.sealed')}</dt>
        <dd className="tabular">
          {formatCount(sealed, language)}
          {waiting > 0 && ` · ${t('section.waiting', { count: waiting })}`}
        </dd>
        <dt>{t('section.head')}</dt>
        <dd>
          <code className={classes.hash}>{last.head}</code>
        </dd>
        <dt>{t('section.key')}</dt>
        <dd>
          <code className={classes.hash}>{public_key}</code>
        </dd>
      </dl>
    </>
  )
}

/** Verifies when asked: it reads the whole trail and every file. */
function Verification({ organizationId }: { organizationId: number }) {
  const { t } = useTranslation('audit')
  const { found, isRunning, isSlow, error, begin, stop } = useVerification(organizationId)
  return (
    <div aria-live="polite">
      <div className={classes.row}>
        <Button variant="default" loading={isRunning} onClick={begin}>
          {t('section.verify')}
        </Button>
        {found && !isRunning && !error && <Outcome found={found} />}
      </div>
      {isSlow && found && <ProgressBar label={t('section.verifying')} done={found.checked} total={found.total} onStop={stop} />}
      {error && (
        <p className={classes.failure} role="alert">
          {failureText(error)}
        </p>
      )}
      {found && found.problems.length > 0 && (
        <ul className={classes.problems}>
          {found.problems.slice(0, 20).map(({ code, number, activity_id, message }) => (
            <li key={`${code} ${number ?? ''} ${activity_id ?? ''} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Outcome({ found: { problems, entries, files, erased, checked, total, isStopped } }: { found: Found }) {
  const { t } = useTranslation('audit')
  const language = usePreferences((state) => state.language)
  if (problems.length > 0) return <strong role="alert">{t('section.wrong', { count: problems.length })}</strong>
  if (isStopped) return <span>{t('section.stopped', { done: formatCount(checked, language), total: formatCount(total, language) })}</span>
  return (
    <span>
      {t('section.right', { entries: formatCount(entries, language), files: formatCount(files, language) })}
      {erased > 0 && ` ${t('section.erased', { count: erased })}`}
    </span>
  )
}

/** The trail of a period, as the auditor's pack where entries are sealed, and as a table; empty days are no limit. */
function Period({ organizationId, hasPack }: { organizationId: number; hasPack: boolean }) {
  const { t } = useTranslation('audit')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const isReversed = from !== '' && to !== '' && to < from
  const filter = { ...(from && { created_at_gteq: `${from}T00:00:00Z` }), ...(to && { created_at_lteq: `${to}T23:59:59Z` }) }
  return (
    <>
      <div className={classes.fieldRow}>
        <TextInput
          type="date"
          label={t('section.from')}
          value={from}
          max={to || undefined}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={t('section.to')}
          value={to}
          min={from || undefined}
          error={isReversed && t('ui:fieldError.ends_before_start')}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        {hasPack && !isReversed && <PackLink organizationId={organizationId} period={{ ...(from && { from }), ...(to && { to }) }} />}
        {!isReversed && (
          <div className={classes.atField}>
            <ExportAct list={{ of: ['activities'], organizationId, filter, count: undefined }} />
          </div>
        )}
      </div>
      {hasPack && <p className={classes.quiet}>{t('section.packText')}</p>}
    </>
  )
}

function PackLink({ organizationId, period }: { organizationId: number; period: { from?: string; to?: string } }) {
  const { t } = useTranslation('audit')
  const { data, error } = useQuery({
    queryKey: ['audit', organizationId, 'pack', period],
    queryFn: ({ signal }) => call(auditRoutes.show, { params: { organization_id: organizationId }, query: period, signal }),
  })
  const url = data?.pack_url
  return (
    <>
      <Button
        component="a"
        className={classes.atField}
        variant="default"
        download
        href={url ?? undefined}
        data-disabled={!url || undefined}
        aria-disabled={!url || undefined}
      >
        {t('section.pack')}
      </Button>
      {error && (
        <p className={classes.failure} role="alert">
          {failureText(error)}
        </p>
      )}
    </>
  )
}
