import { splitTagNames } from '#shared/domain/tags'
import { parseAmount, toScaled } from '#shared/domain/money'
import { accountability } from '#shared/records/accountability'
import { advancement } from '#shared/records/advancement'
import { advancementDevolution } from '#shared/records/advancement-devolution'
import type { Attributes } from '#shared/records/attributes'
import { toColumns } from '#shared/records/columns'
import { expense } from '#shared/records/expense'
import { preExpense } from '#shared/records/pre-expense'
import { reimbursement } from '#shared/records/reimbursement'
import { findRow } from '#main/store/sync/remote-rows'
import { RemoteError } from '../remote-error'
import { convertAttachments } from './convert-children'
import { readAs } from './plain-api'
import { type CellRow, type Converted, type Reading, idIfHere, needOrganization, needUser, recordColumns, tagLinks } from './rows'
import * as shapes from './shapes'

/** An amount in minor units. Throws {@link RemoteError} if its currency cannot have it. */
function minorOf(amount: number, currency: string): { minor: number; scaled: number } {
  try {
    const parsed = parseAmount(amount, currency)
    if (parsed.kind === 'ok') return { minor: parsed.amount_minor, scaled: toScaled(parsed.amount_minor, currency) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  throw new RemoteError('unreadable', `${amount} is no amount in ${currency}.`)
}

/** An expense with its tags and the receipts whose files are here (contract 2.3). */
export async function convertExpense(reading: Reading, raw: unknown): Promise<Converted> {
  const shown = readAs(shapes.expense, raw, 'an expense')
  const { id, amount, currency, approved_amount, approved_amount_currency } = shown
  const local = await findRow(reading.reader, 'expenses', id)
  const paidBy = (reading.rows.find('expenses', id) ?? local)?.reimbursement_id
  const { minor, scaled } = minorOf(amount, currency)
  const approvedIn = approved_amount_currency ?? currency
  const approved = approved_amount === null ? null : minorOf(approved_amount, approvedIn)
  const payer_id = await needOrganization(reading, shown.payer)
  const receiver_id = await needUser(reading, shown.receiver)
  const row = {
    ...recordColumns(reading, 'expenses', { ...shown, local }),
    ...toColumns(expense.attributes, shown),
    attachments_count: shown.attachments_count ?? shown.attachments.length,
    comments_count: countOf(shown, local, 'comments_count'),
    activities_count: countOf(shown, local, 'activities_count'),
    payer_id,
    receiver_id,
    // The contract does not show who entered it.
    author_id: local?.author_id ?? receiver_id,
    responsible_user_id: shown.responsible_user ? await needUser(reading, shown.responsible_user) : null,
    amount_minor: minor,
    amount_scaled: scaled,
    currency,
    approved_amount_minor: approved?.minor ?? null,
    approved_amount_scaled: approved?.scaled ?? null,
    approved_amount_currency: approved ? approvedIn : null,
    corporative_card_id: await namedId(reading, 'corporative_cards', {
      shown: shown.corporative_card_id,
      local: local?.corporative_card_id,
    }),
    pre_expense_id: await idIfHere(reading, 'pre_expenses', shown.pre_expense_id),
    reimbursement_id: await namedId(reading, 'reimbursements', { shown: shown.reimbursement_id, local: paidBy }),
  }
  await convertAttachments(reading, id, shown.attachments)
  const link = { table: 'expense_tags', column: 'expense_id', id, organization_id: payer_id }
  const tags = await tagLinks(reading, link, (isKnown) => splitTagNames(shown.tags ?? '', isKnown))
  return { table: 'expenses', row, links: [tags] }
}

/** The id of a referenced record, if it is here; the known one if the contract does not show the reference. */
function namedId(
  reading: Reading,
  table: string,
  { shown, local }: { shown: number | null | undefined; local: CellRow[string] | undefined },
): Promise<number | null> {
  // An id below zero is not the remote's.
  const known = typeof local === 'number' && local > 0 ? local : null
  return idIfHere(reading, table, shown === undefined ? known : shown)
}

function countOf(shown: Readonly<Record<string, unknown>>, local: CellRow | undefined, name: string): number {
  return Number(shown[name] ?? local?.[name] ?? 0)
}

/** The columns that reimbursements, advancements and devolutions share. */
async function settlementRow(reading: Reading, { table, attributes }: { table: string; attributes: Attributes }, raw: unknown) {
  const shown = readAs(shapes.settlement, raw, `one of ${table}`)
  const { id, amount, currency } = shown
  const local = await findRow(reading.reader, table, id)
  const { minor, scaled } = minorOf(amount, currency)
  const receiver_id = await needUser(reading, shown.receiver)
  const row = {
    ...recordColumns(reading, table, { ...shown, local }),
    ...toColumns(attributes, { ...shown, date: shown.date ?? shown.created_at }),
    payer_id: await needOrganization(reading, shown.payer),
    receiver_id,
    responsible_user_id: shown.responsible_user ? await needUser(reading, shown.responsible_user) : receiver_id,
    amount_minor: minor,
    amount_scaled: scaled,
    currency,
  }
  return { shown, local, row }
}

function settlementOf(definition: typeof reimbursement | typeof advancement) {
  const { table, link: links } = definition
  return async (reading: Reading, raw: unknown): Promise<Converted> => {
    const { shown, local, row } = await settlementRow(reading, definition, raw)
    const link = { table: links.table, column: links.owner, id: row.id, organization_id: row.payer_id }
    if (table === 'reimbursements') await notePaid(reading, row.id, shown.expenses)
    return {
      table,
      row: { ...row, comments_count: countOf(shown, local, 'comments_count'), activities_count: countOf(shown, local, 'activities_count') },
      links: [await tagLinks(reading, link, () => shown.tags)],
    }
  }
}

/** Stores what pays an expense: if the expense does not name it, the reimbursement lists the expense. */
async function notePaid(reading: Reading, reimbursement_id: number, expenses: readonly unknown[]): Promise<void> {
  for (const raw of expenses) {
    if (typeof raw !== 'object' || raw === null || 'reimbursement_id' in raw) continue
    const { row, ...converted } = await convertExpense(reading, raw)
    reading.rows.addConverted({ ...converted, row: { ...row, reimbursement_id } })
  }
}

/** A reimbursement with its tags (contract 2.2); its expenses are converted separately. */
export const convertReimbursement = settlementOf(reimbursement)
/** An advancement with its tags (contract 2.4). */
export const convertAdvancement = settlementOf(advancement)

/** A devolution (contract 2.5). */
export async function convertDevolution(reading: Reading, raw: unknown): Promise<Converted> {
  const { row } = await settlementRow(reading, advancementDevolution, raw)
  return { table: 'advancement_devolutions', row, links: [] }
}

/** An accountability with its local expenses (contract 2.7). */
export async function convertAccountability(reading: Reading, raw: unknown): Promise<Converted> {
  const shown = readAs(shapes.accountability, raw, 'an accountability')
  const { id } = shown
  const local = await findRow(reading.reader, 'accountabilities', id)
  const receiver_id = await needUser(reading, shown.receiver)
  // The contract shows no dates of it.
  const created_at = shown.created_at ?? String(local?.created_at ?? '1970-01-01T00:00:00Z')
  const updated_at = shown.updated_at ?? String(local?.updated_at ?? created_at)
  const row = {
    ...recordColumns(reading, 'accountabilities', { ...shown, created_at, updated_at, local }),
    ...toColumns(accountability.attributes, shown),
    activities_count: countOf(shown, local, 'activities_count'),
    payer_id: await needOrganization(reading, shown.payer),
    receiver_id,
    author_id: shown.responsible_user ? await needUser(reading, shown.responsible_user) : receiver_id,
  }
  const expenses: CellRow[] = []
  for (const expense_id of [...shown.expense_ids].sort((a, b) => a - b))
    if ((await idIfHere(reading, 'expenses', expense_id)) !== null) expenses.push({ accountability_id: id, expense_id })
  return { table: 'accountabilities', row, links: [{ table: 'accountability_expenses', rows: expenses }] }
}

/** A pre-expense (contract 2.14). */
export async function convertPreExpense(reading: Reading, raw: unknown): Promise<Converted> {
  const shown = readAs(shapes.preExpense, raw, 'a pre-expense')
  const { id, amount, currency } = shown
  const local = await findRow(reading.reader, 'pre_expenses', id)
  const minor = amount === null || currency === null ? null : minorOf(amount, currency)
  const receiver_id = await needUser(reading, shown.receiver)
  const row = {
    ...recordColumns(reading, 'pre_expenses', { ...shown, local }),
    ...toColumns(preExpense.attributes, shown),
    receiver_id,
    author_id: local?.author_id ?? receiver_id,
    amount_minor: minor?.minor ?? null,
    amount_scaled: minor?.scaled ?? null,
    currency,
    tags: shown.tags ?? '',
    extra_information: JSON.stringify(shown.extra_information ?? {}),
  }
  return { table: 'pre_expenses', row, links: [] }
}
