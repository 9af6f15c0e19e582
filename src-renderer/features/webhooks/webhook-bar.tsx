import { Button } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Webhook } from '#shared/contract/webhooks'
import { KeyHint } from '../../ui/keys/key-hint'
import classes from './webhooks.module.css'

/** What the bar is given. Without `onEdit` the webhook can only be looked at. */
export type WebhookBarProps = { webhook: Webhook; onRefresh: () => void; onEdit?: () => void; onDelete: () => void }

/** Which webhook it is, and what can be done with it. */
export function WebhookBar({ webhook: { url, description }, onRefresh, onEdit, onDelete }: WebhookBarProps) {
  const { t } = useTranslation('webhooks')
  return (
    <div className={classes.bar}>
      <Link href="/webhooks" className={classes.back}>
        <ArrowLeft size={14} aria-hidden />
        {t('title')}
      </Link>
      <div className={classes.name} title={[url, description].filter(Boolean).join('\n')}>
        <h2 className={classes.title}>{url}</h2>
        {description !== null && <span className={classes.quiet}> · {description}</span>}
      </div>
      <Button variant="default" rightSection={<KeyHint keys="f" />} onClick={onRefresh}>
        {t('log.refresh')}
      </Button>
      {onEdit && (
        <>
          <Button variant="default" rightSection={<KeyHint keys="e" />} onClick={onEdit}>
            {t('edit.action')}
          </Button>
          <Button variant="subtle" color="gray" onClick={onDelete}>
            {t('delete.short')}
          </Button>
        </>
      )}
    </div>
  )
}
