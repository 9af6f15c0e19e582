import { z } from 'zod'
import type { Row } from '#db/schema'
import { type OfferKind, stayReasons } from '#shared/contract/instance/replica'
import { fromRate } from '#shared/domain/distance'
import { fromMinor } from '#shared/domain/money'
import { attributesWith } from '#shared/records/attributes'
import { toShown } from '#shared/records/columns'
import { expense } from '#shared/records/expense'
import { type LocalData, readLocalData } from '#main/store/sync/local-data'
import { insertOffer } from '#main/store/sync/sync-offers'
import type { Tx } from '#main/store/core/store'

/** The stored content of an offered record. */
export const offeredRecord = z.object({
  /** The local uid. */
  uid: z.string().default(''),
  /** The body for POST, without the parties, which differ at the remote. */
  body: z.record(z.string(), z.unknown()),
  attachments: z.array(z.object({ sha256: z.string(), file_name: z.string(), description: z.string().nullable() })).default([]),
  comments: z.array(z.string()).default([]),
  /** Why it cannot be created there. */
  stays: z.enum(stayReasons).nullable().default(null),
  /** An expense that was paid here, or a pre-expense that was ignored. */
  is_settled: z.boolean().default(false),
  /** The expenses of an accountability, by local uid. */
  expenses: z.array(z.string()).default([]),
  /** Its uid at the remote, after it was accepted. */
  made: z.string().optional(),
})
export type OfferedRecord = z.infer<typeof offeredRecord>

/** A new offer. */
export interface NewOffer extends z.input<typeof offeredRecord> {
  readonly kind: OfferKind
  readonly title: string
}

/** The owner of the offers: records that others received are not offered under another name. */
interface Owner {
  readonly user_id: number | undefined
}

/**
 * Offers the records of an instance that gets a remote: a person chooses which ones the remote gets, and in which organization. Records that cannot
 * be created there are offered, too, with the reason. `user_id`: the person who connects; if unknown, the one who set the instance up.
 */
export async function offerLocalData(tx: Tx, { user_id }: Owner): Promise<void> {
  const local = await readLocalData(tx)
  const offers = toOffers(local, { user_id: user_id ?? local.first_user_id })
  const isStaying = ({ stays }: NewOffer) => (stays ?? null) !== null
  for (const { kind, title, ...record } of [...offers.filter((offer) => !isStaying(offer)), ...offers.filter(isStaying)])
    await insertOffer(tx, { kind, title, payload: JSON.stringify(record) })
}

/** The records of an instance as offers, referenced ones first. */
export function toOffers(local: LocalData, owner: Owner): NewOffer[] {
  const expenses = local.expenses.map((expense) => toExpense(local, owner, expense))
  const advancements = local.advancements.map((row) => toAdvancement(local, owner, row))
  const borne = new Set([...expenses, ...advancements].flatMap(({ body }) => body.tags))
  return [
    ...local.tags.flatMap((tag) => toTag(local, borne, tag)),
    ...local.pre_expenses.flatMap((row) => toPreExpense(owner, row)),
    ...expenses,
    ...advancements,
    ...local.devolutions.map((row) => toMoney(owner, 'devolution', row)),
    ...local.accountabilities.map((row) => toAccountability(local, owner, row)),
    ...local.reimbursements.map((row): NewOffer => ({ ...toMoney(owner, 'reimbursement', row), stays: 'payment' })),
    ...toSettings(local),
  ]
}

function ownedBy({ user_id }: Owner, receiver_id: number): Pick<NewOffer, 'stays'> {
  return { stays: receiver_id === user_id ? null : 'person' }
}

/** A tag with nothing but a name is created with the records that carry it. */
function toTag(local: LocalData, borne: ReadonlySet<unknown>, { id, uid, name, group_name }: Row<'tags'>): NewOffer[] {
  const isRestricted = local.isRestricted(id)
  if (borne.has(name) && group_name === null && !isRestricted) return []
  return [{ kind: 'tag', title: name, uid, body: { name, group: group_name }, stays: isRestricted ? 'people' : null }]
}

