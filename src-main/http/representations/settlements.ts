import type { Row } from '#db/schema'
import type { Advancement } from '#shared/contract/advancements'
import type { AdvancementDevolution } from '#shared/contract/advancement-devolutions'
import type { NewReimbursement, Reimbursement } from '#shared/contract/reimbursements'
import { fromMinor } from '#shared/domain/money'
import { advancementDevolution } from '#shared/records/advancement-devolution'
import { listReimbursedExpenses } from '#main/store/records/settlements/reimbursed-expense-reader'
import {
  type Settlement,
  type SettlementKind,
  listSettlementTagNames,
  settlementRecords,
} from '#main/store/records/settlements/settlements'
import type { ReimbursementPreview } from '#main/use-cases/reimbursements/reimbursements'
import type { Context } from '../endpoint'
import { toExpenses } from './expenses'
import { loadParties, memberLinks, toRecord } from './records'
import { loadPeople, toOrganizationParty, toUserParty } from './people'

/** Settlements in the contract's form (2.2, 2.4) without expenses of reimbursements; reads everything they embed together. */
async function toSettlements(context: Context, kind: SettlementKind, rows: readonly Settlement[]): Promise<Advancement[]> {
  const definition = settlementRecords[kind]
  const ids = rows.map(({ id }) => id)
  const tags = await listSettlementTagNames(context.reader, kind, ids)
  const people = await loadParties(context, definition, { rows })
  return rows.map((row) => ({
    ...toRecord(definition, row, people),
    tags: tags.get(row.id) ?? [],
    _links: memberLinks(`/${kind}s/${row.id}`),
  }))
}

/** Advancements in the contract's form (2.4). */
export function toAdvancements(context: Context, rows: readonly Settlement[]): Promise<Advancement[]> {
  return toSettlements(context, 'advancement', rows)
}

/** Reimbursements in the contract's form (2.2), with the expenses that they pay. */
export async function toReimbursements(context: Context, rows: readonly Settlement[]): Promise<Reimbursement[]> {
  const paid = await listReimbursedExpenses(
    context.reader,
    rows.map(({ id }) => id),
  )
  const expenses = Map.groupBy(await toExpenses(context, paid), ({ reimbursement_id }) => reimbursement_id)
  const settlements = await toSettlements(context, 'reimbursement', rows)
  return settlements.map((settlement) => ({ ...settlement, expenses: expenses.get(settlement.id) ?? [] }))
}

/** A reimbursement that is not stored (supplement 2, "Reimbursements"). */
export async function toNewReimbursement(
  context: Context,
  { payer_id, receiver_id, currency }: { payer_id: number; receiver_id: number; currency: string },
  { expenses, amount_minor }: ReimbursementPreview,
): Promise<NewReimbursement> {
  const people = await loadPeople(context, { user_ids: [receiver_id], organization_ids: [payer_id] })
  const nothing = { id: null, uid: null, version: null, description: null, date: null, responsible_user: null }
  return {
    ...nothing,
    amount: fromMinor(amount_minor, currency),
    currency,
    tags: [],
    payer: toOrganizationParty(people, payer_id),
    receiver: toUserParty(people, receiver_id),
    expenses: await toExpenses(context, expenses),
    activities_count: 0,
    comments_count: 0,
    created_at: null,
    updated_at: null,
    _links: [{ rel: 'create', method: 'POST', href: '/reimbursements' }],
  }
}

/** Devolutions in the contract's form (2.5). */
export async function toDevolutions(
  context: Context,
  rows: ReadonlyArray<Row<'advancement_devolutions'>>,
): Promise<AdvancementDevolution[]> {
  const people = await loadParties(context, advancementDevolution, { rows })
  const _links = [{ rel: 'create', method: 'POST', href: '/advancement_devolutions' }]
  return rows.map((row) => ({ ...toRecord(advancementDevolution, row, people), _links }))
}

/** The representation of a single record. */
export function only<T>(representations: readonly T[]): T {
  const [one] = representations
  if (one === undefined) throw new Error('A record has no representation.')
  return one
}
