import { z } from 'zod'
import type { Row } from '#db/schema'
import { type OfferKind, type ReplicaOffer, offerKinds } from '#shared/contract/instance/replica'
import { tagKey } from '#shared/domain/tags'
import { translate } from '#shared/i18n/translations'
import { findBlob } from '#main/store/records/files/blob-reader'
import { findMadeUid, findOffer, moveOffer } from '#main/store/sync/sync-offers'
import { findByUid } from '#main/store/sync/sync-operations'
import type { Tx } from '#main/store/core/store'
import { findTagByKey } from '#main/store/records/organizations/tag-reader'
import { offerStoredFile } from '#main/use-cases/sync/record-sync-upload'
import { type OfferedRecord, offeredRecord } from '#main/use-cases/sync/offer-local-data'
import type { ServerDeps, Call } from '../endpoint'
import { answerWithin } from '../pipeline'
import { type ApiResponse, messageOf } from '../refusals'
import type { Router } from '../router'
import { runSliced } from '../run-sliced'
import { actorOf, localeOf } from '../call'

export interface Acceptance {
  readonly ids: readonly number[]
  readonly organization_id: number
  readonly decision: 'accept' | 'dismiss'
}

interface Refusal {
  readonly id: number
  readonly message: string
}

/** An offer that cannot be made into a record; nothing of it stays. */
class OfferError extends Error {}

/** What was offered, as it is kept. */
function read({ kind, payload }: Row<'sync_offers'>): OfferedRecord & { kind: OfferKind } {
  return { ...offeredRecord.parse(JSON.parse(payload)), kind: z.enum(offerKinds).parse(kind) }
}

/** An offer as a person sees it. */
export function toOffer(row: Row<'sync_offers'>): ReplicaOffer {
  const { kind, body, stays, is_settled, attachments, comments } = read(row)
  const { amount, currency } = body
  const when = body.occurred_at ?? body.date
  return {
    ...{ id: row.id, kind, title: row.title, state: row.state, stays, is_settled },
    amount: typeof amount === 'number' ? amount : null,
    currency: typeof currency === 'string' ? currency : null,
    occurred_at: typeof when === 'string' ? when : null,
    attachments: attachments.length,
    comments: comments.length,
    record: stays === null ? null : body,
  }
}

/** Creates offered records as if they were entered now, each with all that hangs on it or not at all; or dismisses them. */
export async function acceptOffers(deps: ServerDeps, call: Call, acceptance: Acceptance & { router: Router }) {
  const steps = acceptance.ids.map((id) => async (tx: Tx) => {
    try {
      await tx.savepoint((inner) => accept(deps, call, { tx: inner, id, ...acceptance }))
      return undefined
    } catch (error) {
      if (error instanceof OfferError) return { id, message: error.message }
      throw error
    }
  })
  const outOfRoom = (response: ApiResponse, index: number) => ({ id: acceptance.ids[index] ?? 0, message: messageOf(response) })
  const refusals = await runSliced<Refusal | undefined>(deps, call, { steps, outOfRoom })
  const refused = refusals.filter((refusal) => refusal !== undefined)
  return { accepted: acceptance.ids.length - refused.length, refused }
}

async function accept(
  deps: ServerDeps,
  call: Call,
  { tx, id, organization_id, decision, router }: Acceptance & { tx: Tx; id: number; router: Router },
): Promise<void> {
  const row = await findOffer(tx, id)
  if (row?.state !== 'offered') return
  const { payload } = row
  if (decision === 'dismiss') return moveOffer(tx, { id, state: 'dismissed', payload })
  const offered = read(row)
  const made = await create(deps, call, { tx, offered, organization_id, router })
  await moveOffer(tx, { id, state: 'accepted', payload: JSON.stringify({ ...offered, made }) })
}

interface Creating {
  readonly tx: Tx
  readonly offered: OfferedRecord & { readonly kind: OfferKind }
  readonly organization_id: number
  readonly router: Router
}

/** Where each kind is created; those that cannot be have no place. The parties are those of the remote. */
const places: Partial<Record<OfferKind, { readonly path: string; readonly parties: ReadonlyArray<'payer' | 'receiver'> }>> = {
  pre_expense: { path: '/pre_expenses', parties: [] },
  expense: { path: '/expenses', parties: ['payer'] },
  advancement: { path: '/advancements', parties: ['payer', 'receiver'] },
  devolution: { path: '/advancement_devolutions', parties: ['payer', 'receiver'] },
  accountability: { path: '/accountabilities', parties: ['payer', 'receiver'] },
}

const identified = z.object({ id: z.int(), uid: z.string() })

/** Answers who it has become: the `uid`; of a tag that was there already, of that. */
async function create(deps: ServerDeps, call: Call, { tx, offered, organization_id, router }: Creating): Promise<string> {
  const { kind, body, attachments, comments } = offered
  if (kind === 'tag') {
    const known = await findTagByKey(tx, { organization_id, name_key: tagKey(String(body.name)) })
    if (known) return known.uid
  }
  const place = kind === 'tag' ? { path: `/organizations/${organization_id}/tags`, parties: [] } : places[kind]
  if (!place || offered.stays !== null) throw new OfferError(translate(localeOf(call), 'errors:offer_stays'))
  const parties = {
    payer: { id: organization_id, type: 'Organization' },
    receiver: { id: call.caller.user_id, type: 'User' },
  }
  const send = sender(deps, call, { tx, router })
  const made = await send('POST', place.path, {
    ...body,
    ...Object.fromEntries(place.parties.map((party) => [party, parties[party]])),
    ...(kind === 'accountability' && { expense_ids: await expenseIdsOf(tx, call, offered) }),
  })
  const { id, uid } = identified.parse(made.body)
  for (const { sha256, file_name, description } of attachments) {
    const blob = await findBlob(tx, sha256)
    if (!blob) throw new OfferError(file_name)
    const file = await offerStoredFile(tx.as(actorOf(call)), blob, { file_name, base_url: call.base_url })
    await send('POST', `${place.path}/${id}/attachments`, { file, ...(description === null ? {} : { description }) })
  }
  for (const content of comments) await send('POST', `${place.path}/${id}/comments`, { content })
  if (kind === 'pre_expense' && offered.is_settled) await send('PUT', `${place.path}/${id}/ignore`, null)
  return uid
}

/** Carries out a write as if it were entered now. */
function sender(deps: ServerDeps, call: Call, { tx, router }: Pick<Creating, 'tx' | 'router'>) {
  return async (method: string, path: string, body: unknown): Promise<ApiResponse> => {
    const match = router.match(method, path)
    if (match.kind !== 'found') throw new Error(`Nothing answers at ${path}.`)
    const headers = { accept_language: call.headers.accept_language }
    const { endpoint, params } = match
    const response = await answerWithin(deps, { ...call, endpoint, params, query: {}, body, path, headers }, tx)
    if (response.status >= 400) throw new OfferError(messageOf(response))
    return response
  }
}

/** What the expenses of an accountability have become; it is created when all of them are. */
async function expenseIdsOf(tx: Tx, call: Call, { expenses }: OfferedRecord): Promise<number[]> {
  const ids: number[] = []
  for (const uid of expenses) {
    const made = await findMadeUid(tx, uid)
    const expense = made === undefined ? undefined : await findByUid(tx, 'expenses', made)
    if (expense?.deleted_at !== null) throw new OfferError(translate(localeOf(call), 'errors:offer_expenses_first'))
    ids.push(expense.id)
  }
  return ids
}
