import { useTranslation } from 'react-i18next'
import type { PolicyRepresentation } from '#shared/contract/organization-records/policies'
import type { Tag } from '#shared/contract/tags'
import { usePreferences } from '../../state/preferences'
import { formatMoney } from '../../ui/values/format'

/** What a policy measures by, and which expenses it is for, in words. */
export function usePolicyWords(tags: readonly Tag[]) {
  const { t } = useTranslation('policies')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  return {
    limit: ({ condition, amount, currency, days }: PolicyRepresentation): string => {
      if (amount !== null && currency !== null)
        return t('limit.over', { amount: formatMoney({ amount, currency }, { language, display }) })
      if (condition === 'currency_other') return t('limit.not', { currency })
      return days === null ? '' : t('limit.days', { count: days })
    },
    tag: ({ tag_id }: PolicyRepresentation): string =>
      tag_id === null ? t('allTags') : (tags.find(({ id }) => id === tag_id)?.name ?? t('deletedTag')),
  }
}
