import { records } from '#shared/records/index'
import type { SyncPolicy } from '#shared/records/sync-policy'

/** How writes of what is no shared record are carried, by the first part of their routes' names. */
const elsewhere: Readonly<Record<string, SyncPolicy>> = {
  session: 'local',
  setup: 'local',
  invitation: 'local',
  sync: 'local',
  replica: 'local',
  batch: 'local',
  captures: 'local',
  imports: 'local',
  statements: 'local',
  exports: 'local',
  invoice_checks: 'local',
  recoveries: 'local',
  devices: 'forward',
  invitations: 'forward',
  join_notices: 'forward',
  api_tokens: 'forward',
  // Each server signs in its own browsers.
  browser_sessions: 'local',
  passkeys: 'local',
  recovery_codes: 'local',
  notification_preferences: 'forward',
  handovers: 'forward',
  webhooks: 'forward',
  webhook_deliveries: 'forward',
}

const byResource = new Map<string, SyncPolicy>([
  ...Object.entries(elsewhere),
  ...records.flatMap(({ table, sync }) => (typeof sync === 'string' ? [[table, sync] as const] : [])),
])

const byRoute = new Map<string, SyncPolicy>(
  records.flatMap(({ table, routes = [table], sync }) =>
    typeof sync === 'string'
      ? []
      : routes.flatMap((route) => Object.entries(sync).map(([verb, policy]) => [`${route}.${verb}`, policy] as const)),
  ),
)

/** How the write of a route is carried to the remote; undefined: nobody has decided, which a test does not allow. */
export function findPolicy(routeName: string): SyncPolicy | undefined {
  const [resource = ''] = routeName.split('.')
  return byRoute.get(routeName) ?? byResource.get(resource)
}

/**
 * Reads that only the remote can answer well if it supports only the published contract: that lists neither the trail in a form
 * that can be stored nor returns. Without a connection, the replica uses its own data.
 */
export function isBetterReadAtRemote(routeName: string): boolean {
  return /activities(\.list)?$/.test(routeName) || routeName.startsWith('balances.')
}

/** Reads that only the remote can answer: their records hold secrets, or are about what leaves it. */
export function isReadAtRemote(routeName: string): boolean {
  return elsewhere[routeName.split('.')[0] ?? ''] === 'forward'
}
