import type { Row } from '#db/schema'
import { languageOf } from '#main/store/records/users/user-language'
import type { Preferences } from '#shared/contract/preferences'
import { toShown } from '#shared/records/columns'
import { user } from '#shared/records/user'
import type { Context } from '../endpoint'
import { memberLinks } from './records'
import { loadPeople, toUserParty } from './people'

/** A user's preferences (contract 2.17). */
export async function toPreferences(context: Context, row: Row<'users'>): Promise<Preferences> {
  const { id, uid, version } = row
  const shown = toShown(user.attributes, { ...row, language: languageOf(row) })
  const { avatar = [] } = toUserParty(await loadPeople(context, { user_ids: [id] }), id)
  const _links = memberLinks('/preferences').filter(({ rel }) => rel !== 'destroy')
  return { id, uid, version, ...shown, avatar, _links }
}
