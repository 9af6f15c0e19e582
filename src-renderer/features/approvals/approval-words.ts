import { useTranslation } from 'react-i18next'
import type { ApprovalRuleRepresentation } from '#shared/contract/organization-records/approval-rules'
import { localeOf } from '#shared/domain/locales'
import type { FieldValue } from '../../state/form-edit'
import { usePreferences } from '../../state/preferences'
import { formatMoney } from '../../ui/values/format'

type Named = { readonly id: number; readonly name: string }
/** Whom the organization knows: its tags, and its members. */
export type Known = { readonly tags: readonly Named[]; readonly people: readonly Named[] }

/** What approval rules say, in words. */
export function useApprovalWords({ tags, people }: Known) {
  const { t } = useTranslation('approvals')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const join = (parts: readonly string[]) => new Intl.ListFormat(localeOf(language).tag, { type: 'conjunction' }).format(parts)
  const tagName = (id: number) => tags.find((tag) => tag.id === id)?.name ?? t('deletedTag')
  const personName = (id: number) => people.find((person) => person.id === id)?.name ?? t('formerMember')
  return {
    tagName,
    personName,
    limit: ({ rule, amount, currency }: ApprovalRuleRepresentation): string =>
      amount === null || currency === null
        ? t('limit.any')
        : t(`limit.${rule}`, { amount: formatMoney({ amount, currency }, { language, display }) }),
    who: ({ user_ids }: ApprovalRuleRepresentation): string => join(user_ids.map(personName)),
    expenses: ({ tag_ids }: ApprovalRuleRepresentation): string => (tag_ids.length === 0 ? t('allExpenses') : join(tag_ids.map(tagName))),
    /** The choices of a field: all there are, and those chosen that are gone. */
    listed: (ids: readonly string[], all: readonly Named[], nameOf: (id: number) => string) => [
      ...all.map(({ id, name }) => ({ value: String(id), label: name })),
      ...ids.filter((id) => !all.some((one) => String(one.id) === id)).map((id) => ({ value: id, label: nameOf(Number(id)) })),
    ],
    fieldValue: (field: string, value: FieldValue): string | undefined => {
      if (field === 'rule') return t(`rule.${String(value)}`)
      const nameOf = field === 'tags' ? tagName : field === 'people' ? personName : undefined
      return nameOf && Array.isArray(value) ? join(value.map((id) => nameOf(Number(id)))) : undefined
    },
  }
}

/** The words of approval rules. */
export type ApprovalWords = ReturnType<typeof useApprovalWords>
