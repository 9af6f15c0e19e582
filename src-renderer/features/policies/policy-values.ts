import type { PolicyRepresentation } from '#shared/contract/organization-records/policies'
import { parseAmountInput, parseDistance, writeAmount, writeDistance } from '#shared/domain/amount-text'
import type { Language } from '#shared/domain/locales'
import {
  type PolicyCondition,
  type PolicyPeriod,
  type PolicyScope,
  type PolicyWeight,
  isMeasuredBy,
  policyNeeds,
} from '#shared/domain/policies/terms'
import { toBareTaxId } from '#shared/domain/policies/invoices'
import { formatTaxId, isCnpj, isCpf } from '#shared/domain/tax-ids'
import { parseDateInput } from '../../state/date-input'

/** A policy as its form holds it; records by their ids as texts. */
export type PolicyForm = {
  readonly name: string
  readonly condition: PolicyCondition
  readonly weight: PolicyWeight
  readonly amount: string
  readonly currency: string
  readonly days: string
  readonly period: PolicyPeriod
  readonly distance: string
  readonly distanceKind: 'km' | 'mi'
  /** As typed, or `YYYY-MM-DD`. */
  readonly dates: readonly string[]
  /** As typed. */
  readonly taxIds: readonly string[]
  readonly tags: readonly string[]
  readonly claimants: readonly string[]
  readonly currencies: readonly string[]
  /** Empty: both. */
  readonly kind: '' | 'monetary' | 'distance'
  readonly holds: string
}

/** What the form writes of a policy. */
export type PolicyFields = Omit<
  PolicyRepresentation,
  'id' | 'uid' | 'version' | 'created_at' | 'updated_at' | 'number' | 'versions' | '_links'
>
/** The fields that cannot be stored, each with the key of why below `policies`. */
export type PolicyProblems = Readonly<
  Partial<
    Record<
      keyof PolicyForm,
      'blank' | 'needs' | 'badAmount' | 'badDate' | 'badDates' | 'badTaxIds' | 'needsTags' | 'needsPeople' | 'needsCurrencies'
    >
  >
>

/** A policy as its form begins; without one, the usual one. */
export function toPolicyForm(
  policy: PolicyRepresentation | undefined,
  { language, currency }: { language: Language; currency: string },
): PolicyForm {
  const code = policy?.currency ?? currency
  const [kind, ...more] = policy?.kinds ?? []
  return {
    name: policy?.name ?? '',
    condition: policy?.condition ?? 'amount_over',
    weight: policy?.weight ?? 'note',
    amount: policy?.amount == null ? '' : writeAmount(policy.amount, { currency: code, language }),
    currency: code,
    days: policy?.days == null ? '' : String(policy.days),
    period: policy?.period ?? 'day',
    distance: policy?.distance == null ? '' : writeDistance(policy.distance, language),
    distanceKind: policy?.distance_kind ?? 'km',
    dates: policy?.dates ?? [],
    taxIds: (policy?.tax_ids ?? []).map(formatTaxId),
    tags: (policy?.tag_ids ?? []).map(String),
    claimants: (policy?.claimant_ids ?? []).map(String),
    currencies: policy?.currencies ?? [],
    kind: more.length > 0 || (kind !== 'monetary' && kind !== 'distance') ? '' : kind,
    holds: policy?.holds_from?.slice(0, 10) ?? '',
  }
}

/** The scopes that narrow a condition; what it is measured by is asked for elsewhere, and what cannot hold with it is not offered. */
export function scopesOf(condition: PolicyCondition): PolicyScope[] {
  const all = (['tag_ids', 'claimant_ids', 'currencies', 'kinds'] as const).filter((scope) => !isMeasuredBy(condition, scope))
  const never: readonly PolicyScope[] =
    condition === 'tag_missing'
      ? ['tag_ids']
      : condition === 'distance_over' || condition === 'distance_sum_over'
        ? ['kinds']
        : isMeasuredBy(condition, 'currency')
          ? ['currencies']
          : []
  return all.filter((scope) => !never.includes(scope))
}

const missing = {
  tag_ids: ['tags', 'needsTags'],
  claimant_ids: ['claimants', 'needsPeople'],
  currencies: ['currencies', 'needsCurrencies'],
} as const

