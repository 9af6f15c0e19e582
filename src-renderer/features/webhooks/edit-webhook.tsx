import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Webhook } from '#shared/contract/webhooks'
import { updateWebhook } from '../../api/webhooks'
import { SidePanel } from '../../ui/panes/side-panel'
import { notifyDone } from '../../state/notices'
import { SecretOnce } from './secret-once'
import { WebhookForm } from './webhook-form'

/** What the pane is given. */
export type EditWebhookProps = { organizationId: number; webhook: Webhook; onClose: () => void }

/** Changes what a webhook is for, or its secret, which is then shown for the one time that it can be seen. */
export function EditWebhook({ organizationId, webhook, onClose }: EditWebhookProps) {
  const { t } = useTranslation('webhooks')
  const [secret, setSecret] = useState<string | null>(null)
  if (secret !== null)
    return (
      <SidePanel title={t('edit.replaced')} onClose={onClose}>
        <SecretOnce secret={secret} doneLabel={t('secret.done')} onDone={onClose} />
      </SidePanel>
    )
  return (
    <SidePanel title={t('edit.title')} onClose={onClose}>
      <WebhookForm
        organizationId={organizationId}
        webhook={webhook}
        send={({ description, secret: wanted }) => updateWebhook(organizationId, webhook, { description, secret: wanted })}
        onStored={(stored, sent) => {
          if (sent.secret !== undefined) return setSecret(stored.secret)
          notifyDone(t('edit.saved'))
          onClose()
        }}
        onCancel={onClose}
      />
    </SidePanel>
  )
}
