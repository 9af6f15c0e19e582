import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Webhook } from '#shared/contract/webhooks'
import { formFailures } from '../../api/failure-text'
import { type WebhookChanges, type WebhookWithSecret } from '../../api/webhooks'
import { newKey } from '../../ui/values/clock'
import { PaneForm } from '../../ui/form/pane-form'
import { useFormDraft } from '../../ui/form/use-form-draft'

/** What of a webhook was written; `secret` is there only when one was given. */
export type WrittenWebhook = WebhookChanges & { readonly url: string }

/** What the form is given. `webhook` is absent for a new one: its address cannot be changed later (contract 4.19). */
export type WebhookFormProps = {
  organizationId: number
  webhook?: Webhook
  send: (written: WrittenWebhook) => Promise<WebhookWithSecret>
  onStored: (stored: WebhookWithSecret, sent: WrittenWebhook) => void
  onCancel: () => void
}

/** A webhook's address, what it is for, and its secret. */
export function WebhookForm({ organizationId, webhook, send, onStored, onCancel }: WebhookFormProps) {
  const { t } = useTranslation('webhooks')
  const [secret, setSecret] = useState('')
  const draft = useFormDraft({
    form: webhook ? 'webhook-edit' : 'webhook-new',
    record: webhook?.id ?? organizationId,
    stored: { url: webhook?.url ?? '', description: webhook?.description ?? '' },
    hasUnkept: secret !== '',
  })
  const { url, description } = draft.value
  const { errors, setErrors, isSending, submit } = useWebhookSubmit(send)
  const typed = (set: (text: string) => void) => (text: string) => {
    setErrors({})
    set(text)
  }
  const onSubmit = async () => {
    if (url.trim() === '') return setErrors({ url: t('ui:problem.blank') })
    const written = { url: url.trim(), description: description.trim() || null, ...(secret.trim() === '' ? {} : { secret: secret.trim() }) }
    const stored = await submit(written)
    if (!stored) return
    draft.done()
    setSecret('')
    onStored(stored, written)
  }
  return (
    <PaneForm
      draft={draft}
      words={{ name: (field) => t(`field.${field}`) }}
      label={t(webhook ? 'edit.title' : 'new.title')}
      error={errors.message}
      isSending={isSending}
      submitLabel={t(webhook ? 'edit.submit' : 'new.submit')}
      focus={`[data-field=${webhook ? 'description' : 'url'}]`}
      onSubmit={() => void onSubmit()}
      onCancel={onCancel}
    >
      <TextInput
        label={t('field.url')}
        description={t(webhook ? 'field.urlFixed' : 'field.urlHint')}
        placeholder="https://example.org/outlay"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        readOnly={webhook !== undefined}
        variant={webhook ? 'filled' : 'default'}
        value={url}
        onChange={(event) => typed((text) => draft.change({ url: text }))(event.currentTarget.value)}
        error={errors.url}
        data-field="url"
      />
      <TextInput
        label={t('field.description')}
        description={t('field.descriptionHint')}
        maxLength={255}
        value={description}
        onChange={(event) => typed((text) => draft.change({ description: text }))(event.currentTarget.value)}
        error={errors.description}
        data-field="description"
      />
      <TextInput
        label={t(webhook ? 'field.newSecret' : 'field.secret')}
        description={t(webhook ? 'field.newSecretHint' : 'field.secretHint')}
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        value={secret}
        onChange={(event) => typed(setSecret)(event.currentTarget.value)}
        error={errors.secret}
        rightSectionWidth="auto"
        rightSection={
          webhook && (
            <Button variant="subtle" onClick={() => typed(setSecret)(`${newKey()}${newKey()}`)}>
              {t('field.makeSecret')}
            </Button>
          )
        }
      />
    </PaneForm>
  )
}

/** Sends a webhook; returns errors by the contract's name of the attribute, those of no attribute as `message`. */
function useWebhookSubmit(send: WebhookFormProps['send']) {
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [isSending, setSending] = useState(false)
  const submit = async (written: WrittenWebhook): Promise<WebhookWithSecret | undefined> => {
    setSending(true)
    try {
      return await send(written)
    } catch (error) {
      setErrors(formFailures(error))
      return undefined
    } finally {
      setSending(false)
    }
  }
  return { errors, setErrors, isSending, submit }
}
