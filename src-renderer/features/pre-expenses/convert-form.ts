import type { PreExpense } from '#shared/contract/pre-expenses'
import { splitTagNames } from '#shared/domain/tags'
import type { Conversion } from '../../api/pre-expenses'
import { parseAmountInput, writeAmount } from '#shared/domain/amount-text'
import type { Language } from '#shared/domain/locales'
import { dayOf, parseDateInput } from '../../state/date-input'
import { writeDay } from '../../state/settlement-form'
import { isPlainDate } from '../../ui/values/format'

/** A conversion as a person writes it. */
export type ConvertForm = {
  readonly payer_id: number | null
  readonly amount: string
  readonly currency: string
  readonly date: string
  readonly description: string
  readonly tags: readonly string[]
  readonly isThroughAdvancement: boolean
  /** Why it is not as policies want it. */
  readonly justification: string
}

/** How a person writes. `today` is `YYYY-MM-DD`, `timezone` an IANA name. */
export type Writing = { readonly language: Language; readonly timezone: string; readonly today: string }

/** Why a field means nothing, by the contract's name of the attribute; worded under `ui:problem`. */
export type ConvertProblems = Readonly<Partial<Record<'payer' | 'amount' | 'occurred_at', string>>>

/** The result of a form. */
export type ConvertOutcome =
  { readonly kind: 'ok'; readonly body: Conversion } | { readonly kind: 'invalid'; readonly problems: ConvertProblems }

/** The form filled with what the pre-expense knows; `fallback` is for what it does not. */
export function toConvertForm(
  { amount, currency: known, occurred_at, description, tags }: PreExpense,
  fallback: { payer_id: number | null; currency: string },
  { language, timezone }: Writing,
): ConvertForm {
  const currency = known ?? fallback.currency
  return {
    payer_id: fallback.payer_id,
    amount: amount === null ? '' : writeAmount(amount, { currency, language }),
    currency,
    date: occurred_at === null ? '' : writeDay(dayOfInstant(occurred_at, timezone)),
    description: description ?? '',
    tags: splitTagNames(tags, () => false),
    isThroughAdvancement: false,
    justification: '',
  }
}

function dayOfInstant(instant: string, timezone: string): string {
  return isPlainDate(instant) ? instant.slice(0, 10) : dayOf(new Date(instant), timezone)
}

/** Reads a form that began as `before`. Unchanged values are not sent: the pre-expense has them more exactly, with a time for the day. */
export function readConvertForm(
  before: ConvertForm,
  form: ConvertForm,
  { language, today }: Pick<Writing, 'language' | 'today'>,
): ConvertOutcome {
  const money = parseAmountInput(form.amount, { currency: form.currency, language })
  const isDayKept = form.date === before.date && before.date !== ''
  const day = isDayKept ? undefined : parseDateInput(form.date, today)
  if (form.payer_id === null || money.kind !== 'ok' || (day && day.kind !== 'ok'))
    return {
      kind: 'invalid',
      problems: {
        ...(form.payer_id === null ? { payer: 'blank' } : {}),
        ...(money.kind === 'ok' ? {} : { amount: money.kind === 'empty' ? 'blank' : money.kind }),
        ...(!day || day.kind === 'ok' ? {} : { occurred_at: day.kind === 'empty' ? 'blank' : day.kind }),
      },
    }
  const description = form.description.trim()
  return {
    kind: 'ok',
    body: {
      payer: { id: form.payer_id, type: 'Organization' },
      amount: money.amount,
      currency: form.currency,
      liquidate_through_advancement: form.isThroughAdvancement,
      ...(day ? { occurred_at: day.date } : {}),
      ...(form.description === before.description ? {} : { description: description === '' ? null : description }),
      ...(form.justification.trim() === '' ? {} : { justification: form.justification.trim() }),
      ...(form.tags.join() === before.tags.join() ? {} : { tags: [...form.tags] }),
    },
  }
}
