import { toInstant } from '#shared/domain/dates'
import type { BlobStore } from '#main/files/blob-store'
import type { Tx } from '#main/store/store'
import { createAttachment } from '#main/use-cases/attachments/create-attachment'
import { createComment } from '#main/use-cases/comments/create-comment'
import { changeExpenseStatus } from '#main/use-cases/expenses/change-expense-status'
import { createExpense } from '#main/use-cases/expenses/create-expense'
import { importRows } from '#main/use-cases/expenses/import-expenses'
import { foundOrganization } from '#main/use-cases/organizations/found-organization'
import { createTag } from '#main/use-cases/tags/create-tag'
import { recordUpload } from '#main/use-cases/uploads/record-upload'
import { toLocation } from '#main/use-cases/uploads/upload-location'
import { addUser } from '#main/use-cases/users/add-user'
import { createToken } from '#main/use-cases/users/create-token'
import { type DemoExpense, handmadeExpenses } from './handmade-expenses'
import { type PersonKey, emailOf, people, tags } from './people'
import publishedExpenses from './published-expenses.json'
import { type DrawnReceipt, drawReceipt } from './receipts'

const dayMs = 86_400_000
const uploadTtl_s = 3600
const maxReceiptBytes = 4 * 1024 * 1024

/** The demo while it is made: who acts is told apart by their key. */
interface Demo {
  readonly organization_id: number
  readonly blobs: BlobStore
  readonly as: (person: PersonKey) => Tx
}

/**
 * Fills an instance with a small believable organization, in the caller's transaction and through the same use cases as
 * everything else: people of every role, a few hundred published expenses of the Brazilian Senate, and handmade ones in every
 * status, with receipts, comments and mentions. Answers its admin, and a token for them.
 */
export async function fillWithDemo(
  tx: Tx,
  blobs: BlobStore,
): Promise<{ organization_id: number; user_id: number; token: string }> {
  const { name, locale } = people.helena
  const admin = { name, email: emailOf(people.helena), default_currency: 'BRL', locale, timezone: 'America/Sao_Paulo' }
  const founded = await foundOrganization(tx, { organization: 'Instituto Aurora', admin })
  const organization_id = founded.organization.id
  const ids = new Map<PersonKey, number>([['helena', founded.user.id]])
  const as = (person: PersonKey) => tx.as({ ...tx.actor, user_id: ids.get(person) ?? founded.user.id })
  for (const person of personKeys) {
    if (person === 'helena') continue
    const { user_id } = await addUser(founded.tx, { ...people[person], organization_id, email: emailOf(people[person]) })
    ids.set(person, user_id)
  }
  for (const { name: tag, group } of tags) await createTag(founded.tx, organization_id, { name: tag, group })
  await importRows(founded.tx, { organization_id, currency: 'BRL' }, publishedExpenses)
  for (const expense of handmadeExpenses.toReversed()) await record({ organization_id, blobs, as }, expense)
  const { token } = await createToken(founded.tx, { user_id: founded.user.id, description: 'demo' })
  return { organization_id, user_id: founded.user.id, token }
}

const personKeys = ['helena', 'marcus', 'beatriz', 'rafael', 'emily', 'joao', 'priya'] as const satisfies readonly PersonKey[]

async function record(demo: Demo, expense: DemoExpense): Promise<void> {
  const { organization_id, as } = demo
  const { by, description, amount, currency = 'BRL', days_ago, trip, location, receipt, moves = [], comments = [] } = expense
  const tx = as(by)
  const occurred_at = toInstant(new Date(Date.parse(tx.now) - days_ago * dayMs))
  const price = trip
    ? {
        kind: 'distance' as const,
        origin: trip.origin,
        destination: trip.destination,
        distance: trip.km,
        distance_kind: 'km' as const,
      }
    : { amount, currency }
  const input = { payer: organization_id, occurred_at, description, tags: [...expense.tags], location, ...price }
  const { id } = await createExpense(tx, input)
  if (receipt)
    await attach(demo, { by, expense_id: id, receipt: await drawReceipt(receipt, { day: occurred_at.slice(0, 10), currency }) })
  for (const { by: mover, to: status, ...rest } of moves) {
    const approved_amount_currency = rest.approved_amount === undefined ? undefined : currency
    await changeExpenseStatus(as(mover), id, { status, ...rest, approved_amount_currency })
  }
  for (const { by: author, text } of comments) await createComment(as(author), { kind: 'expense', parent_id: id, content: text })
}

/** Attaches a receipt as its receiver would: an upload of theirs, claimed by its Location. */
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
  await createAttachment(tx, expense_id, { file: toLocation('http://localhost', key) })
}

async function* inOneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
