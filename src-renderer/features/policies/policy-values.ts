import type { PolicyRepresentation } from '#shared/contract/organization-records/policies'
import { parseAmountInput, writeAmount } from '#shared/domain/amount-text'
import type { Language } from '#shared/domain/locales'
import { type PolicyCondition, type PolicyTerm, type PolicyWeight, policyNeeds } from '#shared/domain/policies'
import { parseDateInput } from '../../state/date-input'

/** A policy as its form holds it. */
export type PolicyForm = {
  readonly name: string
  readonly condition: PolicyCondition
  readonly weight: PolicyWeight
  readonly amount: string
  readonly currency: string
  readonly days: string
  readonly tag: string
  readonly holds: string
}

/** What the form writes of a policy. */
export type PolicyFields = Pick<
  PolicyRepresentation,
  'name' | 'condition' | 'weight' | 'amount' | 'currency' | 'days' | 'tag_id' | 'holds_from'
>
/** The fields that cannot be stored, each with the key of why below `policies`. */
export type PolicyProblems = Readonly<Partial<Record<keyof PolicyForm, 'blank' | 'needs' | 'badAmount' | 'badDate'>>>

/** A policy as its form begins; without one, the usual one. */
export function toPolicyForm(
  policy: PolicyRepresentation | undefined,
  { language, currency }: { language: Language; currency: string },
): PolicyForm {
  if (!policy) return { name: '', condition: 'amount_over', weight: 'note', amount: '', currency, days: '', tag: '', holds: '' }
  const code = policy.currency ?? currency
  return {
    name: policy.name,
    condition: policy.condition,
    weight: policy.weight,
    amount: policy.amount === null ? '' : writeAmount(policy.amount, { currency: code, language }),
    currency: code,
    days: policy.days === null ? '' : String(policy.days),
    tag: policy.tag_id === null ? '' : String(policy.tag_id),
    holds: policy.holds_from?.slice(0, 10) ?? '',
  }
}

/** Whether a condition is measured by it. */
export function takesTerm(condition: PolicyCondition, term: PolicyTerm): boolean {
  const { needs, takes } = policyNeeds[condition]
  return needs.includes(term) || takes.includes(term)
}

/** What a form means, or what is wrong with it. `today`: `YYYY-MM-DD`. */
export function readPolicyForm(
  form: PolicyForm,
  { language, today }: { language: Language; today: string },
): { readonly kind: 'ok'; readonly fields: PolicyFields } | { readonly kind: 'wrong'; readonly problems: PolicyProblems } {
  const { condition, weight } = form
  const { needs } = policyNeeds[condition]
  const money = takesTerm(condition, 'amount') ? parseAmountInput(form.amount, { currency: form.currency, language }) : undefined
  const isUnlimited = money?.kind === 'empty' && !needs.includes('amount')
  const day = parseDateInput(form.holds, today)
  const hasDays = takesTerm(condition, 'days')
  const problems: PolicyProblems = {
    ...(form.name.trim() === '' ? { name: 'blank' } : {}),
    ...(money && money.kind !== 'ok' && !isUnlimited ? { amount: money.kind === 'empty' ? 'needs' : 'badAmount' } : {}),
    ...(hasDays && !/^\d{1,5}$/.test(form.days.trim()) ? { days: 'needs' } : {}),
    ...(day.kind === 'not_a_date' ? { holds: 'badDate' } : {}),
  }
  if (Object.keys(problems).length > 0) return { kind: 'wrong', problems }
  return {
    kind: 'ok',
    fields: {
      ...{ name: form.name.trim(), condition, weight },
      amount: money?.kind === 'ok' ? money.amount : null,
      currency: takesTerm(condition, 'currency') && !isUnlimited ? form.currency : null,
      days: hasDays ? Number(form.days) : null,
      tag_id: form.tag === '' || condition === 'tag_missing' ? null : Number(form.tag),
      holds_from: day.kind === 'ok' ? day.date : null,
    },
  }
}
