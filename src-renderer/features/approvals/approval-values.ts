import type { ApprovalRuleRepresentation } from '#shared/contract/organization-records/approval-rules'
import { parseAmountInput, writeAmount } from '#shared/domain/amount-text'
import type { Language } from '#shared/domain/locales'

/** An approval rule as its form holds it; records by their ids as texts. */
export type ApprovalForm = {
  readonly name: string
  readonly rule: ApprovalRuleRepresentation['rule']
  readonly people: readonly string[]
  readonly amount: string
  readonly currency: string
  readonly tags: readonly string[]
}

type Fields = Pick<ApprovalRuleRepresentation, 'name' | 'rule' | 'user_ids' | 'tag_ids'> & {
  amount: number | null
  currency: string | null
}
/** The fields that cannot be stored, each with the key of why below `approvals`. */
export type ApprovalProblems = Readonly<
  Partial<Record<keyof ApprovalForm, 'blank' | 'needs' | 'needsPeople' | 'needsAmount' | 'badAmount'>>
>

/** A rule as its form begins; without one, the usual one. */
export function toApprovalForm(
  rule: ApprovalRuleRepresentation | undefined,
  { language, currency }: { language: Language; currency: string },
): ApprovalForm {
  const code = rule?.currency ?? currency
  return {
    name: rule?.name ?? '',
    rule: rule?.rule ?? 'authority',
    people: (rule?.user_ids ?? []).map(String),
    amount: rule?.amount == null ? '' : writeAmount(rule.amount, { currency: code, language }),
    currency: code,
    tags: (rule?.tag_ids ?? []).map(String),
  }
}

/** What a form means, or what is wrong with it. */
export function readApprovalForm(
  form: ApprovalForm,
  language: Language,
): { readonly kind: 'ok'; readonly fields: Fields } | { readonly kind: 'wrong'; readonly problems: ApprovalProblems } {
  const money = parseAmountInput(form.amount, { currency: form.currency, language })
  const isAuthority = form.rule === 'authority'
  const mayBeAny = isAuthority && form.tags.length > 0
  const problems: ApprovalProblems = {
    ...(form.name.trim() === '' ? { name: 'blank' } : {}),
    ...(isAuthority && form.people.length === 0 ? { people: 'needsPeople' } : {}),
    ...(money.kind === 'empty' && !mayBeAny ? { amount: isAuthority ? 'needsAmount' : 'needs' } : {}),
    ...(money.kind !== 'ok' && money.kind !== 'empty' ? { amount: 'badAmount' } : {}),
  }
  if (Object.keys(problems).length > 0) return { kind: 'wrong', problems }
  const amount = money.kind === 'ok' ? money.amount : null
  return {
    kind: 'ok',
    fields: {
      name: form.name.trim(),
      rule: form.rule,
      user_ids: isAuthority ? form.people.map(Number) : [],
      ...{ amount, currency: amount === null ? null : form.currency },
      tag_ids: form.tags.map(Number),
    },
  }
}
