import { Button, TextInput } from '@mantine/core'
import { Lock, LockOpen } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { ClosingRepresentation } from '#shared/contract/organization-records/closings'
import { failureText } from '../../api/failure-text'
import { useClosingWrite } from '../../records/closings'
import { notifyDone } from '../../state/notices'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { DraftForm } from '../../ui/form/draft-form'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { KeyHint } from '../../ui/keys/key-hint'
import { Amount } from '../../ui/values/amount'
import { FactList } from '../../ui/values/fact-list'
import { Instant } from '../../ui/values/instant'
import { type MonthRow, doneStatuses } from './month-rows'
import classes from './closings.module.css'

type MonthPanelProps = { row: MonthRow; organizationId: number; canWrite: boolean }

/** A month: what belongs to it, what is still open in it, who closed it, and the way to close or reopen it. */
export function MonthPanel({ row, organizationId, canWrite }: MonthPanelProps) {
  const { t } = useTranslation('closings')
  const { closing, reopened, totals, open, count } = row
  return (
    <div className={classes.panel}>
      <FactList
        facts={[
          { label: t('column.count'), value: <Link href={reviewOf(row)}>{t('detail.expenses', { count })}</Link> },
          { label: t('column.totals'), value: <Totals totals={totals} /> },
        ]}
      />
      {closing && (
        <p className={classes.note}>
          <Lock size={14} aria-hidden /> {t('detail.closedBy', { person: closing.user.name })}{' '}
          <Instant value={closing.created_at} show="moment" />. {t('detail.closedMeans')}
        </p>
      )}
      {open > 0 && (
        <p className={classes.warning} role="note">
          {t(closing ? 'detail.openClosed' : 'detail.open', { count: open })}{' '}
          <Link href={reviewOf(row, 'open')}>{t('detail.showOpen', { count: open })}</Link>
        </p>
      )}
      {!canWrite ? (
        <p className={classes.quiet}>{t('detail.readOnly')}</p>
      ) : closing ? (
        <ReopenForm key={closing.id} row={row} closing={closing} organizationId={organizationId} />
      ) : (
        <CloseMonth row={row} organizationId={organizationId} />
      )}
      <History reopened={reopened} />
    </div>
  )
}

function Totals({ totals }: { totals: MonthRow['totals'] }) {
  if (totals.length === 0) return '–'
  return totals.map((money) => (
    <div key={money.currency}>
      <Amount {...money} />
    </div>
  ))
}

/** The address in Review of what belongs to a month; `open`: only what is not done. */
function reviewOf({ month }: MonthRow, which?: 'open'): string {
  const terms = [`booked_month.is.${month}`, ...(which ? doneStatuses.map((status) => `status.is_not.${status}`) : [])]
  return `/review?${new URLSearchParams([['queue', 'all'], ...terms.map((term) => ['f', term])]).toString()}`
}

function CloseMonth({ row: { name, month, open, openTotals }, organizationId }: Omit<MonthPanelProps, 'canWrite'>) {
  const { t } = useTranslation('closings')
  const write = useClosingWrite(organizationId)
  const [isAsked, setAsked] = useState(false)
  const ask = () => (open > 0 ? setAsked(true) : close())
  const close = () => {
    setAsked(false)
    if (!write.isPending) write.mutate({ kind: 'create', fields: { name: month } }, { onSuccess: () => notifyDone(t('closed', { name })) })
  }
  useShortcuts({ scope: 'closing', title: t('title') }, [{ id: 'close', keys: 'c', label: t('detail.closeKey'), run: ask }])
  return (
    <div>
      <p className={classes.quiet}>{t('detail.closing')}</p>
      <Button leftSection={<Lock size={14} aria-hidden />} rightSection={<KeyHint keys="c" />} onClick={ask} loading={write.isPending}>
        {t('detail.close', { name })}
      </Button>
      <Failure error={write.error} />
      {isAsked && (
        <ConfirmSheet
          title={t('detail.ask', { name, count: open })}
          confirmLabel={t('detail.close', { name })}
          onConfirm={close}
          onCancel={() => setAsked(false)}
        >
          <p className={classes.note}>{t('detail.open', { count: open })}</p>
          <Totals totals={openTotals} />
        </ConfirmSheet>
      )}
    </div>
  )
}

type ReopenFormProps = Omit<MonthPanelProps, 'canWrite'> & { closing: ClosingRepresentation }

function ReopenForm({ row: { name }, closing, organizationId }: ReopenFormProps) {
  const { t } = useTranslation('closings')
  const draft = useFormDraft({ form: 'closing-reopen', record: closing.id, stored: { reason: '' } })
  const reopening = draft.value.reason.trim()
  const [isAsked, setAsked] = useState(false)
  const write = useClosingWrite(organizationId)
  const submit = () => {
    setAsked(true)
    if (reopening === '' || write.isPending) return
    const onSuccess = () => {
      draft.done()
      notifyDone(t('reopened', { name }))
    }
    write.mutate({ kind: 'change', record: closing, fields: { name: closing.name, reopening } }, { onSuccess })
  }
  return (
    <DraftForm draft={draft} words={{ name: () => t('detail.reason'), value: () => undefined }} className={classes.form} onSubmit={submit}>
      <TextInput
        label={t('detail.reason')}
        description={t('detail.reasonHint')}
        value={draft.value.reason}
        maxLength={500}
        onChange={(event) => draft.change({ reason: event.currentTarget.value })}
        error={isAsked && reopening === '' ? t('detail.needsReason') : undefined}
      />
      <Button
        type="submit"
        variant="default"
        className={classes.act}
        leftSection={<LockOpen size={14} aria-hidden />}
        loading={write.isPending}
      >
        {t('detail.reopen', { name })}
      </Button>
      <Failure error={write.error} />
    </DraftForm>
  )
}

function Failure({ error }: { error: Error | null }) {
  if (!error) return null
  return (
    <p className={classes.failure} role="alert">
      {failureText(error)}
    </p>
  )
}

function History({ reopened }: { reopened: readonly ClosingRepresentation[] }) {
  const { t } = useTranslation('closings')
  if (reopened.length === 0) return null
  return (
    <section>
      <h3 className={classes.heading}>{t('detail.history')}</h3>
      <ul className={classes.history}>
        {reopened.map(({ id, reopening, updated_at, user }) => (
          <li key={id}>
            <Instant value={updated_at} show="moment" /> · {reopening}
            <div className={classes.quiet}>{t('detail.wasClosedBy', { person: user.name })}</div>
          </li>
        ))}
      </ul>
    </section>
  )
}
