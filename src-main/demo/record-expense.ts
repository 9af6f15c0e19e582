import { toInstant } from '#shared/domain/dates'
import type { BlobStore } from '#main/files/blob-store'
import type { Tx } from '#main/store/core/store'
import { attachBlob } from '#main/use-cases/attachments/attachments'
import { createComment } from '#main/use-cases/comments/comments'
import { changeExpenseStatus } from '#main/use-cases/expenses/change-expense-status'
import { createExpense } from '#main/use-cases/expenses/create-expense'
import { recordUpload } from '#main/use-cases/uploads/uploads'
import type { DemoExpense } from './handmade-expenses'
import type { PersonKey } from './people'
import { type DrawnReceipt, drawReceipt } from './receipts'

const dayMs = 86_400_000
const uploadTtl_s = 3600
const maxReceiptBytes = 4 * 1024 * 1024

/** The state while the demo is built; people by their keys. */
export interface Demo {
  readonly organization_id: number
  readonly blobs: BlobStore
  /** Keys the hashes of card numbers. */
  readonly signing_secret: string
  readonly as: (person: PersonKey) => Tx
  readonly idOf: (person: PersonKey) => number
}

/** The instant this many days before the demo. */
export function daysAgo({ now }: Pick<Tx, 'now'>, days: number): string {
  return toInstant(new Date(Date.parse(now) - days * dayMs))
}

/** Records an expense as its receiver would, with its receipt, and changes its status as the others did. Returns its id. */
export async function recordExpense(demo: Demo, expense: DemoExpense): Promise<number> {
  const { organization_id, as } = demo
  const {
    by,
    description,
    amount,
    currency = 'BRL',
    days_ago,
    trip,
    location,
    receipt,
    through_advancement,
    moves = [],
    comments = [],
  } = expense
  const tx = as(by)
  const occurred_at = daysAgo(tx, days_ago)
  const price = trip
    ? { kind: 'distance' as const, origin: trip.origin, destination: trip.destination, distance: trip.km, distance_kind: 'km' as const }
    : { amount, currency }
  const input = {
    payer: organization_id,
    occurred_at,
    description,
    tags: [...expense.tags],
    location,
    ...(receipt && { supplier_name: receipt.supplier }),
    liquidate_through_advancement: through_advancement,
    ...price,
  }
  const { id } = await createExpense(tx, input)
  if (receipt) await attach(demo, { by, expense_id: id, receipt: await drawReceipt(receipt, { day: occurred_at.slice(0, 10), currency }) })
  for (const { by: mover, to: status, ...rest } of moves) {
    const approved_amount_currency = rest.approved_amount === undefined ? undefined : currency
    await changeExpenseStatus(as(mover), id, { status, ...rest, approved_amount_currency })
  }
  for (const { by: author, text } of comments) await createComment(as(author), { kind: 'expense', followable_id: id, content: text })
  return id
}

/** Attaches a receipt as its receiver's upload. */
async function attach(
  { as, blobs }: Demo,
  { by, expense_id, receipt }: { by: PersonKey; expense_id: number; receipt: DrawnReceipt },
): Promise<void> {
  const tx = as(by)
  const { bytes: content, file_name, ...rest } = receipt
  const received = await blobs.receive(inOneChunk(content), { maxBytes: maxReceiptBytes })
  await blobs.keep(received)
  const { sha256, md5, bytes } = received
  const key = `${tx.actor.user_id}/${tx.clock.secret(16)}/${file_name}`
  await recordUpload(tx, { ...rest, key, sha256, md5, bytes }, uploadTtl_s)
  await attachBlob(tx, expense_id, { file: { sha256, file_name } })
}

async function* inOneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
