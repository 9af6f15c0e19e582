import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { preExpenseRoutes } from '#shared/contract/pre-expenses'
import { forbidden, invalid } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { type TagNames, splitTagNames } from '#shared/domain/tags'
import { newColumns } from '#shared/records/columns'
import { preExpense } from '#shared/records/pre-expense'
import { listMembershipsOf } from '#main/store/records/organizations/membership-reader'
import { findPreExpenseByExternalId, insertPreExpense } from '#main/store/records/expenses/pre-expenses'
import type { Tx } from '#main/store/core/store'
import { findUser } from '#main/store/records/users/user-reader'
import { assertCurrencyInUse, toStoredAmount } from '../access/amounts'

const maxInformationBytes = 64 * 1024

/** The input for a new pre-expense. */
export type CreatePreExpense = z.output<typeof preExpenseRoutes.create.body>

/** A new pre-expense, or the one that the same author made earlier for the same `external_id`. */
export type CreatedPreExpense = { readonly kind: 'made' | 'found'; readonly pre_expense: Row<'pre_expenses'> }

/** Creates a pre-expense (supplement 2, "Pre-expenses"). Throws {@link DomainError}: `invalid`, `forbidden`. */
export async function createPreExpense(tx: Tx, input: CreatePreExpense): Promise<CreatedPreExpense> {
  const { external_id = null } = input
  const author_id = tx.actor.user_id
  const receiver_id = input.receiver ?? author_id
  const known = external_id === null ? undefined : await findPreExpenseByExternalId(tx, { author_id, external_id })
  if (known) return { kind: 'found', pre_expense: known }
  await assertReceiver(tx, receiver_id)
  const pre_expense = await insertPreExpense(tx, {
    ...newColumns(preExpense.attributes, input),
    ...(await readMoney(tx, input, receiver_id)),
    receiver_id,
    author_id,
    tags: toText(input.tags ?? ''),
    extra_information: readInformation(input.extra_information ?? {}),
  })
  return { kind: 'made', pre_expense }
}

/** Analysts and above of a shared organization can name others; a user without a shared one counts as missing. */
async function assertReceiver(tx: Tx, receiver_id: number): Promise<void> {
  if (receiver_id === tx.actor.user_id) return
  const theirs = new Set((await listMembershipsOf(tx, receiver_id)).map(({ organization_id }) => organization_id))
  const shared = (await listMembershipsOf(tx, tx.actor.user_id)).filter(({ organization_id }) => theirs.has(organization_id))
  if (shared.length === 0) throw invalid('receiver', 'invalid')
  if (!shared.some(({ role }) => may('pre_expenses.create_for_others', { role }))) throw forbidden()
}

/** An amount without a currency is in the receiver's default currency, as for an expense. */
async function readMoney(tx: Tx, { amount, currency }: CreatePreExpense, receiver_id: number) {
  if (currency) assertCurrencyInUse(currency)
  if (amount === undefined || amount === null) return { amount_minor: null, amount_scaled: null, currency: currency ?? null }
  const known = currency ?? (await findUser(tx, receiver_id))?.default_currency
  if (known === undefined) throw invalid('currency', 'blank')
  assertCurrencyInUse(known)
  return { currency: known, ...toStoredAmount(amount, { currency: known, attribute: 'amount' }) }
}

/** Without an organization there are no tags yet: names are stored as one text, and parsed when it is converted. */
function toText(tags: TagNames): string {
  return (typeof tags === 'string' ? splitTagNames(tags, () => false) : tags).join(', ')
}

function readInformation(information: Record<string, unknown>): string {
  const text = JSON.stringify(information)
  if (Buffer.byteLength(text) > maxInformationBytes) throw invalid('extra_information', 'too_large')
  return text
}
