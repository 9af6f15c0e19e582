import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { preferenceRoutes } from '#shared/contract/preferences'
import { invalid, notFound } from '#shared/domain/errors'
import { languageOf, toStoredLanguage } from '#main/store/records/users/user-language'
import { toColumns } from '#shared/records/columns'
import { user as definition } from '#shared/records/user'
import type { Language } from '#shared/domain/locales'
import type { Tx } from '#main/store/core/store'
import { findUser, findUserByMentionName } from '#main/store/records/users/user-reader'
import { updateUser } from '#main/store/records/users/user-writer'
import { findTimezone } from '#shared/domain/timezones'
import { assertCurrencyInUse } from '../access/amounts'
import { claimImage } from '../uploads/uploads'
import { assertFresh } from '../access/preconditions'

/** Attributes to change; absent ones stay. */
export type UpdatePreferences = z.output<typeof preferenceRoutes.update.body>

/** Changes the acting user's preferences (contract 4.17). Throws {@link DomainError}. */
export async function updatePreferences(tx: Tx, { avatar, language, ...changes }: UpdatePreferences): Promise<Row<'users'>> {
  const { mention_name, default_currency } = changes
  const user = await findUser(tx, tx.actor.user_id)
  if (!user) throw notFound()
  await assertFresh(tx, user)
  if (default_currency !== undefined) assertCurrencyInUse(default_currency, { kept: user.default_currency, attribute: 'default_currency' })
  const timezone = changes.timezone === undefined ? undefined : findTimezone(changes.timezone)
  if (changes.timezone !== undefined && timezone === undefined) throw invalid('timezone', 'inclusion')
  const holder = mention_name === undefined ? undefined : await findUserByMentionName(tx, mention_name)
  if (holder && holder.id !== user.id) throw invalid('mention_name', 'taken')
  const avatar_sha256 = await claimImage(tx, avatar)
  const spoken = chosenLanguage(user, { language, locale: changes.locale })
  return updateUser(tx, user, {
    ...toColumns(definition.attributes, changes),
    ...(spoken && toStoredLanguage(spoken)),
    default_currency,
    timezone,
    avatar_sha256,
  })
}

/** The requested language. A client that knows only `locale` sends back the `language` that it read; then the one that changed counts. */
function chosenLanguage(user: Row<'users'>, { language, locale }: Pick<UpdatePreferences, 'language' | 'locale'>): Language | undefined {
  if (language === undefined) return locale
  const isSentBack = language === languageOf(user) && locale !== undefined && locale !== user.locale
  return isSentBack ? locale : language
}
