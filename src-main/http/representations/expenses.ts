import type { Row } from '#db/schema'
import type { Expense } from '#shared/contract/expenses'
import { fromMinor } from '#shared/domain/money'
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
  const [expense] = await toExpenses(context, [row])
  if (!expense) throw new Error('An expense has no representation.')
  return expense
}

interface Embedded {
  readonly people: People
  readonly tags: readonly string[]
  readonly attachments: readonly AttachmentWithBlob[]
}

function toExpense(context: Context, row: Stored, { people, tags, attachments }: Embedded): Expense {
  const href = `/expenses/${row.id}`
  const approved = { minor: row.approved_amount_minor, currency: row.approved_amount_currency }
  return {
    id: row.id,
    uid: row.uid,
    version: row.version,
    description: row.description,
    kind: row.kind,
    amount: fromMinor(row.amount_minor, row.currency),
    currency: row.currency,
    approved_amount: approved.minor === null || approved.currency === null ? null : fromMinor(approved.minor, approved.currency),
    approved_amount_currency: approved.currency,
    status: row.status,
    occurred_at: row.occurred_at,
    payer: toOrganizationParty(people, row.payer_id),
    receiver: toUserParty(people, row.receiver_id),
    responsible_user: row.responsible_user_id === null ? null : toUserParty(people, row.responsible_user_id),
    attachments: attachments.map((attachment) => toAttachment(context, people, attachment)),
    tags: tags.join(', '),
    latitude: row.latitude,
    longitude: row.longitude,
    location: row.location,
    attachments_count: row.attachments_count,
    comments_count: row.comments_count,
    activities_count: row.activities_count,
    liquidate_through_advancement: row.liquidate_through_advancement === 1,
    ignore_noncompliant: row.ignore_noncompliant === null ? null : row.ignore_noncompliant === 1,
    pre_expense_id: row.pre_expense_id,
    corporative_card_id: row.corporative_card_id,
    reimbursement_id: row.reimbursement_id,
    ...(row.kind === 'distance' ? distanceOf(row) : {}),
    created_at: row.created_at,
    updated_at: row.updated_at,
    _links: [...memberLinks(href), { rel: 'activities', method: 'GET', href: `${href}/activities` }],
  }
}

function distanceOf(row: Stored) {
  const {
    distance,
    distance_kind,
    origin,
    origin_latitude,
    origin_longitude,
    destination,
    destination_latitude,
    destination_longitude,
    travel_time,
  } = row
  return {
    distance,
    distance_kind,
    origin,
    origin_latitude,
    origin_longitude,
    destination,
    destination_latitude,
    destination_longitude,
    travel_time,
  }
}
