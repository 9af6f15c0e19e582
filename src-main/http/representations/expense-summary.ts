import type { ExpenseGrouping, ExpenseSummary } from '#shared/contract/expenses'
import type { ListFilter } from '#shared/contract/filters'
import { fromMinor, sumByCurrency } from '#shared/domain/money'
import { translate } from '#shared/i18n/translations'
import { listSupplierNames } from '#main/store/records/organizations/supplier-reader'
import { listUsersByIds } from '#main/store/records/users/user-reader'
import type { ExpenseGroup } from '#main/store/records/expenses/expense-reader'
import type { Context } from '../endpoint'
import { nameOf } from './people'

type Key = string | number | null

/** Labels of a summary's groups: a translated status, a receiver's, tag's or supplier's name, a policy condition. */
export async function groupLabels(
  context: Context,
  { group_by, rows, filter }: { group_by: ExpenseGrouping; rows: readonly ExpenseGroup[]; filter: ListFilter },
): Promise<Map<Key, string>> {
  const keys = rows.map(({ key }) => key)
  if (group_by === 'supplier') return listSupplierNames(context.reader, rows, { user_id: context.caller.user_id, filter })
  if (group_by === 'receiver' || group_by === 'responsible') {
    const users = await listUsersByIds(
      context.reader,
      [...new Set(keys)].filter((key) => typeof key === 'number'),
    )
    return new Map<Key, string>(users.map((user) => [user.id, nameOf(user)]))
  }
  const words = keys.filter((key) => typeof key === 'string')
  return new Map<Key, string>(words.map((key) => [key, labelOf(context, group_by, key)]))
}

function labelOf({ locale }: Context, group_by: ExpenseGrouping, key: string): string {
  if (group_by === 'status') return translate(locale, `status:${key}`)
  return group_by === 'flag' ? translate(locale, `policies:condition.${key}`) : key
}

/** One group of a summary: sums of counted and claimed amounts, by currency. */
export function toGroup(key: Key, label: string | null, parts: readonly ExpenseGroup[]): ExpenseSummary['groups'][number] {
  return {
    key,
    label,
    count: parts.reduce((sum, { count }) => sum + count, 0),
    totals: toTotals(parts),
    claimed: toTotals(
      parts.map(({ claimed_currency, claimed_minor, count }) => ({ currency: claimed_currency, amount_minor: claimed_minor, count })),
    ),
  }
}

function toTotals(parts: ReadonlyArray<{ currency: string; amount_minor: number; count: number }>) {
  const counts = Map.groupBy(parts, ({ currency }) => currency)
  return sumByCurrency(parts).map(({ currency, amount_minor }) => ({
    currency,
    amount: fromMinor(amount_minor, currency),
    count: (counts.get(currency) ?? []).reduce((sum, { count }) => sum + count, 0),
  }))
}
