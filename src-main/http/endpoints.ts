import { batchEndpoint } from './batch'
import type { Endpoint } from './endpoint'
import { Router } from './router'
import { pushEndpoint } from './sync/push'
import { accountabilityEndpoints } from './routes/accountabilities'
import { activityEndpoints } from './routes/activities'
import { advancementEndpoints } from './routes/advancements'
import { apiTokenEndpoints } from './routes/api-tokens'
import { attachmentEndpoints } from './routes/attachments'
import { balanceEndpoints } from './routes/balances'
import { captureEndpoints } from './routes/captures'
import { commentEndpoints } from './routes/comments'
import { corporativeCardEndpoints } from './routes/corporative-cards'
import { deviceEndpoints } from './routes/devices'
import { distanceRuleEndpoints } from './routes/distance-rules'
import { expenseEndpoints } from './routes/expenses'
import { importEndpoints } from './routes/imports'
import { instanceEndpoints } from './routes/instance'
import { invitationEndpoints } from './routes/invitations'
import { invoiceUseEndpoints } from './routes/invoice-uses'
import { joinNoticeEndpoints } from './routes/join-notices'
import { membershipEndpoints } from './routes/memberships'
import { mentionableEndpoints } from './routes/mentionables'
import { notificationEndpoints } from './routes/notifications'
import { organizationEndpoints } from './routes/organizations'
import { participantEndpoints } from './routes/participants'
import { preExpenseEndpoints } from './routes/pre-expenses'
import { preferenceEndpoints } from './routes/preferences'
import { reimbursementEndpoints } from './routes/reimbursements'
import { recoveryEndpoints } from './routes/recoveries'
import { replicaEndpoints } from './routes/replica'
import { syncEndpoints } from './routes/sync'
import { tagEndpoints } from './routes/tags'
import { uploadEndpoints } from './routes/uploads'
import { webhookEndpoints } from './routes/webhooks'

/** Every endpoint of the API. */
export const endpoints: readonly Endpoint[] = [
  ...instanceEndpoints(() => endpoints),
  batchEndpoint(() => router),
  ...expenseEndpoints,
  ...reimbursementEndpoints,
  ...advancementEndpoints,
  ...balanceEndpoints,
  ...commentEndpoints,
  ...mentionableEndpoints,
  ...participantEndpoints,
  ...accountabilityEndpoints,
  ...activityEndpoints,
  ...attachmentEndpoints,
  ...importEndpoints,
  ...invoiceUseEndpoints,
  ...uploadEndpoints,
  ...captureEndpoints(() => router),
  ...corporativeCardEndpoints,
  ...preExpenseEndpoints,
  ...organizationEndpoints,
  ...membershipEndpoints,
  ...joinNoticeEndpoints,
  ...invitationEndpoints,
  ...tagEndpoints,
  ...distanceRuleEndpoints,
  ...preferenceEndpoints,
  ...notificationEndpoints,
  ...deviceEndpoints,
  ...apiTokenEndpoints,
  ...webhookEndpoints,
  ...syncEndpoints,
  ...replicaEndpoints(() => router),
  ...recoveryEndpoints,
  pushEndpoint(() => router),
]

/** Finds endpoints for what does not come over the network: batches and the desktop. */
export const router = new Router(endpoints)
