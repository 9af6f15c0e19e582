import type { Row } from '#db/schema'
import type { Expense } from '#shared/contract/expenses'
import { toShown } from '#shared/records/columns'
import { expense } from '#shared/records/expense'
import { type AttachmentWithBlob, listAttachmentsOf } from '#main/store/records/files/attachment-reader'
import { listTagNamesOf } from '#main/store/records/expenses/expense-reader'
import type { Context } from '../endpoint'
import { toAttachment } from './attachments'
import { memberLinks } from './links'
import { type People, loadPeople, toOrganizationParty, toUserParty } from './people'

type Stored = Row<'expenses'>

/** Expenses as the contract shows them (2.3), with all they embed read together. */
export async function toExpenses(context: Context, rows: readonly Stored[]): Promise<Expense[]> {
  const ids = rows.map(({ id }) => id)
  const withReceipts = rows.filter(({ attachments_count }) => attachments_count > 0).map(({ id }) => id)
  const attachments = Map.groupBy(await listAttachmentsOf(context.reader, withReceipts), ({ expense_id }) => expense_id)
  const tags = await listTagNamesOf(context.reader, ids)
  const uploaders = [...attachments.values()].flat().map(({ user_id }) => user_id)
  const people = await loadPeople(context, {
    user_ids: [...rows.flatMap((row) => [row.receiver_id, row.responsible_user_id]), ...uploaders],
    organization_ids: rows.map(({ payer_id }) => payer_id),
    with_emails: uploaders.length > 0,
  })
  return rows.map((row) =>
    toExpense(context, row, { people, tags: tags.get(row.id) ?? [], attachments: attachments.get(row.id) ?? [] }),
  )
}

/** One expense. */
export async function toOneExpense(context: Context, row: Stored): Promise<Expense> {
  const [shown] = await toExpenses(context, [row])
  if (!shown) throw new Error('An expense has no representation.')
  return shown
}

interface Embedded {
  readonly people: People
  readonly tags: readonly string[]
  readonly attachments: readonly AttachmentWithBlob[]
}

function toExpense(context: Context, row: Stored, { people, tags, attachments }: Embedded): Expense {
  const href = `/expenses/${row.id}`
  return {
    id: row.id,
    uid: row.uid,
    version: row.version,
    ...toShown(expense.attributes, row),
    payer: toOrganizationParty(people, row.payer_id),
    receiver: toUserParty(people, row.receiver_id),
    responsible_user: row.responsible_user_id === null ? null : toUserParty(people, row.responsible_user_id),
    tags: tags.join(', '),
    attachments: attachments.map((attachment) => toAttachment(context, people, attachment)),
    attachments_count: row.attachments_count,
    comments_count: row.comments_count,
    activities_count: row.activities_count,
    created_at: row.created_at,
    updated_at: row.updated_at,
    _links: [...memberLinks(href), { rel: 'activities', method: 'GET', href: `${href}/activities` }],
  }
}
