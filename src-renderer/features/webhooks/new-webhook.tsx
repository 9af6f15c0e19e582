import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Webhook } from '#shared/contract/webhooks'
import { createWebhook, type WebhookWithSecret } from '../../api/webhooks'
import { SidePanel } from '../../ui/panes/side-panel'
import { SecretOnce } from './secret-once'
import { WebhookForm } from './webhook-form'

/** What the pane is given. `onDone`: the secret was seen. */
export type NewWebhookProps = { organizationId: number; onDone: (webhook: Webhook) => void; onClose: () => void }

/** Names an address, then shows its secret for the one time that it can be seen. */
export function NewWebhook({ organizationId, onDone, onClose }: NewWebhookProps) {
  const { t } = useTranslation('webhooks')
  const [made, setMade] = useState<WebhookWithSecret | null>(null)
  if (made)
    return (
      <SidePanel title={t('new.made')} onClose={() => onDone(made)}>
        <SecretOnce secret={made.secret} doneLabel={t('secret.toLog')} onDone={() => onDone(made)} />
      </SidePanel>
    )
  return (
    <SidePanel title={t('new.title')} onClose={onClose}>
      <WebhookForm
        organizationId={organizationId}
        send={({ url, ...changes }) => createWebhook(organizationId, { ...changes, url })}
        onStored={setMade}
        onCancel={onClose}
      />
    </SidePanel>
  )
}
