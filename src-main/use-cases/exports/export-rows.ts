import type { Row } from '#db/schema'
import type { Condition, ListFilter } from '#shared/contract/filters'
import { bookedStatuses } from '#shared/domain/exports/bookings'
import { may } from '#shared/domain/permissions'
import type { Reader } from '#main/store/core/store'
import { listExpensesAfter, listTagNamesOf } from '#main/store/records/expenses/expense-reader'
import { type AttachmentWithBlob, listAttachmentsOf } from '#main/store/records/files/attachments'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import { listEmails, listUsersByIds } from '#main/store/records/users/user-reader'

/** An expense with what a file says of it. */
export interface ExportRow {
  readonly expense: Row<'expenses'>
  /** The importer's own identity of the row, for those who may know it; else Outlay's. */
  readonly external_id: string
  readonly organization: string
  readonly receiver: string
  readonly receiver_email: string | null
  readonly tags: readonly string[]
  /** In a correction: what follows the number of a booking, which is another document than the one it corrects. */
  readonly numberSuffix?: string
  /** Empty where nobody asked for receipts. */
  readonly receipts: readonly AttachmentWithBlob[]
}

/** Whose expenses are exported: what this user may see and the filter lets through. */
export interface ExportScope {
  readonly user_id: number
  readonly filter: ListFilter
  readonly withReceipts: boolean
  /** Whether expenses are read without an index: slower where the filter lets few through, and right where an index is damaged. */
  readonly isReadByKey?: boolean
}

const pageSize = 500

/** That an organization pays. */
export const payerIs = (organization_id: number): Condition => ({
  attribute: 'payer_id',
  kind: 'integer',
  predicate: 'eq',
  values: [organization_id],
})

/** The filter, narrowed to some expenses or to all but some. */
export function narrowed(
  filter: ListFilter,
  { ids, except_ids }: { ids?: readonly number[] | undefined; except_ids?: readonly number[] | undefined },
): ListFilter {
  const among = (predicate: 'in' | 'not_in', values: readonly number[] = []): Condition[] => [
    { attribute: 'id', kind: 'integer', predicate, values },
  ]
  return {
    ...filter,
    conditions: [
      ...filter.conditions,
      ...(ids ? among('in', ids) : []),
      ...(except_ids && except_ids.length > 0 ? among('not_in', except_ids) : []),
    ],
  }
}

/** That accounting books it. */
export const isBooked: Condition = { attribute: 'status', kind: 'text', predicate: 'in', values: [...bookedStatuses] }

/** The expenses of an export, by id, page by page: however many there are, few are in memory. */
export async function* readExportRows(reader: Reader, scope: ExportScope): AsyncGenerator<ExportRow> {
  const known = nobodyKnown()
  for (let after_id = Number.MIN_SAFE_INTEGER; ;) {
    const page = await listExpensesAfter(reader, scope.user_id, { ...scope, after_id, limit: pageSize })
    yield* await withNames(reader, page, { ...scope, known })
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after_id = last.id
  }
}

interface Known {
  readonly organizations: Map<number, string>
  readonly reviewed: Map<number, boolean>
}

const nobodyKnown = (): Known => ({ organizations: new Map(), reviewed: new Map() })

/** Expenses with what a file says of them. */
export async function withNames(
  reader: Reader,
  page: ReadonlyArray<Row<'expenses'>>,
  { user_id, withReceipts, known = nobodyKnown() }: Omit<ExportScope, 'filter'> & { known?: Known },
): Promise<ExportRow[]> {
  const ids = page.map(({ id }) => id)
  const receivers = [...new Set(page.map(({ receiver_id }) => receiver_id))]
  const users = new Map((await listUsersByIds(reader, receivers)).map((user) => [user.id, user]))
  const emails = Map.groupBy(await listEmails(reader, receivers), ({ user_id }) => user_id)
  const tags = await listTagNamesOf(reader, ids)
  const receipts = Map.groupBy(withReceipts ? await listAttachmentsOf(reader, ids) : [], ({ expense_id }) => expense_id)
  for (const { payer_id } of page) await know(reader, payer_id, { ...known, user_id })
  return page.map((expense) => {
    const { first_name = '', last_name = '' } = users.get(expense.receiver_id) ?? {}
    const knowsMark = known.reviewed.get(expense.payer_id) === true || expense.receiver_id === user_id
    return {
      expense,
      external_id: (knowsMark ? expense.external_id : null) ?? expense.uid,
      organization: known.organizations.get(expense.payer_id) ?? '',
      receiver: `${first_name} ${last_name}`.trim(),
      receiver_email: emails.get(expense.receiver_id)?.[0]?.email ?? null,
      tags: tags.get(expense.id) ?? [],
      receipts: receipts.get(expense.id) ?? [],
    }
  })
}

/** The name of an organization, and whether the user reviews its expenses: once each. */
async function know(reader: Reader, id: number, { organizations, reviewed, user_id }: Known & { user_id: number }): Promise<void> {
  if (organizations.has(id)) return
  organizations.set(id, (await findOrganization(reader, id))?.name ?? '')
  reviewed.set(id, may('expenses.import', { role: await findRole(reader, { organization_id: id, user_id }) }))
}
