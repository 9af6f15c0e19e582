import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { type Webhook, type WebhookDelivery, webhookRoutes, type webhookWithSecret } from '#shared/contract/webhooks'
import { call, etagOf } from './client'
import { type ListPage, pageSize } from './pages'
import { keyRoots } from './keys'

/** Query keys of webhooks; everything below `all` is stale after a write. */
export const webhookKeys = {
  all: keyRoots.webhooks,
  list: (organization_id: number) => [...keyRoots.webhooks, organization_id, 'list'] as const,
  deliveries: ({ organization_id, webhook_id }: DeliveryLogKey) => [...keyRoots.webhooks, organization_id, 'log', webhook_id] as const,
}

/** Whose deliveries a log lists. */
export type DeliveryLogKey = { readonly organization_id: number; readonly webhook_id: number }

/** Every webhook of an organization, newest first. Fails with 403 for users who do not manage them. */
export function useWebhooks(organization_id: number) {
  return useQuery<Webhook[]>({
    queryKey: webhookKeys.list(organization_id),
    queryFn: async ({ signal }) => (await call(webhookRoutes.list, { params: { organization_id }, signal })).webhooks,
  })
}

/** A webhook as create and update answer it: the only time that its secret is there. */
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>

/** What of a webhook can be changed; a secret left out is kept. */
export interface WebhookChanges {
  readonly description: string | null
  readonly secret?: string
}

/** Creates a webhook. Not a mutation of the query cache: that would keep the secret. */
export function createWebhook(organization_id: number, body: WebhookChanges & { url: string }): Promise<WebhookWithSecret> {
  return call(webhookRoutes.create, { params: { organization_id }, body })
}

/** Changes a webhook as the user saw it. */
export function updateWebhook(organization_id: number, seen: Webhook, body: WebhookChanges): Promise<WebhookWithSecret> {
  return call(webhookRoutes.update, { params: { organization_id, id: seen.id }, body, ifMatch: etagOf(seen) })
}

/** Deletes a webhook. */
export function deleteWebhook(organization_id: number, { id }: Webhook): Promise<null> {
  return call(webhookRoutes.destroy, { params: { organization_id, id } })
}

/** Reads one page of what was sent to a webhook, newest first; `page` counts from 1. */
export async function readDeliveryPage(key: DeliveryLogKey, page: number, signal: AbortSignal): Promise<ListPage<WebhookDelivery>> {
  const query = { page, per_page: pageSize }
  const { count, deliveries } = await call(webhookRoutes.listDeliveries, { params: key, query, signal })
  return { count, rows: deliveries }
}

/** Sends a delivery again, as a new one. */
export function redeliver(key: DeliveryLogKey, { id }: WebhookDelivery): Promise<WebhookDelivery> {
  return call(webhookRoutes.redeliver, { params: { ...key, id } })
}
