import { Button, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { Handover } from '#shared/contract/instance/handovers'
import { isWaitedFor } from '../../api/exports/exports'
import { beginHandover, rereadHandovers, useHandover, useHandoverChanges } from '../../api/exports/handovers'
import { failureText } from '../../api/failure-text'
import { useLeftOutText } from '../../records/export/booked-note'
import { cancelHandover } from '../../records/export/cancel-handover'
import { WrittenFile } from '../../records/export/written-file'
import { Attempts } from '../../state/attempts'
import { usePreferences } from '../../state/preferences'
import { type Money, formatCount, formatMoney } from '../../ui/values/format'
import { Instant } from '../../ui/values/instant'
import classes from './handovers.module.css'

type HandoverDetailProps = { handover: Handover; organizationId: number; canHandOver: boolean }

/** A handover, what has changed since, and handing that over. */
export function HandoverDetail({ handover, organizationId, canHandOver }: HandoverDetailProps) {
  const { t } = useTranslation('handovers')
  const language = usePreferences((state) => state.language)
  const [isSending, setSending] = useState(false)
  const left = useLeftOutText()(handover.left_out)
  const { user, created_at, done, format, file_name, sha256, corrects, url, title } = handover
  return (
    <div className={classes.detail}>
      <dl className={classes.facts}>
        <dt>{t('column.made')}</dt>
        <dd>
          <Instant value={created_at} show="moment" />
        </dd>
        {title !== null && (
          <>
            <dt>{t('column.what')}</dt>
            <dd>{title}</dd>
          </>
        )}
        <dt>{t('column.by')}</dt>
        <dd>{user.name}</dd>
        <dt>{t('column.count')}</dt>
        <dd>{[formatCount(done, language), ...(left === null ? [] : [left])].join(' · ')}</dd>
        <dt>{t('column.format')}</dt>
        <dd>{t(`exports:formats.${format}`)}</dd>
        <dt>{t('detail.file')}</dt>
        <dd>{url === null ? file_name : <a href={url}>{file_name}</a>}</dd>
        <dt>{t('detail.hash')}</dt>
        <dd className={classes.hash}>{sha256}</dd>
        {corrects !== null && (
          <>
            <dt>{t('detail.corrects')}</dt>
            <dd>
              <Link href={`/handovers/${corrects}`}>{t('detail.openCorrected')}</Link>
            </dd>
          </>
        )}
      </dl>
      <Changes id={handover.id} organizationId={organizationId} onSend={canHandOver ? () => setSending(true) : undefined} />
      {isSending && <CorrectionSheet handover={handover} organizationId={organizationId} onClose={() => setSending(false)} />}
    </div>
  )
}

function Changes({ id, organizationId, onSend }: { id: string; organizationId: number; onSend: (() => void) | undefined }) {
  const { t } = useTranslation('handovers')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const money = (value: Money | null) => (value === null ? t('changes.nothing') : formatMoney(value, { language, display }))
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useHandoverChanges({ organization_id: organizationId, id })
  if (error) return <p role="alert">{failureText(error)}</p>
  if (!data) return <p className={classes.quiet}>{t('changes.reading')}</p>
  if (data.length === 0) return <p className={classes.quiet}>{t('changes.none')}</p>
  const count = { count: data.length, more: hasNextPage ? '+' : '' }
  return (
    <section aria-label={t('changes.title')}>
      <h3 className={classes.heading}>{t('changes.count', count)}</h3>
      <ul className={classes.changes}>
        {data.map(({ expense_id, description, change, booked, now }) => (
          <li key={expense_id}>
            {change === 'deleted' ? (
              t('changes.deleted', { id: expense_id })
            ) : (
              <Link href={`/expenses/${expense_id}`}>{t('changes.changed', { id: expense_id })}</Link>
            )}{' '}
            {description !== null && <>{description} </>}
            <span className={classes.quiet}>{t('changes.booked', { booked: money(booked), now: money(now) })}</span>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
      {onSend && <Button onClick={onSend}>{t('changes.handOver')}</Button>}
    </section>
  )
}

function CorrectionSheet({
  handover: { id: corrects, format, title },
  organizationId: organization_id,
  onClose,
}: {
  handover: Handover
  organizationId: number
  onClose: () => void
}) {
  const { t } = useTranslation('handovers')
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [id, setId] = useState<string | null>(null)
  const [attempts] = useState(() => new Attempts<Handover>())
  const [state, setState] = useState<{ isBusy: boolean; failure: string | null }>({ isBusy: false, failure: null })
  const { data, error } = useHandover(id === null ? null : { organization_id, id })
  const begin = async () => {
    setState({ isBusy: true, failure: null })
    try {
      const body = { format, corrects, ...(title !== null && { title }) }
      const made = await attempts.run(body, (idempotencyKey) => beginHandover(client, organization_id, { body, idempotencyKey }))
      setId(made.id)
      setState({ isBusy: false, failure: null })
    } catch (failure) {
      setState({ isBusy: false, failure: failureText(failure) })
    }
  }
  const close = () => {
    if (id !== null && data && isWaitedFor(data)) void cancelHandover({ organization_id, id }, t('changes.handOver'))
    void rereadHandovers(client, organization_id)
    onClose()
  }
  return (
    <Modal opened title={t('changes.handOver')} onClose={close} closeButtonProps={{ 'aria-label': t('exports:close') }}>
      {id !== null && data ? (
        <WrittenFile
          made={data}
          failure={error ? failureText(error) : null}
          again={t('changes.show')}
          of="handover"
          onAgain={() => {
            close()
            navigate(`/handovers/${id}`)
          }}
          onClose={close}
        />
      ) : (
        <>
          <p>{t('changes.about', { format: t(`exports:formats.${format}`) })}</p>
          {state.failure !== null && <p role="alert">{state.failure}</p>}
          <div className={classes.acts}>
            <Button variant="default" onClick={close}>
              {t('exports:cancel')}
            </Button>
            <Button loading={state.isBusy} data-autofocus onClick={() => void begin()}>
              {t('exports:handOver.begin')}
            </Button>
          </div>
        </>
      )}
    </Modal>
  )
}
