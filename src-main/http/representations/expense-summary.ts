import { translate } from '#shared/i18n/translations'
import { listUsersByIds } from '#main/store/user-reader'
import type { GroupBy } from '#main/store/expense-reader'
import type { Context } from '../endpoint'
import { nameOf } from './people'

type Key = string | number | null

/** What people call the groups of a summary: a status in their language, a receiver's name, a tag's name. */
export async function groupLabels(
  context: Context,
  { group_by, keys }: { group_by: GroupBy; keys: readonly Key[] },
): Promise<Map<Key, string>> {
  if (group_by === 'receiver') {
    const users = await listUsersByIds(
      context.reader,
      [...new Set(keys)].filter((key) => typeof key === 'number'),
    )
    return new Map<Key, string>(users.map((user) => [user.id, nameOf(user)]))
  }
  const words = keys.filter((key) => typeof key === 'string')
  return new Map<Key, string>(words.map((key) => [key, group_by === 'status' ? translate(context.locale, `status:${key}`) : key]))
}
