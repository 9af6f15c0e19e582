import { useTranslation } from 'react-i18next'
import type { PolicyRepresentation } from '#shared/contract/organization-records/policies'
import type { Tag } from '#shared/contract/tags'
import { writeDistance } from '#shared/domain/amount-text'
import { localeOf } from '#shared/domain/locales'
import { formatTaxId } from '#shared/domain/tax-ids'
import { usePreferences } from '../../state/preferences'
import { formatMoney } from '../../ui/values/format'
import { scopesOf } from './policy-values'

/** Whom the organization knows: its tags, and its members. */
export type Known = { readonly tags: readonly Tag[]; readonly people: ReadonlyArray<{ readonly id: number; readonly name: string }> }

/** What a policy measures by, and which expenses it is for, in words. */
export function usePolicyWords({ tags, people }: Known) {
  const { t } = useTranslation('policies')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const join = (parts: readonly string[]) => new Intl.ListFormat(localeOf(language).tag, { type: 'disjunction' }).format(parts)
  const tagName = (id: number) => tags.find((tag) => tag.id === id)?.name ?? t('deletedTag')
  const personName = (id: number) => people.find((person) => person.id === id)?.name ?? t('formerMember')
  const measured = ({ amount, currency, days, distance, distance_kind, dates }: PolicyRepresentation): string => {
    if (amount !== null && currency !== null) return t('limit.over', { amount: formatMoney({ amount, currency }, { language, display }) })
    if (distance !== null) return t('limit.over', { amount: `${writeDistance(distance, language)} ${distance_kind ?? 'km'}` })
    if (dates.length > 0) return t('limit.dates', { count: dates.length })
    return days === null ? '' : t('limit.days', { count: days })
  }
  return {
    tagName,
    personName,
    limit: (policy: PolicyRepresentation): string => {
      const { condition, period, tax_ids, tag_ids, claimant_ids, currencies } = policy
      if (condition === 'currency_other') return t('limit.not', { currency: join(currencies) })
      if (condition === 'tag_other') return t('limit.not', { currency: join(tag_ids.map(tagName)) })
      if (condition === 'invoice_buyer') return t('limit.not', { currency: join(tax_ids.map(formatTaxId)) })
      if (condition === 'tag_not_allowed')
        return t('limit.onlyFor', { tags: join(tag_ids.map(tagName)), people: join(claimant_ids.map(personName)) })
      return [measured(policy), period === null ? '' : t(`period.${period}`)].filter(Boolean).join(' ')
    },
    scope: ({ condition, tag_ids, claimant_ids, currencies, kinds }: PolicyRepresentation): string => {
      const parts = scopesOf(condition).flatMap((scope) => {
        if (scope === 'tag_ids') return tag_ids.length === 0 ? [] : join(tag_ids.map(tagName))
        if (scope === 'claimant_ids') return claimant_ids.length === 0 ? [] : join(claimant_ids.map(personName))
        if (scope === 'currencies') return currencies.length === 0 ? [] : join(currencies)
        return kinds.length === 1 ? t(`kind.${kinds[0] === 'distance' ? 'distance' : 'monetary'}`) : []
      })
      return parts.length === 0 ? t('allExpenses') : parts.join(' · ')
    },
  }
}

/** The words of policies. */
export type PolicyWords = ReturnType<typeof usePolicyWords>
