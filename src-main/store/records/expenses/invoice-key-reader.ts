import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import type { Audience } from '../../sync/audience'
import { findSharedRecord } from '../../sync/shared-records'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const listKeys = statement<{ expense_id: number }, { invoice_key: string | null }>((db, p) =>
  db
    .selectFrom('attachments')
    .innerJoin('invoice_keys', 'invoice_keys.sha256', 'attachments.sha256')
    .select('invoice_keys.invoice_key')
    .distinct()
    .where('attachments.expense_id', '=', p('expense_id'))
    .where('attachments.deleted_at', 'is', null)
    .where('invoice_keys.invoice_key', 'is not', null),
)

/** The keys of the invoices that are attached to an expense. */
export async function listInvoiceKeysOf(reader: Reader, expense_id: number): Promise<string[]> {
  return (await reader.all(listKeys, { expense_id })).flatMap(({ invoice_key }) => invoice_key ?? [])
}

/** An expense with the key of an invoice that is attached to it. */
export type InvoiceUse = { readonly invoice_key: string; readonly expense: Row<'expenses'> }

/** Who asks where an invoice is used: what they may see, the expense that they ask about, and how many they want at most. */
export interface UseQuery {
  readonly audience: Audience
  readonly except_id: number | undefined
  readonly limit: number
}

/** The expenses that an invoice is attached to, among those that an audience may see; the newest first. */
export async function listInvoiceUses(
  { db }: Reader,
  invoice_key: string,
  { audience, except_id = 0, limit }: UseQuery,
): Promise<InvoiceUse[]> {
  const visible = findSharedRecord('expenses')?.visible(audience) ?? sql<SqlBool>`0`
  const expenses = await db
    .selectFrom('expenses')
    .selectAll()
    .where('id', 'in', (inside) =>
      inside
        .selectFrom('invoice_keys')
        .innerJoin('attachments', 'attachments.sha256', 'invoice_keys.sha256')
        .select('attachments.expense_id')
        .where('invoice_keys.invoice_key', '=', invoice_key)
        .where('attachments.deleted_at', 'is', null),
    )
    .where('id', '!=', except_id)
    .where('deleted_at', 'is', null)
    .where(visible)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return expenses.map((expense) => ({ invoice_key, expense }))
}

/** XML files whose bytes should be here and were not read yet, in the order of their hashes. */
export function listUnreadInvoices({ db }: Reader, { after, limit }: { after: string; limit: number }) {
  return db
    .selectFrom('invoice_keys')
    .innerJoin('blobs', 'blobs.sha256', 'invoice_keys.sha256')
    .select(['invoice_keys.sha256', 'blobs.content_type'])
    .where('invoice_keys.is_read', '=', sql.lit(0))
    .where('invoice_keys.sha256', '>', after)
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('sync_blobs')
            .select('sha256')
            .where('direction', '=', 'down')
            .whereRef('sync_blobs.sha256', '=', 'invoice_keys.sha256'),
        ),
      ),
    )
    .orderBy('invoice_keys.sha256')
    .limit(limit)
    .execute()
}
