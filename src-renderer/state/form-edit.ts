import { toDecimalText, writeDecimal } from '#shared/domain/amount-text'
import type { Language } from '#shared/domain/locales'
import { parseDateInput } from './date-input'
import { writeDay } from './settlement-form'

/** What a field of a form may hold. */
export type FieldValue = string | number | boolean | null | readonly (string | number)[]

/** What a form holds, by field. Amounts are text in `amount`, with their currency in `currency`; days are text in `date` or `occurred_at`. */
export type FormValues = Readonly<Record<string, FieldValue>>

/** A field that someone else changed after an edit began: the value at that time, the one stored now, and one's own where it differs. */
export type FieldDifference = {
  readonly field: string
  readonly before: FieldValue
  readonly now: FieldValue
  readonly mine: FieldValue | undefined
}

/** A form being edited. `base`: the record that its changes are relative to; `stored`: the record as last read. */
export type FormEdit<T extends FormValues> = {
  readonly stored: T
  readonly base: T
  readonly value: T
  readonly language: Language
  readonly difference: readonly FieldDifference[]
}

/** Whether two values of a field, or two forms with their fields in the same order, are equal. */
export function isSame(one: FieldValue | FormValues, other: FieldValue | FormValues): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Which fields differ between two forms. */
export function changedFields<T extends FormValues>(before: T, after: T): (keyof T & string)[] {
  return fieldsOf(after).filter((field) => field in before && !isSame(before[field] ?? null, after[field] ?? null))
}

function fieldsOf<T extends FormValues>(form: T): (keyof T & string)[] {
  return Object.keys(form).filter((field): field is keyof T & string => field in form)
}

/** One's own changes on top of the stored record. */
export function rebase<T extends FormValues>({ before, mine, theirs }: { before: T; mine: T; theirs: T }): T {
  return { ...theirs, ...Object.fromEntries(changedFields(before, mine).map((field) => [field, mine[field]])) }
}

/** What others changed since an edit began, and one's own value where both changed the same field. */
export function differenceBetween<T extends FormValues>(forms: { before: T; mine: T; theirs: T }): FieldDifference[] {
  const { before, mine, theirs } = forms
  const own = new Set(changedFields(before, mine))
  return changedFields(before, theirs)
    .filter((field) => !isSame(mine[field] ?? null, theirs[field] ?? null))
    .map((field) => ({
      field,
      before: before[field] ?? null,
      now: theirs[field] ?? null,
      mine: own.has(field) ? (mine[field] ?? null) : undefined,
    }))
}

/**
 * The same amount or rate with the separators of another language; a text that is no number stays. What can be read as thousands
 * or as decimals can be so in both.
 */
function rewriteAmount(text: string, from: Language, to: Language): string {
  const decimal = toDecimalText(text.trim(), { language: from, decimals: Infinity })
  return decimal === undefined ? text : writeDecimal(decimal, { language: to, decimals: Infinity })
}

/** A form converted to another language. */
export function inLanguage<T extends FormValues>(form: T, from: Language, to: Language): T {
  const { amount } = form
  return from === to || typeof amount !== 'string' ? form : { ...form, amount: rewriteAmount(amount, from, to) }
}

/** An edit with nothing changed. */
export function beginEdit<T extends FormValues>(stored: T, language: Language): FormEdit<T> {
  return { stored, base: stored, value: stored, language, difference: [] }
}

/** Whether something was changed that is not saved. */
export function isDirty<T extends FormValues>({ base, value }: FormEdit<T>): boolean {
  return !isSame(base, value)
}

/**
 * The edit after the record was read again, or the language changed: one's own changes stay, other fields show the stored values, and
 * changes by others are reported. `isNew`: of a record that does not exist yet, whose defaults are nobody's change.
 */
export function followStored<T extends FormValues>(
  edit: FormEdit<T>,
  { stored, language, isNew }: { stored: T; language: Language; isNew: boolean },
): FormEdit<T> {
  const mine = inLanguage(edit.value, edit.language, language)
  const before = inLanguage(edit.base, edit.language, language)
  if (isSame(before, mine)) return beginEdit(stored, language)
  const value = rebase({ before, mine, theirs: stored })
  if (isNew) return { stored, base: stored, value, language, difference: [] }
  const told = edit.difference.filter(({ field }) => changedFields(before, stored).every((changed) => changed !== field))
  const difference = [...told, ...differenceBetween({ before, mine, theirs: stored })]
  return { stored, base: stored, value, language, difference: isSame(stored, value) ? [] : difference }
}

/** What was kept of an edit that was left: its changes, and what they were changes of. */
export type KeptEdit<T extends FormValues> = { readonly before: T; readonly value: T; readonly language: Language }

/** A kept edit, resumed on top of the stored record. */
export function resumeEdit<T extends FormValues>(
  { before, value, language }: KeptEdit<T>,
  now: { stored: T; language: Language; isNew: boolean },
): FormEdit<T> {
  return followStored({ stored: before, base: before, value, language, difference: [] }, now)
}

/** A form with its day written out: kept until tomorrow, `yesterday` would be another day. `today` is `YYYY-MM-DD`. */
export function withPlainDay<T extends FormValues>(form: T, today: string): T {
  const plain = Object.entries(form).flatMap(([field, value]) => {
    const day = dayFields.has(field) && typeof value === 'string' ? parseDateInput(value, today) : undefined
    return day?.kind === 'ok' ? [[field, writeDay(day.date)] as const] : []
  })
  return { ...form, ...Object.fromEntries(plain) }
}

const dayFields = new Set(['date', 'occurred_at'])

/** Whether something that was stored has the fields of a form, each of its type: after an update of the program it may not. */
export function isLike<T extends FormValues>(stored: FormValues, like: T): stored is T {
  const fields = Object.keys(like)
  const isKind = (field: string) => {
    const one = stored[field]
    const other = like[field]
    return (
      one !== undefined && (one === null || other === null || (typeof one === typeof other && Array.isArray(one) === Array.isArray(other)))
    )
  }
  return Object.keys(stored).length === fields.length && fields.every(isKind)
}
