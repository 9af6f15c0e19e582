import { Button } from '@mantine/core'
import { RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { WebhookDelivery } from '#shared/contract/webhooks'
import { mostAttempts } from '#shared/domain/webhook-events'
import { FactList } from '../../ui/values/fact-list'
import { Instant } from '../../ui/values/instant'
import { KeyHint } from '../../ui/keys/key-hint'
import { DeliveryStateBadge, useResponseText } from './delivery-parts'
import classes from './webhooks.module.css'

/** What the detail is given. `onRedeliver` is absent where it cannot be sent again. */
export type DeliveryDetailProps = { delivery: WebhookDelivery; isSending: boolean; onRedeliver?: () => void }

/** One delivery: the result, and the body that was sent. */
export function DeliveryDetail({ delivery, isSending, onRedeliver }: DeliveryDetailProps) {
  const { t } = useTranslation('webhooks')
  const responseText = useResponseText()
  const [path] = useLocation()
  const { body, state, attempts, created_at, finished_at, next_attempt_at, redelivery_of } = delivery
  const redeliveryLink = (
    <Link href={`${path}?delivery=${redelivery_of}`} replace className="tabular">
      {t('delivery.numbered', { id: redelivery_of })}
    </Link>
  )
  const facts = [
    { label: t('log.state'), value: <DeliveryStateBadge state={state} /> },
    { label: t('log.answer'), value: responseText(delivery) ?? t('delivery.notTried') },
    { label: t('log.attempts'), value: <span className="tabular">{t('delivery.attempts', { made: attempts, most: mostAttempts })}</span> },
    ...(state === 'waiting' && next_attempt_at !== null
      ? [{ label: t('log.next'), value: <Instant value={next_attempt_at} show="moment" /> }]
      : []),
    { label: t('log.when'), value: <Instant value={created_at} show="moment" /> },
    ...(finished_at === null ? [] : [{ label: t('delivery.finished'), value: <Instant value={finished_at} show="moment" /> }]),
    {
      label: t('log.expense'),
      value: (
        <Link href={`/expenses/${body.expense.id}`} className="tabular">
          #{body.expense.id}
        </Link>
      ),
    },
    ...(redelivery_of === null ? [] : [{ label: t('delivery.redeliveryOf'), value: redeliveryLink }]),
  ]
  return (
    <>
      {onRedeliver && (
        <div className={classes.actions}>
          <Button
            variant="default"
            leftSection={<RotateCw size={14} aria-hidden />}
            rightSection={<KeyHint keys="r" />}
            loading={isSending}
            onClick={onRedeliver}
          >
            {t('delivery.redeliver')}
          </Button>
        </div>
      )}
      <FactList facts={facts} />
      <section className={classes.block}>
        <h3 className={classes.blockTitle}>{t('delivery.body')}</h3>
        <pre className={classes.code} tabIndex={0} aria-label={t('delivery.body')}>
          {JSON.stringify(body, null, 2)}
        </pre>
      </section>
    </>
  )
}
