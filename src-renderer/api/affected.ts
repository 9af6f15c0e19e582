import type { QueryKey } from '@tanstack/react-query'
import type { RecordChange } from '#shared/contract/instance/feed'
import { records } from '#shared/records/index'
import { accountabilityKeys } from './accountabilities'
import { advancementKeys } from './advancements'
import { captureKey } from './captures'
import { cardKeys } from './corporative-cards'
import { expenseKeys } from './expenses'
import { joinNoticesKey } from './join-notices'
import { preExpenseKeys } from './pre-expenses'
import { reimbursementKeys } from './reimbursements'
import { sessionKey } from './session'

const organizations: readonly QueryKey[] = [['organizations'], sessionKey]
/** Sums and lists of expenses stand under the same key as everything that is paid with them. */
const money: readonly QueryKey[] = [expenseKeys.all, accountabilityKeys.all]

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
  ...Object.fromEntries(
    records.flatMap(({ table, isInOrganization }) => (isInOrganization ? [[table, [['organizations']]]] : [])),
  ),
  distance_rules: [['distance-rule']],
  organizations,
  memberships: [...organizations, joinNoticesKey],
  users: [...organizations, ['preferences']],
  devices: [['devices']],
}

/** Records of a user or organization that the feed does not name, by the first word of their routes' names. */
const unnamed: Readonly<Record<string, readonly QueryKey[]>> = {
  captures: [captureKey],
  imports: [['imports']],
  invitations: [['organizations']],
  webhooks: [['webhooks']],
  api_tokens: [['api-tokens']],
  notification_preferences: [['notification-preferences']],
  webhook_deliveries: [['webhooks']],
}

/** The keys under which what was read may be out of date after these changes. */
export function affectedBy(changes: readonly RecordChange[]): readonly QueryKey[] {
  return keysOf(changes.map(({ table }) => shownUnder[table]))
}

/** The same after a write of another tab, for what the feed does not name. */
export function affectedByRoute(name: string): readonly QueryKey[] {
  return unnamed[name.split('.')[0] ?? ''] ?? []
}

function keysOf(found: ReadonlyArray<readonly QueryKey[] | undefined>): readonly QueryKey[] {
  return [...new Map(found.flatMap((keys) => keys ?? []).map((key) => [JSON.stringify(key), key])).values()]
}
