import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Tag } from '#shared/contract/tags'

/** Says who may use a tag; only people who manage tags see whom it is restricted to. */
export function useUsableText(people: ReadonlyArray<{ readonly id: number; readonly name: string }>): (tag: Tag) => string {
  const { t } = useTranslation('tags')
  return useCallback(
    ({ restricted_user_ids, usable }) => {
      if (restricted_user_ids === undefined) return t(usable ? 'everybody' : 'onlyOthers')
      const [first] = restricted_user_ids
      if (first === undefined) return t('everybody')
      const name = people.find(({ id }) => id === first)?.name ?? t('formerMember')
      return t('people', { count: restricted_user_ids.length, name })
    },
    [t, people],
  )
}
