import { parseAmountInput, parseDistance } from '#shared/domain/amount-text'
import type { Language } from '#shared/domain/locales'
import { parseAmount } from '#shared/domain/money'
import type { JudgedExpense } from '#shared/domain/policies'
import { type Invoice, toFacts } from '#shared/invoices/invoice'
import { parseDateInput } from '../../state/date-input'

/** An expense as a form holds it. `receipts`: how many it has or will have; `stored`: what is known of it already, if it is stored. */
export interface WrittenExpense {
  readonly kind: 'monetary' | 'distance'
  readonly amount: string
  readonly currency: string
  readonly distance: string
  readonly distance_kind: 'km' | 'mi' | null
  readonly day: string
  readonly description: string
  readonly supplier_name: string
  readonly location: string
  readonly justification: string
  readonly tags: readonly string[]
  readonly receipts: number
  /** The electronic invoices among them, as far as they have been read. */
  readonly invoices: readonly Invoice[]
  /** Null: the person who writes. */
  readonly receiver_id: number | null
  /** The company card that paid, where the form asks for it. */
  readonly card_id?: number | null
  /** What it is converted from, where it is not stored yet. */
  readonly pre_expense_id?: number
  readonly stored?: {
    readonly id: number
    readonly created_at: string
    readonly corporative_card_id: number | null
    readonly pre_expense_id: number | null
    readonly paid_on: string | null
  }
}

/** What a form is read with. `today`: `YYYY-MM-DD`; `now`: a UTC instant; `user_id`: the person who writes. */
export interface Writing {
  readonly language: Language
  readonly today: string
  readonly now: string
  readonly user_id: number
  readonly tags: ReadonlyArray<{ readonly id: number; readonly name: string }>
}

/** What policies look at of an expense as it is written; undefined until its amount and date can be read. */
export function readWritten(written: WrittenExpense, writing: Writing): Omit<JudgedExpense, 'others'> | undefined {
  const { currency, stored } = written
  const { language, today, tags } = writing
  const read = parseAmountInput(written.amount, { currency, language })
  const money = read.kind === 'ok' ? parseAmount(read.amount, currency) : undefined
  const day = parseDateInput(written.day, today)
  if ((written.kind === 'monetary' && money?.kind !== 'ok') || day.kind === 'not_a_date') return undefined
  const textOf = (text: string) => (text.trim() === '' ? null : text.trim())
  return {
    // Until there is a date, as of today.
    occurred_at: `${day.kind === 'ok' ? day.date : today}T00:00:00Z`,
    created_at: stored?.created_at ?? writing.now,
    receiver_id: written.receiver_id ?? writing.user_id,
    kind: written.kind,
    amount_minor: money?.kind === 'ok' ? money.amount_minor : 0,
    currency,
    approved_amount_currency: null,
    distance: parseDistance(written.distance, language) ?? null,
    distance_kind: written.distance_kind,
    description: textOf(written.description),
    supplier_name: textOf(written.supplier_name),
    location: textOf(written.location),
    justification: textOf(written.justification),
    corporative_card_id: written.card_id === undefined ? (stored?.corporative_card_id ?? null) : written.card_id,
    pre_expense_id: stored?.pre_expense_id ?? written.pre_expense_id ?? null,
    paid_on: stored?.paid_on ?? null,
    attachments_count: written.receipts,
    invoices: written.invoices.map(toFacts),
    tag_ids: tags.filter(({ name }) => written.tags.includes(name)).map(({ id }) => id),
  }
}
