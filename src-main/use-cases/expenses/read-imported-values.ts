import { z } from 'zod'
import { perName } from '#shared/contract/attributes'
import { isCurrency } from '#shared/domain/currencies'
import { parseInstant } from '#shared/domain/dates'
import { invalid } from '#shared/domain/errors'
import { type ImportedText, expense, importedTexts } from '#shared/records/expense'
import { toStoredAmount } from '../access/amounts'
import type { NamedClaimant } from './claimants'
import { plainValues } from './create-expense'

/** An expense in a table: `amount` is a decimal text, `occurred_at` a day, `line` its place in the file. */
export interface ImportedExpense extends NamedClaimant, Readonly<Partial<Record<ImportedText, string>>> {
  readonly line: number
  readonly tag_names: readonly string[]
  readonly occurred_at: string
  readonly amount: string
  readonly currency?: string
  readonly description: string
  readonly external_id: string
  /** Whether the file itself identifies the row: its values may change from one file to the next. */
  readonly has_own_id?: boolean
  /** Whether the same row appeared earlier in the file, with the same identity. */
  readonly is_repeated?: boolean
}

const emailAddress = z.email()

/** A row's values for storage. Throws `invalid` with the problems. */
export function readImportedValues(row: ImportedExpense, defaultCurrency: string) {
  const { currency = defaultCurrency, description, receiver_name, receiver_email } = row
  const occurred_at = parseInstant(row.occurred_at)
  if (occurred_at === undefined) throw invalid('occurred_at', 'invalid')
  if (!isCurrency(currency)) throw invalid('currency', 'inclusion')
  if (receiver_name.length > 255) throw invalid('receiver', 'too_long', { limit: 255 })
  if (receiver_email !== undefined && !emailAddress.safeParse(receiver_email).success) throw invalid('receiver_email', 'invalid')
  if (row.tag_names.some((name) => name.length > 255)) throw invalid('tags', 'too_long', { limit: 255 })
  if (description.length > 10_000) throw invalid('description', 'too_long', { limit: 10_000 })
  const texts = perName(importedTexts, (name) => row[name] ?? null)
  for (const name of importedTexts) {
    const limit = expense.attributes[name].longest
    if ((texts[name]?.length ?? 0) > limit) throw invalid(name, 'too_long', { limit })
  }
  const money = toStoredAmount(row.amount, { currency, attribute: 'amount' })
  return { ...plainValues({ description: description || null, ...texts, occurred_at, external_id: row.external_id }), ...money, currency }
}

/** A row's values for storage. */
export type ImportedValues = ReturnType<typeof readImportedValues>
