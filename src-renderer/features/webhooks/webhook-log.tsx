import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Webhook } from '#shared/contract/webhooks'
import { KeptEditNotice } from '../../ui/form/draft-notice'
import { EmptyState } from '../../ui/feedback/empty-state'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SidePanel } from '../../ui/panes/side-panel'
import { SplitPane } from '../../ui/panes/split-pane'
import { useGridFocus } from '../../ui/grid/use-grid-focus'
import { DeleteSheet } from './delete-sheet'
import { DeliveryDetail } from './delivery-detail'
import { DeliveryGrid } from './delivery-grid'
import { EditWebhook } from './edit-webhook'
import { useDeliveryLog } from './use-delivery-log'
import { WebhookBar } from './webhook-bar'
import classes from './webhooks.module.css'

/** What the log is given. `webhook` is absent when there is none by that address. */
export type WebhookLogProps = { organizationId: number; canWrite: boolean; webhook: Webhook | undefined }

/** One webhook and what was sent to it. */
export function WebhookLog({ webhook, ...rest }: WebhookLogProps) {
  const { t } = useTranslation('webhooks')
  const [, navigate] = useLocation()
  if (webhook) return <LoadedLog {...rest} webhook={webhook} />
  return <EmptyState sentence={t('gone')} action={{ label: t('back'), run: () => navigate('/webhooks') }} />
}

function LoadedLog({ organizationId, canWrite, webhook }: WebhookLogProps & { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const [, navigate] = useLocation()
  const [task, setTask] = useState<'none' | 'edit' | 'delete'>('none')
  const log = useDeliveryLog({ organization_id: organizationId, webhook_id: webhook.id })
  const { rows, focusIndex, opened, openId } = log
  const { ref: gridRef, focus: focusGrid } = useGridFocus((rows.count ?? 0) > 0)
  const current = opened ?? (openId === null ? rows.getRow(focusIndex) : undefined)
  const isResendable = canWrite && current !== undefined && current.state !== 'waiting'
  const edit = () => setTask('edit')
  const remove = () => setTask('delete')
  const back = () => navigate('/webhooks')
  const close = () => {
    setTask('none')
    log.close()
    focusGrid()
  }
  useShortcuts({ scope: 'webhook', title: t('log.title') }, [
    {
      id: 'redeliver',
      keys: 'r',
      label: t('delivery.redeliver'),
      run: () => void log.redeliver(current),
      when: () => isResendable && task === 'none',
    },
    { id: 'refresh', keys: 'f', label: t('log.refresh'), run: log.refresh },
    ...(canWrite
      ? [
          { id: 'edit', keys: 'e', label: t('edit.title'), run: edit },
          { id: 'delete', keys: 'delete', label: t('delete.action'), run: remove },
        ]
      : []),
    { id: 'back', keys: 'escape', label: t('back'), run: back, when: () => task === 'none' && openId === null },
  ])
  return (
    <div className={classes.screen}>
      <SplitPane
        paneId="webhook"
        detailLabel={t(task === 'edit' ? 'edit.title' : 'delivery.title')}
        list={
          <>
            <WebhookBar webhook={webhook} onRefresh={log.refresh} onEdit={canWrite ? edit : undefined} onDelete={remove} />
            {canWrite && task !== 'edit' && <KeptEditNotice form="webhook-edit" record={webhook.id} onResume={edit} />}
            <div ref={gridRef} className={classes.rows}>
              <DeliveryGrid rows={rows} focusIndex={focusIndex} onFocusIndex={log.move} onOpen={log.open} />
            </div>
          </>
        }
        detail={
          task === 'edit' ? (
            <EditWebhook organizationId={organizationId} webhook={webhook} onClose={close} />
          ) : openId !== null && rows.count !== undefined ? (
            <SidePanel title={opened ? t(`event.${opened.event}`) : t('delivery.title')} onClose={close}>
              {opened ? (
                <DeliveryDetail
                  delivery={opened}
                  isSending={log.isSending}
                  onRedeliver={isResendable ? () => void log.redeliver(opened) : undefined}
                />
              ) : (
                <p className={classes.text}>{t('delivery.gone')}</p>
              )}
            </SidePanel>
          ) : undefined
        }
      />
      {task === 'delete' && (
        <DeleteSheet organizationId={organizationId} webhook={webhook} onDone={back} onCancel={() => setTask('none')} />
      )}
    </div>
  )
}
