import type { Row } from '#db/schema'
import type { Expense } from '#shared/contract/expenses'
import type { FlagRepresentation } from '#shared/contract/organization-records/policies'
import { expense } from '#shared/records/expense'
import { type AttachmentWithBlob, listAttachmentsOf } from '#main/store/records/files/attachments'
import { flagsOf } from '#main/store/records/expenses/expense-flags'
import { listTagNamesOf } from '#main/store/records/expenses/expense-reader'
import type { Context } from '../endpoint'
import { toAttachment } from './attachments'
import { loadParties, memberLinks, toRecord } from './records'
import type { People } from './people'
import { toFlags } from './policies'

type Stored = Row<'expenses'>

/** Expenses in the contract's form (2.3); reads everything they embed together. */
export async function toExpenses(context: Context, rows: readonly Stored[]): Promise<Expense[]> {
  const ids = rows.map(({ id }) => id)
  const withReceipts = rows.filter(({ attachments_count }) => attachments_count > 0).map(({ id }) => id)
  // Concurrently: on a database behind a network each query would otherwise wait for the one before.
  const [receipts, tags, found] = await Promise.all([
    listAttachmentsOf(context.reader, withReceipts),
    listTagNamesOf(context.reader, ids),
    toFlags(
      context.reader,
      rows.map((row) => flagsOf(row)),
    ),
  ])
  const attachments = Map.groupBy(receipts, ({ expense_id }) => expense_id)
  const uploaders = [...attachments.values()].flat().map(({ user_id }) => user_id)
  const people = await loadParties(context, expense, { rows, user_ids: uploaders })
  return rows.map((row, index) =>
    toExpense(context, row, {
      people,
      tags: tags.get(row.id) ?? [],
      attachments: attachments.get(row.id) ?? [],
      flags: found[index] ?? [],
    }),
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
  readonly flags: FlagRepresentation[]
}

function toExpense(context: Context, row: Stored, { people, tags, attachments, flags }: Embedded): Expense {
  const href = `/expenses/${row.id}`
  return {
    ...toRecord(expense, row, people),
    tags: tags.join(', '),
    attachments: attachments.map((attachment) => toAttachment(context, people, attachment)),
    flags,
    _links: [...memberLinks(href), { rel: 'activities', method: 'GET', href: `${href}/activities` }],
  }
}
