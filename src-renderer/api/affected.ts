import type { QueryKey } from '@tanstack/react-query'
import { batchRoute } from '#shared/contract/batch'
import type { FeedTopic, RecordChange } from '#shared/contract/instance/feed'
import type { OrganizationRecordDefinition } from '#shared/records/index'
import type { EndedWrite } from './client'
import { keyRoots } from './keys'

/** What organizations keep for their work, without the definitions of its attributes. */
const organizationTables = [
  ...['approval_rules', 'closings', 'exchange_rates', 'export_profiles', 'policies', 'repeat_decisions', 'saved_views'],
  ...['stand_ins', 'statement_lines', 'statement_matches', 'suppliers', 'tags'],
] as const satisfies ReadonlyArray<OrganizationRecordDefinition['table']>

const organizations: readonly QueryKey[] = [keyRoots.organizations, keyRoots.session]
/** Sums and lists of expenses stand under the same key as everything that is paid with them. */
const money: readonly QueryKey[] = [keyRoots.expenses, keyRoots.accountabilities, keyRoots.reports]
/** Everything that is read. */
const everything: readonly QueryKey[] = [[]]

/**
 * What shows records of a table, by table: when one changes, all that was read under these keys is read again. What hangs on a record
 * (a comment, a receipt, a participant) raises the version of the record, and so comes with it.
 */
const shownUnder: Readonly<Record<string, readonly QueryKey[]>> = {
  expenses: money,
  attachments: [keyRoots.expenses],
  comments: [keyRoots.expenses],
  participants: [keyRoots.expenses],
  reimbursements: [keyRoots.reimbursements],
  advancements: [keyRoots.advancements],
  advancement_devolutions: [keyRoots.advancements],
  accountabilities: [keyRoots.accountabilities],
  pre_expenses: [keyRoots.preExpenses],
  corporative_cards: [keyRoots.cards],
  ...Object.fromEntries(organizationTables.map((table) => [table, [keyRoots.organizations]])),
  exchange_rates: [keyRoots.organizations, keyRoots.reports],
  statements: [keyRoots.organizations, keyRoots.preExpenses],
  statement_lines: [keyRoots.organizations, keyRoots.readings],
  statement_matches: [keyRoots.organizations, keyRoots.expenses, keyRoots.preExpenses, keyRoots.readings],
  // The session has the closed months, and what an expense can become depends on them.
  closings: [...organizations, keyRoots.expenses],
  distance_rules: [keyRoots.distanceRules],
  organizations,
  memberships: [...organizations, keyRoots.joinNotices, keyRoots.inbox],
  invitations: [keyRoots.organizations],
  join_notices: [keyRoots.joinNotices],
  users: [...organizations, keyRoots.preferences, keyRoots.notifications, keyRoots.inbox],
  user_notifications: [keyRoots.inbox],
  notification_preferences: [keyRoots.notifications],
  devices: [keyRoots.devices],
  api_tokens: [keyRoots.apiTokens, keyRoots.browserSessions],
  browser_sessions: [keyRoots.browserSessions],
  passkeys: [keyRoots.passkeys],
  recovery_codes: [keyRoots.recoveryCodes],
  webhooks: [keyRoots.webhooks],
  webhook_deliveries: [keyRoots.webhooks],
  captures: [keyRoots.captures],
  imports: [keyRoots.imports],
  exports: [keyRoots.exports],
  handovers: [keyRoots.exports, keyRoots.expenses],
  audit: [['audit', 'status']],
  recoveries: [keyRoots.recoveries],
  replica: [keyRoots.replica],
}

/**
 * What a write changes in addition to the records that its route is named after, or in their place: by the name of the route, or by its
 * first word. The feed names these records too; a page shows what it wrote without waiting for the feed.
 */
const changedBy: Readonly<Record<string, readonly string[]>> = {
  accountabilities: ['accountabilities', 'expenses'],
  attachments: ['expenses'],
  'captures.attach': ['captures', 'expenses'],
  // The list shows the response, and hears of the rest: hundreds may come at once.
  'captures.create': [],
  comments: ['expenses'],
  // They read, and are sent as writes because what they ask may be long.
  'exports.preview': [],
  'exports.count': [],
  'handovers.count': [],
  'invoice_checks.create': [],
  handovers: ['exports', 'expenses'],
  invitation: ['memberships'],
  participants: ['expenses'],
  pre_expenses: ['pre_expenses', 'expenses'],
  preferences: ['users'],
  reimbursements: ['expenses'],
  // Lists of expenses may contain their names.
  ...Object.fromEntries(organizationTables.map((table) => [table, [table, 'expenses']])),
  user: ['users'],
}

/** Writes after which anything may be different. */
const changesEverything = new Set(['replica.disconnect', 'replica.operations.resolve', 'replica.offers.accept'])

/** The keys under which what was read may be out of date after these changes. */
export function affectedBy(changes: readonly RecordChange[]): readonly QueryKey[] {
  return keysOf(changes.map(({ table }) => table))
}

/** The same when other state has changed. */
export function affectedByTopics(topics: readonly FeedTopic[]): readonly QueryKey[] {
  return keysOf(topics)
}

/** The same after a write of this page. */
export function affectedByWrite({ route: { name }, body }: Pick<EndedWrite, 'route' | 'body'>): readonly QueryKey[] {
  if (changesEverything.has(name)) return everything
  if (name !== batchRoute.name) return keysOf([...tablesOf(name), ...matchedIn(body)])
  const { operations } = batchRoute.body.parse(body)
  return keysOf(operations.flatMap((operation) => [...tablesOf(operation.path.split('/')[1] ?? ''), ...matchedIn(operation.body)]))
}

/** A new expense can be matched with a card line. */
function matchedIn(body: unknown): readonly string[] {
  return typeof body === 'object' && body !== null && 'statement_line_id' in body ? ['statement_matches'] : []
}

function tablesOf(name: string): readonly string[] {
  const [word = ''] = name.split('.')
  // Comments and participants have routes for each kind of followable record.
  const resource = /_(comments|participants)$/.exec(word)?.[1] ?? word
  return changedBy[name] ?? changedBy[resource] ?? [resource]
}

function keysOf(tables: readonly string[]): readonly QueryKey[] {
  const keys = tables.flatMap((table) => shownUnder[table] ?? [])
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
}
