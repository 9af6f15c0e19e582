import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Advancement } from '#shared/contract/advancements'
import { may } from '#shared/domain/permissions'
import { actOnSaved } from '../../state/open-forms'
import { type AccountKey, useAdvancement, useDeleteAdvancement } from '../../api/advancements'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useSession } from '../../api/session'
import { usePreferences } from '../../state/preferences'
import { Amount } from '../../ui/values/amount'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { formatMoney } from '../../ui/values/format'
import { Instant } from '../../ui/values/instant'
import { PaneHead } from '../../ui/panes/pane-head'
import { RecordTabs, useRecordTabs } from '../../records/conversation/record-tabs'
import { SettlementFacts } from '../../records/settlement/settlement-facts'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { notifyDone, notifyFailure } from '../../state/notices'
import { AdvancementForm } from './advancement-form'
import classes from './advances.module.css'

/** Leaves the detail: for the account that the advancement is of, when it is known. */
type Close = (account: AccountKey | undefined) => void

/** One advancement: what was handed out, comments and trail. Closing it leads to its ledger. */
export function AdvancementDetail({ id, onClose }: { id: number; onClose: Close }) {
  const { t } = useTranslation('advances')
  const { data, error, refetch } = useAdvancement(id)
  if (data) return <LoadedAdvancement advancement={data} onClose={onClose} />
  if (error instanceof ApiError && error.status === 404)
    return <EmptyState sentence={t('detail.notFound')} action={{ label: t('close'), run: () => onClose(undefined) }} />
  if (error)
    return <ErrorState happened={t('detail.error')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  return <SkeletonRows count={8} />
}

function LoadedAdvancement({ advancement, onClose }: { advancement: Advancement; onClose: Close }) {
  const { t } = useTranslation('advances')
  const { data: session } = useSession()
  const { amount, currency, receiver, payer, date, id } = advancement
  const role = session?.memberships.find(({ organization }) => organization.id === payer.id)?.role
  const relation = { role, is_receiver: session?.user.id === receiver.id }
  const canEdit = may('advancements.write', relation)
  const canDelete = may('advancements.destroy', relation)
  const [isEditing, setEditing] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const tabs = useRecordTabs()
  const close = () => onClose({ payer_id: payer.id, receiver_id: receiver.id, currency })
  const edit = () => {
    tabs.setTab('details')
    setEditing(true)
  }
  useShortcuts({ scope: 'advancement', title: t('detail.label') }, [
    ...tabs.shortcuts,
    { id: 'edit', keys: 'e', label: t('edit.action'), run: edit, when: () => canEdit && !isEditing },
    { id: 'delete', keys: 'delete', label: t('delete.action'), run: () => setAsking(true), when: () => canDelete },
    { id: 'close', keys: 'escape', label: t('detail.toLedger'), run: close },
  ])
  return (
    <div className={classes.pane}>
      <div className={classes.scroll}>
        <PaneHead
          title={advancement.description ?? t('detail.title', { name: receiver.name })}
          amount={<Amount amount={amount} currency={currency} />}
          onClose={close}
        >
          <span>{receiver.name}</span>
          <Instant value={date} />
          <span className="tabular">#{id}</span>
        </PaneHead>
        <RecordTabs
          state={tabs}
          record={{ ...advancement, kind: 'advancement' }}
          viewer={{ user_id: session?.user.id, role, keepsSeeing: may('advancements.read', relation) }}
          onLeft={() => onClose(undefined)}
        >
          {isEditing ? (
            <AdvancementForm advancement={advancement} onDone={() => setEditing(false)} />
          ) : (
            <SettlementFacts form="advancement-edit" settlement={advancement} onEdit={canEdit ? edit : undefined} />
          )}
          {canDelete && !isEditing && (
            <Button variant="subtle" color="red" onClick={() => actOnSaved(t('delete.action'), () => setAsking(true))}>
              {t('delete.action')}
            </Button>
          )}
        </RecordTabs>
      </div>
      {isAsking && <DeleteSheet advancement={advancement} onClose={close} onCancel={() => setAsking(false)} />}
    </div>
  )
}

type DeleteSheetProps = { advancement: Advancement; onClose: () => void; onCancel: () => void }

function DeleteSheet({ advancement, onClose, onCancel }: DeleteSheetProps) {
  const { t } = useTranslation('advances')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const { mutateAsync: remove } = useDeleteAdvancement()
  const confirm = () => {
    onCancel()
    void remove(advancement).then(
      () => {
        notifyDone(t('delete.done'))
        onClose()
      },
      (error: unknown) => notifyFailure({ title: t('delete.failed'), message: failureText(error) }),
    )
  }
  return (
    <ConfirmSheet title={t('delete.title')} confirmLabel={t('delete.action')} isDanger onConfirm={confirm} onCancel={onCancel}>
      <p className={classes.sheetText}>
        {t('delete.text', { name: advancement.receiver.name, amount: formatMoney(advancement, { language, display }) })}
      </p>
    </ConfirmSheet>
  )
}