/** The days of holidays as they were typed; those that are no dates stay as they are. */
export function readDays(dates: readonly string[], today: string): string[] {
  return dates.map((text) => {
    const read = parseDateInput(text, today)
    return read.kind === 'ok' ? read.date : text
  })
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)

type Reading = { language: Language; today: string }

function readTerms(form: PolicyForm, { language }: Reading) {
  const has = (term: Parameters<typeof isMeasuredBy>[1]) => isMeasuredBy(form.condition, term)
  const money = has('amount') ? parseAmountInput(form.amount, { currency: form.currency, language }) : undefined
  const isUnlimited = money?.kind === 'empty' && !policyNeeds[form.condition].needs.includes('amount')
  const distance = has('distance') ? parseDistance(form.distance, language) : undefined
  const areDaysGiven = /^\d{1,5}$/.test(form.days.trim())
  const isWithoutDays = form.days.trim() === '' && !policyNeeds[form.condition].needs.includes('days')
  const areTaxIds = form.taxIds.every((text) => isCnpj(toBareTaxId(text)) || isCpf(toBareTaxId(text)))
  const problems: PolicyProblems = {
    ...(money && money.kind !== 'ok' && !isUnlimited ? { amount: money.kind === 'empty' ? 'needs' : 'badAmount' } : {}),
    ...(has('days') && !areDaysGiven && !isWithoutDays ? { days: 'needs' } : {}),
    ...(has('distance') && distance === undefined ? { distance: 'needs' } : {}),
    ...(has('dates') && form.dates.length === 0 ? { dates: 'needs' } : {}),
    ...(has('dates') && !form.dates.every(isDay) ? { dates: 'badDates' } : {}),
    ...(has('tax_ids') && form.taxIds.length === 0 ? { taxIds: 'needs' } : {}),
    ...(has('tax_ids') && !areTaxIds ? { taxIds: 'badTaxIds' } : {}),
  }
  const fields = {
    amount: money?.kind === 'ok' ? money.amount : null,
    currency: has('currency') && !isUnlimited ? form.currency : null,
    days: has('days') && areDaysGiven ? Number(form.days) : null,
    period: has('period') ? form.period : null,
    distance: distance ?? null,
    distance_kind: has('distance') ? form.distanceKind : null,
    dates: has('dates') ? [...form.dates] : [],
    tax_ids: has('tax_ids') ? form.taxIds.map(toBareTaxId) : [],
  }
  return { problems, fields }
}

function readScope(form: PolicyForm) {
  const offered = scopesOf(form.condition)
  const isAsked = (scope: PolicyScope) => offered.includes(scope) || isMeasuredBy(form.condition, scope)
  const fields = {
    tag_ids: isAsked('tag_ids') ? form.tags.map(Number) : [],
    claimant_ids: isAsked('claimant_ids') ? form.claimants.map(Number) : [],
    currencies: isAsked('currencies') ? [...form.currencies] : [],
    kinds: isAsked('kinds') && form.kind !== '' ? [form.kind] : [],
  }
  const needed = (['tag_ids', 'claimant_ids', 'currencies'] as const).filter((scope) => isMeasuredBy(form.condition, scope))
  const problems: PolicyProblems = Object.fromEntries(needed.filter((scope) => fields[scope].length === 0).map((scope) => missing[scope]))
  return { problems, fields }
}

/** What a form means, or what is wrong with it. `today`: `YYYY-MM-DD`. */
export function readPolicyForm(
  form: PolicyForm,
  reading: Reading,
): { readonly kind: 'ok'; readonly fields: PolicyFields } | { readonly kind: 'wrong'; readonly problems: PolicyProblems } {
  const { condition, weight } = form
  const [terms, scope, day] = [readTerms(form, reading), readScope(form), parseDateInput(form.holds, reading.today)]
  const problems: PolicyProblems = {
    ...(form.name.trim() === '' ? { name: 'blank' } : {}),
    ...terms.problems,
    ...scope.problems,
    ...(day.kind === 'not_a_date' ? { holds: 'badDate' } : {}),
  }
  if (Object.keys(problems).length > 0) return { kind: 'wrong', problems }
  const holds_from = day.kind === 'ok' ? day.date : null
  return { kind: 'ok', fields: { name: form.name.trim(), condition, weight, holds_from, ...terms.fields, ...scope.fields } }
}
