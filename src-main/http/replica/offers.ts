import { z } from 'zod'
import type { Row } from '#db/schema'
import { type OfferKind, type ReplicaOffer, offerKinds } from '#shared/contract/instance/replica'
import { commentRoutes } from '#shared/contract/comments'
import { preExpenseRoutes } from '#shared/contract/pre-expenses'
import type { Route } from '#shared/contract/route'
import { DomainError } from '#shared/domain/errors'
import type { Language } from '#shared/domain/locales'
import { tagKey } from '#shared/domain/tags'
import { translate } from '#shared/i18n/translations'
import { findMadeUid, findOffer, moveOffer } from '#main/store/sync/sync-offers'
import { findByUid } from '#main/store/sync/sync-operations'
import type { Tx } from '#main/store/core/store'
import { findTagByKey } from '#main/store/records/organizations/tag-reader'
import { creatingRoutes } from '#main/use-cases/sync/creating-routes'
import { type OfferedRecord, offeredRecord } from '#main/use-cases/sync/offer-local-data'
import { type Command, actorOf } from '../command'
import { type AnyCompositeContext, type ServerDeps, contextWithin } from '../endpoint'
import { attachStoredFile } from '../files/captures'
import { run } from '../pipeline'
import { type ApiResponse, messageOf, toApiResponse } from '../refusals'
import { runSliced } from '../run-sliced'

export interface Acceptance {
  readonly ids: readonly number[]
  readonly organization_id: number
  readonly decision: 'accept' | 'dismiss'
}

interface Refusal {
  readonly id: number
  readonly message: string
}

/** An offer that cannot become a record; nothing of it is kept. */
class OfferError extends Error {}

function read({ kind, payload }: Row<'sync_offers'>): OfferedRecord & { kind: OfferKind } {
  return { ...offeredRecord.parse(JSON.parse(payload)), kind: z.enum(offerKinds).parse(kind) }
}

/** An offer as shown to a person. */
export function toOffer(row: Row<'sync_offers'>): ReplicaOffer {
  const { kind, body, stays, is_settled, attachments, comments } = read(row)
  const { amount, currency } = body
  const when = body.occurred_at ?? body.date
  return {
    id: row.id,
    kind,
    title: row.title,
    state: row.state,
    stays,
    is_settled,
    amount: typeof amount === 'number' ? amount : null,
    currency: typeof currency === 'string' ? currency : null,
    occurred_at: typeof when === 'string' ? when : null,
    attachments: attachments.length,
    comments: comments.length,
    record: stays === null ? null : body,
  }
}

/** Creates offered records as if they were entered now, each completely or not at all; or dismisses them. */
export async function acceptOffers({ deps, command }: AnyCompositeContext, acceptance: Acceptance) {
  const steps = acceptance.ids.map((id) => async (tx: Tx) => {
    try {
      await tx.savepoint((inner) => accept(deps, command, { tx: inner, id, ...acceptance }))
      return undefined
    } catch (error) {
      if (error instanceof OfferError) return { id, message: error.message }
      throw error
    }
  })
  const outOfRoom = (response: ApiResponse, index: number) => ({ id: acceptance.ids[index] ?? 0, message: messageOf(response) })
  const refusals = await runSliced<Refusal | undefined>(deps, command, { steps, outOfRoom })
  const refused = refusals.filter((refusal) => refusal !== undefined)
  return { accepted: acceptance.ids.length - refused.length, refused }
}

async function accept(
  deps: ServerDeps,
  command: Command,
  { tx, id, organization_id, decision }: Acceptance & { tx: Tx; id: number },
): Promise<void> {
  const row = await findOffer(tx, id)
  if (row?.state !== 'offered') return
  const { payload } = row
  if (decision === 'dismiss') return moveOffer(tx, { id, state: 'dismissed', payload })
  const offered = read(row)
  const made = await create(deps, command, { tx, offered, organization_id })
  await moveOffer(tx, { id, state: 'accepted', payload: JSON.stringify({ ...offered, made }) })
}

interface Creating {
  readonly tx: Tx
  readonly offered: OfferedRecord & { readonly kind: OfferKind }
  readonly organization_id: number
}

const identified = z.object({ id: z.int(), uid: z.string() })

/** Returns the new `uid`, or the existing one of a tag that was there already. */
async function create(deps: ServerDeps, command: Command, { tx, offered, organization_id }: Creating): Promise<string> {
  const { kind, body, attachments, comments } = offered
  const { caller, locale } = command.sender
  if (kind === 'tag') {
    const known = await findTagByKey(tx, { organization_id, name_key: tagKey(String(body.name)) })
    if (known) return known.uid
  }
  const place = creatingRoutes[kind]
  if (!place || offered.stays !== null) throw new OfferError(translate(locale, 'errors:offer_stays'))
  const parties = { payer: { id: organization_id, type: 'Organization' }, receiver: { id: caller.user_id, type: 'User' } }
  const send = sender(deps, command, tx)
  const made = await send(
    place.route,
    { organization_id },
    {
      ...body,
      ...Object.fromEntries(place.parties.map((party) => [party, parties[party]])),
      ...(kind === 'accountability' && { expense_ids: await expenseIdsOf(tx, command, offered) }),
    },
  )
  const { id, uid } = identified.parse(made.body)
  const own = contextWithin(deps, command, tx.as(actorOf(command)))
  for (const file of attachments) await attachStoredFile(own, id, file).catch((error: unknown) => refuseOffer(error, locale))
  for (const content of comments)
    await send(
      kind === 'advancement' ? commentRoutes.advancement.create : commentRoutes.expense.create,
      { [`${kind}_id`]: id },
      { content },
    )
  if (kind === 'pre_expense' && offered.is_settled) await send(preExpenseRoutes.ignore, { id }, null)
  return uid
}

function refuseOffer(error: unknown, locale: Language): never {
  throw error instanceof DomainError ? new OfferError(messageOf(toApiResponse(error, locale))) : error
}

/** Sends a write as if it were entered now. */
function sender(deps: ServerDeps, { sender: by }: Command, tx: Tx) {
  return async (route: Route, ids: Readonly<Record<string, number>>, body: unknown): Promise<ApiResponse> => {
    const params = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)]))
    const response = await run(deps, { route, params, query: {}, body, sender: by }, { within: tx })
    if (response.status >= 400) throw new OfferError(messageOf(response))
    return response
  }
}

/** The new ids of an accountability's expenses; the accountability is created once all of them exist. */
async function expenseIdsOf(tx: Tx, { sender: { locale } }: Command, { expenses }: OfferedRecord): Promise<number[]> {
  const ids: number[] = []
  for (const uid of expenses) {
    const made = await findMadeUid(tx, uid)
    const expense = made === undefined ? undefined : await findByUid(tx, 'expenses', made)
    if (expense?.deleted_at !== null) throw new OfferError(translate(locale, 'errors:offer_expenses_first'))
    ids.push(expense.id)
  }
  return ids
}
