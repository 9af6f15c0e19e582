import { accountabilityRoutes } from '#shared/contract/accountabilities'
import { devolutionRoutes } from '#shared/contract/advancement-devolutions'
import { advancementRoutes } from '#shared/contract/advancements'
import { corporativeCardRoutes } from '#shared/contract/corporative-cards'
import { membershipRoutes } from '#shared/contract/memberships'
import { approvalRuleRoutes } from '#shared/contract/organization-records/approval-rules'
import { closingRoutes } from '#shared/contract/organization-records/closings'
import { policyRoutes } from '#shared/contract/organization-records/policies'
import { standInRoutes } from '#shared/contract/organization-records/stand-ins'
import { statementLineRoutes } from '#shared/contract/organization-records/statements'
import { supplierRoutes } from '#shared/contract/organization-records/suppliers'
import { preExpenseRoutes } from '#shared/contract/pre-expenses'
import { reimbursementRoutes } from '#shared/contract/reimbursements'
import type { Route } from '#shared/contract/route'
import { tagRoutes } from '#shared/contract/tags'
import type { OtherList } from '#shared/domain/exports/exported-lists'
import { fromMinor } from '#shared/domain/money'
import { preExpenseStates, type PreExpenseState } from '#shared/domain/pre-expense-state'
import { accountability } from '#shared/records/accountability'
import { advancement } from '#shared/records/advancement'
import { advancementDevolution } from '#shared/records/advancement-devolution'
import { approvalRule } from '#shared/records/approval-rule'
import type { Attributes } from '#shared/records/attributes'
import { closing } from '#shared/records/closing'
import { corporativeCard } from '#shared/records/corporative-card'
import type { OrganizationRecordTable } from '#shared/records/index'
import { membership } from '#shared/records/membership'
import { policy } from '#shared/records/policy'
import { preExpense } from '#shared/records/pre-expense'
import { reimbursement } from '#shared/records/reimbursement'
import { standIn } from '#shared/records/stand-in'
import { statementLine } from '#shared/records/statement-line'
import { supplier } from '#shared/records/supplier'
import { tag } from '#shared/records/tag'
import type { ListQuery, Page } from '#main/store/core/list-query'
import type { Reader } from '#main/store/core/store'
import { listPreExpenses } from '#main/store/records/expenses/pre-expenses'
import { listCorporativeCards } from '#main/store/records/organizations/corporative-cards'
import { listMembers } from '#main/store/records/organizations/membership-reader'
import { listOrganizationRecords } from '#main/store/records/organizations/organization-records'
import {
  type AccountabilityTotal,
  listAccountabilities,
  listAccountabilitySums,
} from '#main/store/records/settlements/accountability-reader'
import { listDevolutions } from '#main/store/records/settlements/devolutions'
import { listSettlements, listSettlementTagNames } from '#main/store/records/settlements/settlements'
import { getAudience } from '#main/store/sync/audience'
import { decimalOf } from '../formats/journals'
import { toTagCell } from '#main/tables/tag-cell'
import { type Cells, type ListColumn, columnsOfRecord, organizationColumn, plainColumn } from './list-columns'

/** Whose list is read: what this user sees, of this organization if one is named. */
export interface ListAsker {
  readonly user_id: number
  readonly organization_id: number | undefined
  /** Of suggested expenses: those in this state. */
  readonly state?: PreExpenseState | undefined
}

/** A list as its own endpoint reads it. */
export interface ListSource {
  readonly attributes: Attributes
  readonly columns: readonly ListColumn[]
  /** The endpoint: how it is filtered, and who may read it. */
  readonly route: Pick<Route, 'list' | 'action'>
  /** The attribute that names the organization, in lists that have records of several. */
  readonly organization?: 'payer_id' | 'organization_id'
  /** Adds to rows what is in other tables. */
  readonly complete?: (reader: Reader, rows: readonly Cells[], asker: ListAsker) => Promise<Cells[]>
  /** A page. `user_id`: who sees it. */
  readonly page: (reader: Reader, asker: ListAsker, query: ListQuery) => Promise<Page<Cells>>
}

const ofOrganization = (
  table: OrganizationRecordTable,
  record: { readonly attributes: Attributes },
  { list }: { readonly list: Route },
): ListSource => ({
  attributes: record.attributes,
  columns: columnsOfRecord(record.attributes, { more: [organizationColumn] }),
  route: list,
  page: async (reader, { user_id, organization_id = 0 }, query) => {
    const { rows, count } = await listOrganizationRecords(reader, table, { organization_id, user_id, ...query })
    return { rows: rows.map((row) => ({ ...row })), count }
  },
})

