import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { WebhookDelivery } from '#shared/contract/webhooks'
import type { DeliveryState } from '#shared/domain/webhook-events'
import classes from './webhooks.module.css'

/** The state of a delivery: a dot and always its name. */
export function DeliveryStateBadge({ state }: { state: DeliveryState }) {
  const { t } = useTranslation('webhooks')
  return (
    <span className={classes.state}>
      <span className={classes.dot} data-state={state} aria-hidden />
      {t(`state.${state}`)}
    </span>
  )
}

/** Words the result of the last try; undefined before the first. */
export function useResponseText(): (delivery: WebhookDelivery) => string | undefined {
  const { t } = useTranslation('webhooks')
  return useCallback(
    ({ last_status: status, last_error: error }) => {
      if (error !== null) return t(`answer.${error}`, { status: status ?? '' })
      return status === null ? undefined : t('answer.status', { status })
    },
    [t],
  )
}
