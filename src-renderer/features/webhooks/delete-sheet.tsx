import { useTranslation } from 'react-i18next'
import type { Webhook } from '#shared/contract/webhooks'
import { failureText } from '../../api/failure-text'
import { deleteWebhook } from '../../api/webhooks'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { notifyDone, notifyFailure } from '../../state/notices'
import classes from './webhooks.module.css'

/** What the sheet is given. */
export type DeleteSheetProps = { organizationId: number; webhook: Webhook; onDone: () => void; onCancel: () => void }

/** Asks before a webhook is deleted. */
export function DeleteSheet({ organizationId, webhook, onDone, onCancel }: DeleteSheetProps) {
  const { t } = useTranslation('webhooks')
  const remove = async () => {
    onCancel()
    try {
      await deleteWebhook(organizationId, webhook)
      notifyDone(t('delete.done'))
      onDone()
    } catch (error) {
      notifyFailure({ title: t('delete.failed'), message: failureText(error) })
    }
  }
  return (
    <ConfirmSheet
      title={t('delete.title', { url: webhook.url })}
      confirmLabel={t('delete.action')}
      isDanger
      onConfirm={() => void remove()}
      onCancel={onCancel}
    >
      <p className={classes.text}>{t('delete.text')}</p>
    </ConfirmSheet>
  )
}