const settlements = (kind: 'reimbursement' | 'advancement', { list }: { readonly list: Route }): ListSource => {
  const { attributes } = kind === 'reimbursement' ? reimbursement : advancement
  return {
    attributes,
    columns: columnsOfRecord(attributes),
    route: list,
    organization: 'payer_id',
    complete: async (reader, rows) => {
      const tags = await listSettlementTagNames(reader, kind, rows.map(idOf))
      return rows.map((row) => ({ ...row, tags: toTagCell(tags.get(idOf(row)) ?? []) || null }))
    },
    page: async (reader, { user_id }, query) => spread(await listSettlements(reader, kind, { ...query, user_id })),
  }
}

const idOf = ({ id }: Cells) => Number(id)

function spread({ rows, count }: Page<object>): Page<Cells> {
  return { rows: rows.map((row) => ({ ...row })), count }
}

/** What the expenses of a report claim, as an amount where they have one currency and as a text, and what of it was approved and paid. */
const totalColumns: readonly ListColumn[] = [
  plainColumn('expenses_count'),
  { ...plainColumn('amount', 'amount'), currency: 'currency' },
  plainColumn('currency'),
  ...['totals', 'approved_totals', 'paid_totals'].map((name) => plainColumn(name)),
]

const toText = (totals: readonly AccountabilityTotal[]) =>
  totals.map(({ amount_minor, currency }) => `${currency} ${decimalOf({ amount_minor, currency })}`).join(', ') || null

async function completeReports(reader: Reader, rows: readonly Cells[], { user_id }: ListAsker): Promise<Cells[]> {
  const named = rows.map((row) => ({ id: idOf(row), payer_id: Number(row.payer_id) }))
  const sums = await listAccountabilitySums(reader, named, await getAudience(reader, user_id))
  return rows.map((row) => {
    const { claimed: own = [], approved = [], paid = [] } = sums.get(idOf(row)) ?? {}
    const amounts = own.map(({ amount_minor, currency }) => ({ currency, amount: fromMinor(amount_minor, currency) }))
    return {
      ...row,
      expenses_count: own.reduce((sum, { count }) => sum + count, 0),
      ...(amounts.length === 1 ? amounts[0] : { amount: null, currency: null }),
      totals: toText(own),
      approved_totals: toText(approved),
      paid_totals: toText(paid),
    }
  })
}

const cardColumns: readonly ListColumn[] = [
  plainColumn('flag'),
  { name: 'last_digits', kind: 'plain', read: ({ number_last4: digits }) => (typeof digits === 'string' ? digits : null) },
  plainColumn('expiration_month'),
  plainColumn('expiration_year'),
]

/** How each list is read, other than that of expenses and the audit trail. */
export const listSources: Readonly<Record<Exclude<OtherList, 'activities'>, ListSource>> = {
  reimbursements: settlements('reimbursement', reimbursementRoutes),
  advancements: settlements('advancement', advancementRoutes),
  advancement_devolutions: {
    attributes: advancementDevolution.attributes,
    columns: columnsOfRecord(advancementDevolution.attributes),
    route: devolutionRoutes.list,
    organization: 'payer_id',
    page: async (reader, { user_id }, query) => spread(await listDevolutions(reader, user_id, query)),
  },
  accountabilities: {
    attributes: accountability.attributes,
    columns: columnsOfRecord(accountability.attributes, { more: totalColumns }),
    route: accountabilityRoutes.list,
    organization: 'payer_id',
    complete: completeReports,
    page: async (reader, { user_id }, query) => spread(await listAccountabilities(reader, user_id, query)),
  },
  pre_expenses: {
    attributes: preExpense.attributes,
    columns: columnsOfRecord(preExpense.attributes),
    route: preExpenseRoutes.list,
    page: async (reader, { user_id, state = preExpenseStates[0] }, query) =>
      spread(await listPreExpenses(reader, { user_id, state }, query)),
  },
  corporative_cards: {
    attributes: corporativeCard.attributes,
    columns: columnsOfRecord(corporativeCard.attributes, { more: cardColumns }),
    route: corporativeCardRoutes.list,
    organization: 'organization_id',
    page: async (reader, { user_id }, query) => spread(await listCorporativeCards(reader, user_id, query)),
  },
  memberships: {
    attributes: membership.attributes,
    columns: columnsOfRecord(membership.attributes, { shows: ['user'], more: [organizationColumn] }),
    route: membershipRoutes.list,
    page: async (reader, { user_id, organization_id = 0 }, query) => spread(await listMembers(reader, { organization_id, user_id }, query)),
  },
  tags: ofOrganization('tags', tag, tagRoutes),
  suppliers: ofOrganization('suppliers', supplier, supplierRoutes),
  statement_lines: ofOrganization('statement_lines', statementLine, statementLineRoutes),
  closings: ofOrganization('closings', closing, closingRoutes),
  policies: ofOrganization('policies', policy, policyRoutes),
  approval_rules: ofOrganization('approval_rules', approvalRule, approvalRuleRoutes),
  stand_ins: ofOrganization('stand_ins', standIn, standInRoutes),
}
