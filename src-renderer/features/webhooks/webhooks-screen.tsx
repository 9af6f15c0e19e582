import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useSession } from '../../api/session'
import { useWebhooks } from '../../api/webhooks'
import { useMembership } from '../../state/membership'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { WebhookList } from './webhook-list'
import { WebhookLog } from './webhook-log'

/** Webhooks. `id`: the one whose deliveries are shown, or `new`. */
export function WebhooksScreen({ id }: { id: string | undefined }) {
  const { t } = useTranslation('webhooks')
  const { data: session } = useSession()
  const membership = useMembership()
  if (!session) return <SkeletonRows count={8} />
  if (!membership) return <EmptyState sentence={t('noOrganization')} />
  return <Webhooks key={membership.organization.id} id={id} organization={membership.organization} />
}

type WebhooksProps = { id: string | undefined; organization: Session['memberships'][number]['organization'] }

function Webhooks({ id, organization }: WebhooksProps) {
  const { t } = useTranslation('webhooks')
  const { data, error, refetch } = useWebhooks(organization.id)
  if (error instanceof ApiError && error.status === 403) return <EmptyState sentence={t('managersOnly')} />
  if (error && !data) return <ErrorState happened={t('error')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />
  if (!data) return <SkeletonRows count={8} />
  const own = { organizationId: organization.id, canWrite: !organization.expired }
  if (id === undefined || id === 'new') return <WebhookList {...own} webhooks={data} isMaking={id === 'new'} />
  return <WebhookLog key={id} {...own} webhook={data.find((webhook) => String(webhook.id) === id)} />
}
