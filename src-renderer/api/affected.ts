import type { QueryKey } from '@tanstack/react-query'
import { batchRoute } from '#shared/contract/batch'
import type { FeedTopic, RecordChange } from '#shared/contract/instance/feed'
import { records } from '#shared/records/index'
import { accountabilityKeys } from './accountabilities'
import { advancementKeys } from './advancements'
import { captureKey } from './captures'
import type { EndedWrite } from './client'
import { cardKeys } from './corporative-cards'
import { expenseKeys } from './expenses'
import { exportKeys } from './exports/exports'
import { importKeys } from './imports'
import { joinNoticesKey } from './join-notices'
import { devicesKey, notificationsKey } from './notifications'
import { preExpenseKeys } from './pre-expenses'
import { recoveryKey } from './recoveries'
import { reimbursementKeys } from './reimbursements'
import { replicaKeys } from './replica'
import { reportKeys } from './reports/reports'
import { sessionKey } from './session'
import { apiTokensKey, browserSessionsKey, passkeysKey, preferencesKey, recoveryCodesKey } from './account'
import { webhookKeys } from './webhooks'

const organizations: readonly QueryKey[] = [['organizations'], sessionKey]
/** Sums and lists of expenses stand under the same key as everything that is paid with them. */
const money: readonly QueryKey[] = [expenseKeys.all, accountabilityKeys.all, reportKeys.all]
/** Everything that is read. */
const everything: readonly QueryKey[] = [[]]

/**
 * What shows records of a table, by table: when one changes, all that was read under these keys is read again. What hangs on a record
 * (a comment, a receipt, a participant) raises the version of the record, and so comes with it.
 */
const shownUnder: Readonly<Record<string, readonly QueryKey[]>> = {
  expenses: money,
  attachments: [expenseKeys.all],
  comments: [expenseKeys.all],
  participants: [expenseKeys.all],
  reimbursements: [reimbursementKeys.all],
  advancements: [advancementKeys.all],
  advancement_devolutions: [advancementKeys.all],
  accountabilities: [accountabilityKeys.all],
  pre_expenses: [preExpenseKeys.all],
  corporative_cards: [cardKeys.all],
  ...Object.fromEntries(records.flatMap(({ table, isInOrganization }) => (isInOrganization ? [[table, [['organizations']]]] : []))),
  exchange_rates: [['organizations'], reportKeys.all],
  statements: [['organizations'], preExpenseKeys.all],
  statement_matches: [['organizations'], expenseKeys.all, preExpenseKeys.all],
  // The session has the closed months, and what an expense can become depends on them.
  closings: [...organizations, expenseKeys.all],
  distance_rules: [['distance-rule']],
  organizations,
  memberships: [...organizations, joinNoticesKey],
  invitations: [['organizations']],
  join_notices: [joinNoticesKey],
  users: [...organizations, preferencesKey, notificationsKey],
  notification_preferences: [notificationsKey],
  devices: [devicesKey],
  api_tokens: [apiTokensKey, browserSessionsKey],
  browser_sessions: [browserSessionsKey],
  passkeys: [passkeysKey],
  recovery_codes: [recoveryCodesKey],
  webhooks: [webhookKeys.all],
  webhook_deliveries: [webhookKeys.all],
  captures: [captureKey],
  imports: [importKeys.all],
  exports: [exportKeys.all],
  handovers: [exportKeys.all, expenseKeys.all],
  audit: [['audit', 'status']],
  recoveries: [recoveryKey],
  replica: [replicaKeys.all],
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
  ...Object.fromEntries(records.flatMap(({ table, isInOrganization }) => (isInOrganization ? [[table, [table, 'expenses']]] : []))),
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
  if (name !== batchRoute.name) return keysOf(tablesOf(name))
  const { operations } = batchRoute.body.parse(body)
  return keysOf(operations.flatMap(({ path }) => tablesOf(path.split('/')[1] ?? '')))
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
