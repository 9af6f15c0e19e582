import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { CountCell } from '../../ui/grid/count-cell'
import { Link } from 'wouter'
import type { WebhookDelivery } from '#shared/contract/webhooks'
import { failureText } from '../../api/failure-text'
import type { PagedRows } from '../../api/pages'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import type { GridColumn } from '../../ui/grid/grid-types'
import { Instant } from '../../ui/values/instant'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import { DeliveryStateBadge, useResponseText } from './delivery-parts'
import classes from './webhooks.module.css'

/** What the log is given. */
export type DeliveryGridProps = {
  rows: PagedRows<WebhookDelivery>
  focusIndex: number
  onFocusIndex: (index: number) => void
  onOpen: (index: number) => void
}

/** What was sent to a webhook, newest first. */
export function DeliveryGrid({ rows, focusIndex, onFocusIndex, onOpen }: DeliveryGridProps) {
  const { t } = useTranslation('webhooks')
  const columns = useDeliveryColumns()
  const { count, error, retry, getRow, onRangeChange } = rows
  if (error) return <ErrorState happened={t('log.error')} kept={failureText(error)} onRetry={retry} error={error} />
  if (count === undefined) return <SkeletonRows count={8} />
  if (count === 0) return <EmptyState sentence={t('log.empty')} action={{ label: t('log.refresh'), run: retry, keys: 'f' }} />
  return (
    <VirtualGrid
      gridId="webhook-deliveries"
      label={t('log.title')}
      columns={columns}
      rowCount={count}
      getRow={getRow}
      focusIndex={focusIndex}
      onFocusIndex={onFocusIndex}
      onOpen={onOpen}
      onRangeChange={onRangeChange}
    />
  )
}

function useDeliveryColumns(): GridColumn<WebhookDelivery>[] {
  const { t } = useTranslation('webhooks')
  const responseText = useResponseText()
  return useMemo(
    () => [
      {
        id: 'created',
        header: t('log.when'),
        width: 120,
        whole: true,
        fixed: true,
        render: ({ created_at }) => <Instant value={created_at} show="moment" />,
      },
      {
        id: 'event',
        header: t('log.event'),
        width: 152,
        fill: true,
        fixed: true,
        render: ({ event }) => <span title={t(`event.${event}`)}>{t(`event.${event}`)}</span>,
      },
      {
        id: 'expense',
        header: t('log.expense'),
        width: 68,
        whole: true,
        render: ({ body: { expense } }) => (
          <Link href={`/expenses/${expense.id}`} className="tabular" tabIndex={-1} onClick={(event) => event.stopPropagation()}>
            #{expense.id}
          </Link>
        ),
      },
      { id: 'state', header: t('log.state'), width: 116, whole: true, render: ({ state }) => <DeliveryStateBadge state={state} /> },
      {
        id: 'attempts',
        header: t('log.attempts'),
        width: 80,
        whole: true,
        align: 'end',
        render: ({ attempts }) => <CountCell count={attempts} of="attempts" />,
      },
      {
        id: 'answer',
        header: t('log.answer'),
        width: 136,
        render: (delivery) => {
          const text = responseText(delivery)
          return text === undefined ? <span className={classes.quiet}>–</span> : <span title={text}>{text}</span>
        },
      },
      {
        id: 'next',
        header: t('log.next'),
        width: 120,
        whole: true,
        render: ({ state, next_attempt_at: next }) =>
          state === 'waiting' && next !== null ? <Instant value={next} show="moment" /> : <span className={classes.quiet}>–</span>,
      },
    ],
    [t, responseText],
  )
}
