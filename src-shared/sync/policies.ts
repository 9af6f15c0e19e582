/**
 * How a write is carried from a replica to its remote (`src-main/sync/SPEC.md`, "Meaning").
 * - `add`: it adds, or removes something of the person's own; nothing by others can conflict with it.
 * - `merge`: it changes attributes; each merge group separately.
 * - `conditional`: it depends on what the person saw, and is rejected if that has changed.
 * - `forward`: it carries a secret, or is about the remote itself; it goes there at once, or not at all.
 * - `local`: it is about this instance alone.
 */
export type SyncPolicy = 'add' | 'merge' | 'conditional' | 'forward' | 'local'

const byResource: Readonly<Record<string, SyncPolicy>> = {
  session: 'local',
  setup: 'local',
  invitation: 'local',
  sync: 'local',
  replica: 'local',
  batch: 'local',
  captures: 'local',
  imports: 'local',
  recoveries: 'local',
  devices: 'forward',
  memberships: 'forward',
  invitations: 'forward',
  join_notices: 'forward',
  api_tokens: 'forward',
  notification_preferences: 'forward',
  webhooks: 'forward',
  webhook_deliveries: 'forward',
  corporative_cards: 'forward',
}

const byRoute: Readonly<Record<string, SyncPolicy>> = {
  'organizations.create': 'forward',
  'organizations.destroy': 'forward',
  'organizations.replace': 'merge',
  'organizations.update': 'merge',
  'distance_rules.create': 'conditional',
  'expenses.create': 'add',
  'expenses.replace': 'merge',
  'expenses.update': 'merge',
  'expenses.destroy': 'conditional',
  'expenses.status.update': 'conditional',
  'attachments.create': 'add',
  'attachments.replace': 'merge',
  'attachments.update': 'merge',
  'attachments.destroy': 'add',
  'reimbursements.create': 'conditional',
  'reimbursements.replace': 'conditional',
  'reimbursements.update': 'conditional',
  'reimbursements.destroy': 'conditional',
  'advancements.create': 'add',
  'advancements.replace': 'merge',
  'advancements.update': 'merge',
  'advancements.destroy': 'conditional',
  'advancement_devolutions.create': 'add',
  'accountabilities.create': 'add',
  'accountabilities.replace': 'merge',
  'accountabilities.update': 'merge',
  'accountabilities.destroy': 'conditional',
  'accountabilities.status.update': 'conditional',
  'pre_expenses.create': 'add',
  'pre_expenses.ignore': 'conditional',
  'pre_expenses.restore': 'conditional',
  'pre_expenses.restore_by_put': 'conditional',
  'pre_expenses.convert': 'conditional',
  'pre_expenses.destroy': 'conditional',
  'tags.create': 'add',
  'tags.replace': 'merge',
  'tags.update': 'merge',
  'tags.destroy': 'conditional',
  'preferences.replace': 'merge',
  'preferences.update': 'merge',
  'user.preferences.update': 'merge',
}

const byEnding: ReadonlyArray<readonly [ending: string, policy: SyncPolicy]> = [
  ['_comments.create', 'add'],
  ['_comments.update', 'merge'],
  ['_comments.destroy', 'add'],
  ['_participants.destroy', 'add'],
]

/** How the write of a route is carried to the remote; undefined: nobody has decided, which a test does not allow. */
export function findPolicy(routeName: string): SyncPolicy | undefined {
  const [resource = ''] = routeName.split('.')
  return byRoute[routeName] ?? byResource[resource] ?? byEnding.find(([ending]) => routeName.endsWith(ending))?.[1]
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
  return byResource[routeName.split('.')[0] ?? ''] === 'forward' && !/^(memberships|corporative_cards)\./.test(routeName)
}
