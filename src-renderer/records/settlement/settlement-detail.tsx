import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Advancement } from '#shared/contract/advancements'
import type { Reimbursement } from '#shared/contract/reimbursements'
import { monthOf } from '#shared/domain/closing/months'
import { may } from '#shared/domain/permissions'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useSession } from '../../api/session'
import { notifyFailure } from '../../state/notices'
import { actOnSaved } from '../../state/open-forms'
import { offerUndo } from '../../state/undo-stack'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { PaneHead } from '../../ui/panes/pane-head'
import { now } from '../../ui/values/clock'
import { Amount } from '../../ui/values/amount'
import { Instant } from '../../ui/values/instant'
import { ClosedNotice } from '../closed-notice'
import { RecordTabs, useRecordTabs } from '../conversation/record-tabs'
import { settlementAreas } from './use-record-settlement'
import classes from './settlement-detail.module.css'

/** Where the texts of each kind are, and who may do what with it. */
const kinds = {
  advancement: { texts: 'advances', read: 'advancements.read', write: 'advancements.write', destroy: 'advancements.destroy' },
  reimbursement: { texts: 'reimbursements', read: 'reimbursements.read', write: 'reimbursements.write', destroy: 'reimbursements.write' },
} as const
type Kind = keyof typeof kinds

type SettlementDetailProps = {
  kind: Kind
  settlement: Advancement | Reimbursement
  form: (onDone: () => void) => ReactNode
  facts: (onEdit: (() => void) | undefined) => ReactNode
  /** `consequences`: what the confirmation says happens with it. */
  deletion: { consequences: string; run: () => Promise<unknown> }
  closeLabel: string
  onClose: () => void
  /** The record can no longer be seen. */
  onLeft: () => void
}

/** One advancement or reimbursement: what it is, its form, its deletion, comments and trail. */
export function SettlementDetail(props: SettlementDetailProps) {
  const { kind, settlement, form, facts, deletion, closeLabel, onClose, onLeft } = props
  const { texts, read, write, destroy } = kinds[kind]
  const { t } = useTranslation(texts)
  const { data: session } = useSession()
  const { amount, currency, receiver, payer, date, description, id } = settlement
  const membership = session?.memberships.find(({ organization }) => organization.id === payer.id)
  const role = membership?.role
  const isClosed = membership?.closed_months.includes(monthOf(date)) === true
  const relation = { role, is_receiver: session?.user.id === receiver.id }
  const canEdit = may(write, relation) && !isClosed
  const canDelete = may(destroy, relation) && !isClosed
  const [isEditing, setEditing] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const tabs = useRecordTabs()
  const edit = () => {
    tabs.setTab('details')
    setEditing(true)
  }
  const remove = () => {
    setAsking(false)
    const deleting = deletion.run()
    const act = { area: settlementAreas[kind], label: t('delete.done'), at: now().toISOString(), undo: null }
    offerUndo(act, { after: deleting.then(() => true) })
    deleting.then(onClose, (error: unknown) => notifyFailure({ title: t('delete.failed'), message: failureText(error) }))
  }
  useShortcuts({ scope: kind, title: t('detail.label') }, [
    ...tabs.shortcuts,
    { id: 'edit', keys: 'e', form: `${kind}-edit`, label: t('edit.action'), run: edit, when: () => canEdit && !isEditing },
    { id: 'delete', keys: 'delete', label: t('delete.action'), run: () => setAsking(true), when: () => canDelete },
    { id: 'close', keys: 'escape', label: closeLabel, run: onClose },
  ])
  return (
    <div className={classes.pane}>
      <div className={classes.scroll}>
        <PaneHead
          title={description ?? t('detail.title', { name: receiver.name })}
          amount={<Amount amount={amount} currency={currency} />}
          onClose={onClose}
        >
          <span>{receiver.name}</span>
          <Instant value={date} />
          <span className="tabular">#{id}</span>
        </PaneHead>
        <RecordTabs
          state={tabs}
          record={{ ...settlement, kind }}
          viewer={{ user_id: session?.user.id, role, keepsSeeing: may(read, relation) }}
          onLeft={onLeft}
        >
          {isClosed && (
            <div className={classes.closed} role="note">
              <ClosedNotice organizationId={payer.id} month={monthOf(date)} />
            </div>
          )}
          {isEditing ? form(() => setEditing(false)) : facts(canEdit ? edit : undefined)}
          {canDelete && !isEditing && (
            <Button variant="subtle" color="red" onClick={() => actOnSaved(t('delete.action'), () => setAsking(true))}>
              {t('delete.action')}
            </Button>
          )}
        </RecordTabs>
      </div>
      {isAsking && (
        <ConfirmSheet
          title={t('delete.title')}
          confirmLabel={t('delete.action')}
          isDanger
          onConfirm={remove}
          onCancel={() => setAsking(false)}
        >
          <p className={classes.consequences}>{deletion.consequences}</p>
        </ConfirmSheet>
      )}
    </div>
  )
}

type NoSettlementProps = { kind: Kind; error: Error | null; onRetry: () => void; onClose: () => void }

/** The detail of an advancement or reimbursement that is not read yet, or cannot be. */
export function NoSettlement({ kind, error, onRetry, onClose }: NoSettlementProps) {
  const { t } = useTranslation(kinds[kind].texts)
  if (error instanceof ApiError && error.status === 404)
    return <EmptyState sentence={t('detail.notFound')} action={{ label: t('close'), run: onClose }} />
  if (error) return <ErrorState happened={t('detail.error')} kept={failureText(error)} onRetry={onRetry} error={error} />
  return <SkeletonRows count={8} />
}
