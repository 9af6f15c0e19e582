import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ExpenseSummary } from '#shared/contract/expenses'
import { currencyExponents } from '#shared/domain/currencies'
import { handedOverChoices } from '#shared/contract/filters'
import { expenseStatuses } from '#shared/domain/expense-status'
import { flagConditions } from '#shared/domain/policies/terms'
import { noFinding } from '#shared/domain/review-queues'
import { cardKeys, readCardPage } from '../../api/corporative-cards'
import { useExpenseNames } from '../../api/expenses'
import { readWhole } from '../../api/pages'
import { policiesOf } from '../policies'
import { usePreferences } from '../../state/preferences'
import { type TermKind, me } from './filter-terms'

/** The names that filters can be chosen from: claimants and tags of the current list. */
export type FilterNames = { readonly people: ExpenseSummary | undefined; readonly tags: ExpenseSummary | undefined }

/** One of the values that a filter can have. */
export type Choice = { readonly value: string; readonly label: string }

/** The filters by how much was found. */
export const flagKinds = ['clean', 'found', 'blocked'] as const

/** The names of policies, cards and deciders, each read only where a filter of its kind is shown. */
export function useOtherNames(kinds: readonly TermKind[]): Partial<Record<TermKind, readonly Choice[]>> {
  const organizationId = usePreferences((state) => state.organizationId)
  const isAsked = (kind: TermKind) => organizationId !== null && kinds.includes(kind)
  const scope = { kind: 'organization', organizationId: organizationId ?? 0 } as const
  const policy = useQuery({ ...policiesOf(organizationId ?? 0), enabled: isAsked('policy') }).data
  const card = useQuery({
    queryKey: [...cardKeys.list(scope), 'names'],
    queryFn: ({ signal }) => readWhole((page) => readCardPage(scope, page, signal)),
    enabled: isAsked('card'),
  }).data
  const responsible = useExpenseNames(organizationId, 'responsible', isAsked('responsible')).data
  const supplier = useExpenseNames(organizationId, 'supplier', isAsked('supplier')).data
  return {
    ...(policy ? { policy: named(policy) } : {}),
    ...(card ? { card: named(card) } : {}),
    ...(responsible ? { responsible: namedGroups(responsible) } : {}),
    ...(supplier ? { supplier: namedGroups(supplier) } : {}),
  }
}

function named(records: readonly { readonly id: number; readonly name: string }[]): Choice[] {
  return records.map(({ id, name }) => ({ value: String(id), label: name })).toSorted((a, b) => a.label.localeCompare(b.label))
}

function namedGroups(summary: ExpenseSummary | undefined): Choice[] {
  return (summary?.groups ?? [])
    .flatMap(({ key, label }) => (key === null ? [] : [{ value: String(key), label: label ?? `#${key}` }]))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}

/** What a filter of this kind is chosen from; undefined where it is typed. */
export function useChoices(kind: TermKind, { people, tags }: FilterNames): readonly Choice[] | undefined {
  const { t } = useTranslation('review')
  const fixed = useFixedChoices(kind)
  const others = useOtherNames([kind === 'name' ? 'supplier' : kind])
  switch (kind) {
    case 'receiver':
      return namedGroups(people)
    case 'tag':
    case 'has_tag':
      return [
        { value: ',1', label: t('hasTag.any') },
        { value: ',0', label: t('hasTag.none') },
        ...textGroups(tags).filter(({ value }) => !value.startsWith(',')),
      ]
    case 'supplier':
    case 'name':
      return [{ value: ',supplier', label: t('noSupplier') }, ...(others.supplier ?? []).filter(({ value }) => value !== ',supplier')]
    case 'policy':
      return others.policy ?? []
    case 'card':
      return [{ value: ',card', label: t('noCard') }, ...(others.card ?? [])]
    case 'responsible':
      return [{ value: me, label: t('responsibleMe') }, { value: ',responsible', label: t('noResponsible') }, ...(others.responsible ?? [])]
    case 'currency':
      return currenciesFirst(people).map((code) => ({ value: code, label: code }))
    default:
      return fixed
  }
}

/** The values of a filter that has few; undefined for others. */
function useFixedChoices(kind: TermKind): readonly Choice[] | undefined {
  const { t } = useTranslation(['review', 'status', 'policies'])
  switch (kind) {
    case 'flag_level':
      return flagKinds.map((value) => ({ value, label: t(`policies:filter.${value}`) }))
    case 'flag':
      return [
        { value: noFinding, label: t('review:flag.none') },
        ...flagConditions.map((value) => ({ value, label: t(`policies:condition.${value}`) })),
      ]
    case 'has_receipt':
      return [
        { value: '0', label: t('review:hasReceipt.no') },
        { value: '1', label: t('review:hasReceipt.yes') },
      ]
    case 'handed_over':
      return handedOverChoices.map((value) => ({ value, label: t(`review:handedOver.${value}`) }))
    case 'status':
      return expenseStatuses.map((status) => ({ value: status, label: t(`status:${status}`) }))
    case 'kind':
      return [
        { value: 'monetary', label: t('review:kind.monetary') },
        { value: 'distance', label: t('review:kind.distance') },
      ]
    default:
      return undefined
  }
}

function textGroups(summary: ExpenseSummary | undefined): Choice[] {
  return (summary?.groups ?? []).flatMap(({ key }) => (typeof key === 'string' ? [{ value: key, label: key }] : []))
}

/** The currencies that occur before all others. */
function currenciesFirst(summary: ExpenseSummary | undefined): string[] {
  const met = new Set((summary?.groups ?? []).flatMap(({ totals }) => totals.map(({ currency }) => currency)))
  return [...met, ...Object.keys(currencyExponents).filter((code) => !met.has(code))]
}
