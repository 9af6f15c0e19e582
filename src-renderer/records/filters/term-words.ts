import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { ExpenseSummary } from '#shared/contract/expenses'
import { handedOverChoices } from '#shared/contract/filters'
import type { Language } from '#shared/domain/locales'
import { noFinding } from '#shared/domain/review-queues'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import { formatComparedAmount, formatDay, formatExactMoment, formatMonth } from '../../ui/values/format'
import { useOtherNames } from './filter-choices'
import { flagChoiceOf, isMoment, kindOf, me, type FilterTerm } from './filter-terms'
import { expenseStatuses, type ExpenseStatus } from '#shared/domain/expense-status'

/** A filter in words. */
export type TermWords = { readonly attribute: string; readonly operator: string | undefined; readonly value: string }

type Translate = TFunction<['review', 'status', 'policies']>

/** Turns these filters into words of the user's language. `people` names the claimants. */
export function useTermWords(people: ExpenseSummary | undefined, terms: readonly FilterTerm[]): (term: FilterTerm) => TermWords {
  const { t } = useTranslation(['review', 'status', 'policies'])
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const names = useOtherNames(terms.map(({ attribute }) => kindOf(attribute)))
  return (term) => {
    const kind = kindOf(term.attribute)
    const isPlain = term.operator === 'is'
    return {
      attribute: t([`review:attribute.${term.attribute}`, `expense:fields.${term.attribute}`]),
      operator: isPlain || kind === 'flag_level' ? undefined : t(`review:operator.${kind === 'day' ? 'day' : 'value'}.${term.operator}`),
      value:
        kind === 'day'
          ? isMoment(term.value)
            ? formatExactMoment(term.value, { language, timezone, now: now() })
            : formatDay(`${term.value}T00:00:00Z`, { language, timezone, now: now() })
          : kind === 'amount'
            ? formatComparedAmount(term.value, { currency: undefined, language })
            : (names[kind]?.find(({ value }) => value === term.value)?.label ?? wordOf(t, term, { people, language })),
    }
  }
}

function wordOf(
  t: Translate,
  { attribute, value }: FilterTerm,
  { people, language }: { people: ExpenseSummary | undefined; language: Language },
): string {
  switch (kindOf(attribute)) {
    case 'receiver':
      return people?.groups.find(({ key }) => String(key) === value)?.label ?? `#${value}`
    case 'status':
      return isExpenseStatus(value) ? t(`status:${value}`) : value
    case 'kind':
      return t(`review:kind.${value === 'distance' ? 'distance' : 'monetary'}`)
    case 'has_tag':
      return t(value === '1' ? 'review:hasTag.yes' : 'review:hasTag.no')
    case 'flag':
      return value === noFinding ? t('review:flag.none') : t([`policies:condition.${value}`, value])
    case 'card':
      return value === '' ? t('review:noCard') : `#${value}`
    case 'responsible':
      if (value === me) return t('review:responsibleMe')
      return value === '' ? t('review:noResponsible') : `#${value}`
    case 'policy':
      return `#${value}`
    case 'has_receipt':
      return t(value === '1' ? 'review:hasReceipt.yes' : 'review:hasReceipt.no')
    case 'handed_over':
      return t(`review:handedOver.${handedOverChoices.find((known) => known === value) ?? 'yes'}`)
    case 'flag_level':
      return t(`policies:filter.${flagChoiceOf(value)}`)
    case 'supplier':
    case 'name':
      return value === '' ? t('review:noSupplier') : value
    case 'month':
      return formatMonth(value, language)
    case 'tag':
    case 'amount':
    case 'currency':
    case 'day':
    case 'text':
      return value
  }
}

/** Whether a text is an expense status. */
function isExpenseStatus(text: string): text is ExpenseStatus {
  return expenseStatuses.some((status) => status === text)
}
