import { records } from '#shared/records/index'
import type { SyncPolicy } from '#shared/records/definition'

/** How writes of other resources are sent, by the first part of their routes' names. */
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
  // Each server has its own browser sessions.
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

/** How a route's write is sent to the remote; undefined if undecided, which a test forbids. */
export function findPolicy(routeName: string): SyncPolicy | undefined {
  const [resource = ''] = routeName.split('.')
  return byRoute.get(routeName) ?? byResource.get(resource)
}

/**
 * Whether the answer of a contract-only remote to a read is better than the replica's: such a remote lists neither the trail in a form that can be
 * stored nor devolutions. Offline, the replica uses its own data.
 */
export function isBetterReadAtRemote(routeName: string): boolean {
  return /activities(\.list)?$/.test(routeName) || routeName.startsWith('balances.')
}

/** Whether only the remote can answer a read: its records have secrets, or concern what the remote sends. */
export function isReadAtRemote(routeName: string): boolean {
  return elsewhere[routeName.split('.')[0] ?? ''] === 'forward'
}
