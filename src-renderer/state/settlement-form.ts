import { parseAmountInput, writeAmount } from '#shared/domain/amount-text'
import type { Language } from '#shared/domain/locales'
import { dayOf, parseDateInput } from './date-input'

/** A reimbursement, an advancement or a devolution as a person writes it. */
export type SettlementForm = {
  readonly receiver_id: number | null
  readonly amount: string
  readonly currency: string
  readonly date: string
  readonly description: string
  readonly tags: readonly string[]
}

/** The name of a field of the form. */
export type SettlementField = keyof SettlementForm

/** How a person writes. `today` is `YYYY-MM-DD`, `timezone` an IANA name. */
export type SettlementWriting = { readonly language: Language; readonly timezone: string; readonly today: string }

/** Why a field means nothing; worded under `ui:problem`. */
export type SettlementProblem = 'blank' | 'not_a_number' | 'too_precise' | 'too_large' | 'not_positive' | 'not_a_date'

/** The result of a form, as the API takes it (contract 4.1 to 4.3). */
export type SettlementValues = {
  readonly receiver: { readonly id: number; readonly type: 'User' }
  readonly amount: number
  readonly currency: string
  readonly date: string
  readonly description: string | null
  readonly tags: readonly string[]
}

/** The value of a form, or its errors by field. */
export type SettlementOutcome =
  | { readonly kind: 'ok'; readonly values: SettlementValues }
  | { readonly kind: 'invalid'; readonly problems: Readonly<Partial<Record<SettlementField, SettlementProblem>>> }

/** The day `YYYY-MM-DD` for editing: `31/12/2026`. */
export function writeDay(day: string): string {
  return day.split('-').toReversed().join('/')
}

/** The day of an instant: a plain date keeps its day, a moment has the one of the timezone. */
function dayOfInstant(instant: string, timezone: string): string {
  return instant.endsWith('T00:00:00Z') ? instant.slice(0, 10) : dayOf(new Date(instant), timezone)
}

/** The form of a stored settlement. */
export function toSettlementForm(
  stored: { receiver: { id: number }; amount: number; currency: string; date: string; description: string | null; tags: readonly string[] },
  { language, timezone }: SettlementWriting,
): SettlementForm {
  return {
    receiver_id: stored.receiver.id,
    amount: writeAmount(stored.amount, { currency: stored.currency, language }),
    currency: stored.currency,
    date: writeDay(dayOfInstant(stored.date, timezone)),
    description: stored.description ?? '',
    tags: stored.tags,
  }
}

/** Reads a form; what cannot be understood is named by its field. */
export function readSettlement(form: SettlementForm, { language, today }: SettlementWriting): SettlementOutcome {
  const money = parseAmountInput(form.amount, { currency: form.currency, language })
  const day = parseDateInput(form.date, today)
  const { receiver_id } = form
  if (money.kind === 'ok' && day.kind === 'ok' && receiver_id !== null) {
    const description = form.description.trim()
    return {
      kind: 'ok',
      values: {
        receiver: { id: receiver_id, type: 'User' },
        amount: money.amount,
        currency: form.currency,
        date: day.date,
        description: description === '' ? null : description,
        tags: form.tags,
      },
    }
  }
  return {
    kind: 'invalid',
    problems: {
      ...(receiver_id === null ? { receiver_id: 'blank' } : {}),
      ...(money.kind === 'ok' ? {} : { amount: money.kind === 'empty' ? 'blank' : money.kind }),
      ...(day.kind === 'ok' ? {} : { date: day.kind === 'empty' ? 'blank' : day.kind }),
    },
  }
}

/** The values that differ from those of the form as it was opened: the body of PATCH. */
export function changedValues(before: SettlementForm, after: SettlementForm, values: SettlementValues): Partial<SettlementValues> {
  const changed = (field: SettlementField) => JSON.stringify(before[field]) !== JSON.stringify(after[field])
  return {
    ...(changed('receiver_id') ? { receiver: values.receiver } : {}),
    ...(changed('amount') || changed('currency') ? { amount: values.amount, currency: values.currency } : {}),
    ...(changed('date') ? { date: values.date } : {}),
    ...(changed('description') ? { description: values.description } : {}),
    ...(changed('tags') ? { tags: values.tags } : {}),
  }
}
