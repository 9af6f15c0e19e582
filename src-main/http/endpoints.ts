import { closingRoutes } from '#shared/contract/organization-records/closings'
import { savedViewRoutes } from '#shared/contract/organization-records/saved-views'
import { supplierRoutes } from '#shared/contract/organization-records/suppliers'
import { closing } from '#shared/records/closing'
import { savedView } from '#shared/records/saved-view'
import { supplier } from '#shared/records/supplier'
import { closingRecord } from '#main/use-cases/closings/closing-record'
import { savedViewRecord } from '#main/use-cases/saved-views/saved-view-record'
import { supplierRecord } from '#main/use-cases/suppliers/supplier-record'
import { batchEndpoint, dryRunEndpoint } from './batch'
import type { Api, Endpoint } from './endpoint'
import { Router } from './requests'
import { toOrganizationRecord, toRecordsWithParties } from './representations/records'
import { pushEndpoint } from './sync/push'
import { accountabilityEndpoints } from './routes/accountabilities'
import { activityEndpoints } from './routes/activities'
import { auditEndpoints } from './routes/audit'
import { advancementEndpoints } from './routes/advancements'
import { emailSignInEndpoints } from './routes/doors/email-sign-in'
import { passkeyEndpoints } from './routes/doors/passkeys'
import { openIdEndpoints } from './routes/doors/openid'
import { recoveryCodeEndpoints } from './routes/doors/recovery-codes'
import { apiTokenEndpoints } from './routes/api-tokens'
import { browserSessionEndpoints } from './routes/browser-sessions'
import { approvalEndpoints } from './routes/approvals'
import { attachmentEndpoints } from './routes/attachments'
import { balanceEndpoints } from './routes/balances'
import { captureEndpoints } from './routes/captures'
import { commentEndpoints } from './routes/comments'
import { corporativeCardEndpoints } from './routes/corporative-cards'
import { deviceEndpoints } from './routes/devices'
import { distanceRuleEndpoints } from './routes/distance-rules'
import { expenseEndpoints } from './routes/expenses'
import { exportEndpoints, exportProfileEndpoints } from './routes/exports/exports'
import { handoverEndpoints } from './routes/exports/handovers'
import { importEndpoints } from './routes/imports'
import { instanceEndpoints } from './routes/instance'
import { invitationEndpoints } from './routes/invitations'
import { joinNoticeEndpoints, membershipEndpoints } from './routes/memberships'
import { mentionableEndpoints, participantEndpoints } from './routes/participants'
import { notificationEndpoints } from './routes/notifications'
import { organizationEndpoints } from './routes/organizations'
import { organizationRecordEndpoints } from './routes/organization-records'
import { preExpenseEndpoints } from './routes/pre-expenses'
import { preferenceEndpoints } from './routes/preferences'
import { reimbursementEndpoints } from './routes/reimbursements'
import { recoveryEndpoints } from './routes/recoveries'
import { invoiceCheckEndpoints, mailAddressEndpoints, receiptReadingEndpoints } from './routes/receipts'
import { repeatEndpoints } from './routes/repeats'
import { replicaEndpoints } from './routes/replica'
import { reportEndpoints } from './routes/reports'
import { statementEndpoints } from './routes/statements'
import { syncEndpoints } from './routes/sync'
import { policyEndpoints } from './routes/policies'
import { tagEndpoints } from './routes/tags'
import { uploadEndpoints } from './routes/uploads'
import { webhookEndpoints } from './routes/webhooks'

/** Every endpoint of the API. */
export const endpoints: readonly Endpoint[] = [
  ...instanceEndpoints,
  batchEndpoint,
  dryRunEndpoint,
  ...expenseEndpoints,
  ...reimbursementEndpoints,
  ...advancementEndpoints,
  ...balanceEndpoints,
  ...commentEndpoints,
  ...mentionableEndpoints,
  ...participantEndpoints,
  ...accountabilityEndpoints,
  ...activityEndpoints,
  ...auditEndpoints,
  ...attachmentEndpoints,
  ...exportProfileEndpoints,
  ...handoverEndpoints,
  ...importEndpoints,
  ...exportEndpoints,
  ...uploadEndpoints,
  ...invoiceCheckEndpoints,
  ...mailAddressEndpoints,
  ...captureEndpoints,
  ...corporativeCardEndpoints,
  ...preExpenseEndpoints,
  ...organizationEndpoints,
  ...membershipEndpoints,
  ...joinNoticeEndpoints,
  ...invitationEndpoints,
  ...tagEndpoints,
  ...organizationRecordEndpoints({
    routes: supplierRoutes,
    record: supplierRecord,
    show: (_context, _role, rows) => rows.map((row) => toOrganizationRecord(supplier, row)),
  }),
  ...policyEndpoints,
  ...approvalEndpoints,
  ...receiptReadingEndpoints,
  ...repeatEndpoints,
  ...statementEndpoints,
  ...organizationRecordEndpoints({
    routes: savedViewRoutes,
    record: savedViewRecord,
    show: (context, _role, rows) => toRecordsWithParties(context, savedView, rows),
  }),
  ...organizationRecordEndpoints({
    routes: closingRoutes,
    record: closingRecord,
    show: (context, _role, rows) => toRecordsWithParties(context, closing, rows),
  }),
  ...reportEndpoints,
  ...distanceRuleEndpoints,
  ...preferenceEndpoints,
  ...notificationEndpoints,
  ...deviceEndpoints,
  ...apiTokenEndpoints,
  ...emailSignInEndpoints,
  ...passkeyEndpoints,
  ...recoveryCodeEndpoints,
  ...openIdEndpoints,
  ...browserSessionEndpoints,
  ...webhookEndpoints,
  ...syncEndpoints,
  ...replicaEndpoints,
  ...recoveryEndpoints,
  pushEndpoint,
]

const routes = endpoints.map(({ route }) => route)
const patches = new Map(routes.filter(({ method }) => method === 'PATCH').map((route) => [route.path, route]))
const byName = new Map(endpoints.map((endpoint) => [endpoint.route.name, endpoint]))

/** Finds endpoints by name, and for requests that do not come over the network. */
export const api: Api = {
  routes,
  router: new Router(routes),
  endpointOf: ({ name }) => {
    const endpoint = byName.get(name)
    if (!endpoint) throw new Error(`There is no endpoint ${name}.`)
    return endpoint
  },
  patchOf: ({ path }) => patches.get(path),
}
