import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Reimbursement } from '#shared/contract/reimbursements'
import { may } from '#shared/domain/permissions'
import { actOnSaved } from '../../state/open-forms'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useDeleteReimbursement, useReimbursement } from '../../api/reimbursements'
import { useSession } from '../../api/session'
import { Amount } from '../../ui/values/amount'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { Instant } from '../../ui/values/instant'
import { PaneHead } from '../../ui/panes/pane-head'
import { RecordTabs, useRecordTabs } from '../../records/conversation/record-tabs'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { notifyDone, notifyFailure } from '../../state/notices'
import { ReimbursementFacts } from './reimbursement-facts'
import { ReimbursementForm } from './reimbursement-form'
import classes from './reimbursements.module.css'

/** One reimbursement: what was paid, the expenses that it paid, comments and trail. */
export function ReimbursementDetail({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation('reimbursements')
  const { data, error, refetch } = useReimbursement(id)
  if (data) return <LoadedReimbursement reimbursement={data} onClose={onClose} />
  if (error instanceof ApiError && error.status === 404)
    return <EmptyState sentence={t('detail.notFound')} action={{ label: t('close'), run: onClose }} />
  if (error)
    return <ErrorState happened={t('detail.error')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  return <SkeletonRows count={8} />
}

function LoadedReimbursement({ reimbursement, onClose }: { reimbursement: Reimbursement; onClose: () => void }) {
  const { t } = useTranslation('reimbursements')
  const { data: session } = useSession()
  const role = session?.memberships.find(({ organization }) => organization.id === reimbursement.payer.id)?.role
  const isReceiver = session?.user.id === reimbursement.receiver.id
  const canWrite = may('reimbursements.write', { role })
  const [isEditing, setEditing] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const tabs = useRecordTabs()
  const edit = () => {
    tabs.setTab('details')
    setEditing(true)
  }
  useShortcuts({ scope: 'reimbursement', title: t('detail.label') }, [
    ...tabs.shortcuts,
    { id: 'edit', keys: 'e', label: t('edit.action'), run: edit, when: () => canWrite && !isEditing },
    { id: 'delete', keys: 'delete', label: t('delete.action'), run: () => setAsking(true), when: () => canWrite },
    { id: 'close', keys: 'escape', label: t('close'), run: onClose },
  ])
  const { amount, currency, receiver, date, id } = reimbursement
  return (
    <div className={classes.pane}>
      <div className={classes.facts}>
        <PaneHead
          title={reimbursement.description ?? t('detail.title', { name: receiver.name })}
          amount={<Amount amount={amount} currency={currency} />}
          onClose={onClose}
        >
          <span>{receiver.name}</span>
          <Instant value={date} />
          <span className="tabular">#{id}</span>
        </PaneHead>
        <RecordTabs
          state={tabs}
          record={{ ...reimbursement, kind: 'reimbursement' }}
          viewer={{
            user_id: session?.user.id,
            role,
            keepsSeeing: may('reimbursements.read', { role, is_receiver: isReceiver }),
          }}
          onLeft={onClose}
        >
          {isEditing ? (
            <ReimbursementForm reimbursement={reimbursement} onDone={() => setEditing(false)} />
          ) : (
            <ReimbursementFacts reimbursement={reimbursement} onEdit={canWrite ? edit : undefined} />
          )}
          {canWrite && !isEditing && (
            <Button variant="subtle" color="red" onClick={() => actOnSaved(t('delete.action'), () => setAsking(true))}>
              {t('delete.action')}
            </Button>
          )}
        </RecordTabs>
      </div>
      {isAsking && <DeleteSheet reimbursement={reimbursement} onClose={onClose} onCancel={() => setAsking(false)} />}
    </div>
  )
}

type DeleteSheetProps = { reimbursement: Reimbursement; onClose: () => void; onCancel: () => void }

function DeleteSheet({ reimbursement, onClose, onCancel }: DeleteSheetProps) {
  const { t } = useTranslation('reimbursements')
  const { mutateAsync: remove } = useDeleteReimbursement()
  const count = reimbursement.expenses.length
  const confirm = () => {
    onCancel()
    void remove(reimbursement).then(
      () => {
        notifyDone(t('delete.done'))
        onClose()
      },
      (error: unknown) => notifyFailure({ title: t('delete.failed'), message: failureText(error) }),
    )
  }
  return (
    <ConfirmSheet title={t('delete.title')} confirmLabel={t('delete.action')} isDanger onConfirm={confirm} onCancel={onCancel}>
      <p className={classes.sheetText}>{count === 0 ? t('delete.plain') : t('delete.expenses', { count })}</p>
    </ConfirmSheet>
  )
}