/** A converted pre-expense is offered as its expense. */
function toPreExpense(owner: Owner, row: Row<'pre_expenses'>): NewOffer[] {
  if (row.converted_at !== null) return []
  const { uid, description, amount_minor, currency, occurred_at, tags, external_id } = row
  const amount = amount_minor === null || currency === null ? null : fromMinor(amount_minor, currency)
  const extra_information: unknown = JSON.parse(row.extra_information)
  return [
    {
      kind: 'pre_expense',
      title: description ?? '',
      uid,
      is_settled: row.ignored_at !== null,
      ...ownedBy(owner, row.receiver_id),
      body: { description, amount, currency, occurred_at, tags, extra_information, external_id },
    },
  ]
}

type TaggedOffer = NewOffer & { readonly body: { readonly tags: readonly string[] } }

function toExpense(local: LocalData, owner: Owner, row: Row<'expenses'>): TaggedOffer {
  const { id, uid, description, status, receiver_id, currency } = row
  return {
    kind: 'expense',
    title: description ?? '',
    uid,
    is_settled: status === 'liquidated',
    ...ownedBy(owner, receiver_id),
    body: {
      ...offeredAttributes(row),
      currency,
      amount: fromMinor(row.amount_minor, currency),
      tags: local.tagsOf({ kind: 'expense', id }),
    },
    attachments: local.attachmentsOf(id).map(({ sha256, file_name, description: text }) => ({ sha256, file_name, description: text })),
    comments: ownComments(local, owner, { kind: 'expense', id }),
  }
}

/** The attributes for an expense's POST, without references to records, which differ at the remote. */
function offeredAttributes(row: Row<'expenses'>): Readonly<Record<string, unknown>> {
  const shown = toShown(expense.attributes, row)
  const written = attributesWith(expense.attributes, 'writes').flatMap(([name, { kind }]) => (kind === 'record' ? [] : [name]))
  return Object.fromEntries(Object.entries(shown).filter(([name]) => written.some((one) => one === name)))
}

/** Only the owner's comments: others' comments are theirs. */
function ownComments(local: LocalData, owner: Owner, record: Parameters<LocalData['commentsOf']>[0]): string[] {
  return local.commentsOf(record).flatMap(({ user_id, content }) => (user_id === owner.user_id ? [content] : []))
}

type Money = Pick<Row<'advancements'>, 'uid' | 'receiver_id' | 'amount_minor' | 'currency' | 'date'> & {
  readonly description?: string | null
}

function toMoney(owner: Owner, kind: OfferKind, row: Money): NewOffer {
  const { uid, receiver_id, amount_minor, currency, date, description } = row
  const body = { amount: fromMinor(amount_minor, currency), currency, date, ...(description ? { description } : {}) }
  return { kind, title: description ?? '', uid, ...ownedBy(owner, receiver_id), body }
}

function toAdvancement(local: LocalData, owner: Owner, row: Row<'advancements'>): TaggedOffer {
  const offer = toMoney(owner, 'advancement', row)
  const record = { kind: 'advancement', id: row.id } as const
  return { ...offer, body: { ...offer.body, tags: local.tagsOf(record) }, comments: ownComments(local, owner, record) }
}

/** A finished accountability has paid its expenses. */
function toAccountability(local: LocalData, owner: Owner, row: Row<'accountabilities'>): NewOffer {
  const { id, uid, title, description, receiver_id, status } = row
  return {
    kind: 'accountability',
    title,
    uid,
    body: { title, description },
    expenses: local.expensesOf(id),
    ...(status === 'finished' ? { stays: 'payment' } : ownedBy(owner, receiver_id)),
  }
}

/** Settings that cannot be created there: card numbers were never stored, and managers set up an organization. */
function toSettings({ corporative_cards, distance_rules, webhooks }: LocalData): NewOffer[] {
  return [
    ...corporative_cards.map(({ uid, name, number_last4, flag, expiration_month, expiration_year }): NewOffer => {
      const body = { name, number_last4, flag, expiration_month, expiration_year }
      return { kind: 'corporative_card', title: `${name} ${number_last4}`, uid, body, stays: 'number' }
    }),
    ...distance_rules.map((rule): NewOffer => {
      const { uid, currency, distance_kind, valid_from } = rule
      const body = { amount: fromRate(rule), currency, distance_kind, valid_from }
      return { kind: 'distance_rule', title: '', uid, body, stays: 'settings' }
    }),
    ...webhooks.map(({ uid, url, description }): NewOffer => {
      return { kind: 'webhook', title: url, uid, body: { url, description }, stays: 'settings' }
    }),
  ]
}
