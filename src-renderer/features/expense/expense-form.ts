import { perName } from '#shared/contract/attributes'
import type { Expense } from '#shared/contract/expenses'
import { type PlainField, plainFields } from '#shared/records/expense'
import { isPlainDate } from '../../ui/values/format'
import { parseAmountInput, parseDistance, writeAmount, writeDistance } from '#shared/domain/amount-text'
import type { Language } from '#shared/domain/locales'
import { dayOf, parseDateInput } from '../../state/date-input'
import { changedFields } from '../../state/form-edit'

/** The fields of an expense as a person writes them. `receiver`: a user id as text. */
export type ExpenseForm = {
  readonly description: string
  readonly amount: string
  readonly currency: string
  readonly occurred_at: string
  readonly tags: readonly string[]
  readonly receiver: string
  /** A card's id as text; empty: none. */
  readonly corporative_card_id: string
  readonly liquidate_through_advancement: boolean
  readonly distance: string
  readonly distance_kind: string
  readonly origin: string
  readonly destination: string
} & { readonly [K in PlainField]: string }

/** The name of a field of the form, which is the attribute's. */
export type ExpenseField = keyof ExpenseForm

/** How a person writes. `today` is `YYYY-MM-DD` and `timezone` an IANA name. */
export type Writing = { readonly language: Language; readonly timezone: string; readonly today: string }

/** The result of a form: the changed attributes, as PATCH takes them, or errors by field, as keys of texts. */
export type FormOutcome =
  | { readonly kind: 'ok'; readonly changes: Readonly<Partial<Record<ExpenseField, unknown>>> }
  | { readonly kind: 'invalid'; readonly errors: Readonly<Partial<Record<ExpenseField, string>>> }

/** The day of an expense for editing: a plain date keeps its day, an instant has the day in the timezone. */
function dayOfExpense(occurred_at: string, timezone: string): string {
  return isPlainDate(occurred_at) ? occurred_at.slice(0, 10) : dayOf(new Date(occurred_at), timezone)
}

/** The form of a stored expense. */
export function toForm(expense: Expense, { language, timezone }: Pick<Writing, 'language' | 'timezone'>): ExpenseForm {
  return {
    description: expense.description ?? '',
    amount: writeAmount(expense.amount, { currency: expense.currency, language }),
    currency: expense.currency,
    occurred_at: dayOfExpense(expense.occurred_at, timezone).split('-').toReversed().join('/'),
    tags: expense.tags === '' ? [] : expense.tags.split(', '),
    ...perName(plainFields, (name) => expense[name] ?? ''),
    receiver: String(expense.receiver.id),
    corporative_card_id: String(expense.corporative_card_id ?? ''),
    liquidate_through_advancement: expense.liquidate_through_advancement,
    distance: expense.distance == null ? '' : writeDistance(expense.distance, language),
    distance_kind: expense.distance_kind ?? 'km',
    origin: expense.origin ?? '',
    destination: expense.destination ?? '',
  }
}

type FieldOutcome = { readonly value: unknown } | { readonly error: string }

const isPlainField = (name: ExpenseField): name is PlainField => plainFields.some((plain) => plain === name)

function readText(text: string): FieldOutcome {
  return { value: text.trim() === '' ? null : text.trim() }
}

function readField(name: ExpenseField, form: ExpenseForm, writing: Writing): FieldOutcome {
  if (isPlainField(name)) return readText(form[name])
  switch (name) {
    case 'amount': {
      const read = parseAmountInput(form.amount, { currency: form.currency, language: writing.language })
      return read.kind === 'ok' ? { value: read.amount } : { error: `amount.${read.kind}` }
    }
    case 'occurred_at': {
      const read = parseDateInput(form.occurred_at, writing.today)
      return read.kind === 'ok' ? { value: read.date } : { error: `date.${read.kind}` }
    }
    case 'distance': {
      if (form.distance.trim() === '') return { value: null }
      const value = parseDistance(form.distance, writing.language)
      return value === undefined ? { error: 'distance.not_a_number' } : { value }
    }
    case 'tags':
      // One text: a tag's name may have commas, and only the server knows which pieces are one name.
      return { value: form.tags.join(', ') }
    case 'receiver':
      return { value: { id: Number(form.receiver), type: 'User' } }
    case 'corporative_card_id':
      return { value: form.corporative_card_id === '' ? null : Number(form.corporative_card_id) }
    case 'currency':
    case 'distance_kind':
    case 'liquidate_through_advancement':
      return { value: form[name] }
    case 'description':
    case 'origin':
    case 'destination':
      return readText(form[name])
  }
}

/** The changes of a form that began as `before`. An amount is read again when only its currency changed. */
export function readForm(before: ExpenseForm, form: ExpenseForm, writing: Writing): FormOutcome {
  const changed = new Set(changedFields(before, form))
  if (changed.has('currency')) changed.add('amount')
  const outcomes = [...changed].map((name) => [name, readField(name, form, writing)] as const)
  const errors = outcomes.flatMap(([name, outcome]) => ('error' in outcome ? [[name, outcome.error] as const] : []))
  if (errors.length > 0) return { kind: 'invalid', errors: Object.fromEntries(errors) }
  return {
    kind: 'ok',
    changes: Object.fromEntries(outcomes.flatMap(([name, outcome]) => ('value' in outcome ? [[name, outcome.value]] : []))),
  }
}

/** A field that two people changed: one's own value, and the stored one. */
export type FieldConflict = {
  readonly field: ExpenseField
  readonly mine: ExpenseForm[ExpenseField]
  readonly theirs: ExpenseForm[ExpenseField]
}

/** One's own changes that conflict with the stored record. Equal changes are no conflict. */
export function findConflicts(forms: { before: ExpenseForm; mine: ExpenseForm; theirs: ExpenseForm }): FieldConflict[] {
  const { before, mine, theirs } = forms
  const stored = new Set(changedFields(before, theirs))
  const different = new Set(changedFields(theirs, mine))
  return changedFields(before, mine)
    .filter((field) => stored.has(field) && different.has(field))
    .map((field) => ({ field, mine: mine[field], theirs: theirs[field] }))
}
