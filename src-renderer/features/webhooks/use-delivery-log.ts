import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import type { WebhookDelivery } from '#shared/contract/webhooks'
import { failureText } from '../../api/failure-text'
import { ownWritesShown } from '../../api/own-writes'
import { type PagedRows, pageSize, usePagedRows } from '../../api/pages'
import { type DeliveryLogKey, readDeliveryPage, redeliver as sendAgain, webhookKeys } from '../../api/webhooks'
import { notifyDone, notifyFailure } from '../../state/notices'
import { useRowFocus } from '../../ui/grid/use-row-focus'

/** The log of a webhook, the delivery that the address opens (`?delivery=12`), and what can be done. */
export type DeliveryLog = {
  readonly rows: PagedRows<WebhookDelivery>
  readonly focusIndex: number
  readonly openId: number | null
  /** Undefined when it is not among those that were read. */
  readonly opened: WebhookDelivery | undefined
  readonly move: (index: number) => void
  readonly open: (index: number) => void
  readonly close: () => void
  readonly refresh: () => void
  readonly isSending: boolean
  readonly redeliver: (delivery: WebhookDelivery | undefined) => Promise<void>
}

/** Reads the log. */
export function useDeliveryLog(key: DeliveryLogKey): DeliveryLog {
  const { t } = useTranslation('webhooks')
  const client = useQueryClient()
  const queryKey = webhookKeys.deliveries(key)
  const rows = usePagedRows<WebhookDelivery>({ queryKey, read: (page, signal) => readDeliveryPage(key, page, signal) })
  const [isSending, setSending] = useState(false)
  const { openId, show } = useDeliveryAddress(key)
  const [seen, setSeen] = useState<WebhookDelivery | undefined>()
  const openIndex = indexOf(openId, rows)
  const count = rows.count ?? 0
  const [focusIndex, setFocusIndex] = useRowFocus(`deliveries ${key.webhook_id}`, count, openIndex)
  const opened = [rows.getRow(openIndex), rows.getRow(focusIndex), seen].find((known) => known?.id === openId)
  const refresh = () => client.invalidateQueries({ queryKey })
  const open = (index: number) => {
    const row = rows.getRow(index)
    setSeen(row)
    if (row) show(row.id)
  }
  const move = (index: number) => {
    const to = Math.max(0, Math.min(count - 1, index))
    setFocusIndex(to)
    if (openId !== null) open(to)
  }
  const redeliver = async (delivery: WebhookDelivery | undefined) => {
    if (!delivery || isSending) return
    setSending(true)
    try {
      const again = await sendAgain(key, delivery)
      await ownWritesShown()
      notifyDone(t('delivery.redelivered'))
      setSeen(again)
      show(again.id)
    } catch (error) {
      notifyFailure({ title: t('delivery.notRedelivered'), message: failureText(error) })
    } finally {
      setSending(false)
    }
  }
  const close = () => show(null)
  return { rows, focusIndex, openId, opened, move, open, close, refresh: () => void refresh(), isSending, redeliver }
}

function useDeliveryAddress({ webhook_id }: DeliveryLogKey) {
  const [, navigate] = useLocation()
  const text = new URLSearchParams(useSearch()).get('delivery')
  const openId = text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
  const show = (id: number | null) =>
    navigate(`/webhooks/${webhook_id}${id === null ? '' : `?delivery=${id}`}`, { replace: openId !== null })
  return { openId, show }
}

/** The row of a delivery among the newest; -1 when it is not there. */
function indexOf(id: number | null, { getRow }: PagedRows<WebhookDelivery>): number {
  return id === null ? -1 : Array.from({ length: pageSize }, (_, index) => getRow(index)?.id).indexOf(id)
}
