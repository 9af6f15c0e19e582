import { expenseRoutes } from '#shared/contract/expenses'
import { findBlob } from '#main/store/blob-reader'
import { findOffer, moveOffer } from '#main/store/sync-offers'
import type { Tx } from '#main/store/store'
import { offerStoredFile } from '#main/use-cases/sync/record-sync-upload'
import { type OfferedExpense, offeredExpense } from '#main/use-cases/sync/offer-local-data'
import type { ServerDeps } from '../deps'
import { router } from '../endpoints'
import { type Call, actorOf, answerWithin } from '../pipeline'
import { type Answer, messageOf } from '../refusals'

export interface Acceptance {
  readonly ids: readonly number[]
  readonly organization_id: number
  readonly decision: 'accept' | 'dismiss'
}

/** An offer that cannot be made into a record; nothing of it stays. */
class OfferRefused extends Error {}

/** Creates offered expenses, each in a transaction of its own, as if they were entered now; or dismisses them. */
export async function acceptOffers(deps: ServerDeps, call: Call, { ids, organization_id, decision }: Acceptance) {
  const refused: Array<{ id: number; message: string }> = []
  for (const id of ids) {
    try {
      await deps.store.transact(actorOf(call), async (tx) => {
        const offer = await findOffer(tx, id)
        if (offer?.state !== 'offered') return
        if (decision === 'accept')
          await create(deps, call, { tx, offered: offeredExpense.parse(JSON.parse(offer.payload)), organization_id })
        await moveOffer(tx, id, decision === 'accept' ? 'accepted' : 'dismissed')
      })
    } catch (error) {
      if (!(error instanceof OfferRefused)) throw error
      refused.push({ id, message: error.message })
    }
  }
  return { accepted: ids.length - refused.length, refused }
}

interface Creating {
  readonly tx: Tx
  readonly offered: OfferedExpense
  readonly organization_id: number
}

async function create(deps: ServerDeps, call: Call, { tx, offered, organization_id }: Creating): Promise<void> {
  const send = async (path: string, body: unknown): Promise<Answer> => {
    const match = router.match('POST', path)
    if (match.kind !== 'found') throw new Error(`Nothing answers at ${path}.`)
    const headers = { accept_language: call.headers.accept_language }
    const answer = await answerWithin(
      deps,
      { ...call, endpoint: match.endpoint, params: match.params, query: {}, body, path, headers },
      tx,
    )
    if (answer.status >= 400) throw new OfferRefused(messageOf(answer))
    return answer
  }
  const made = await send('/expenses', { ...offered.body, payer: { id: organization_id, type: 'Organization' } })
  const { id } = expenseRoutes.create.response.parse(made.body)
  for (const { sha256, file_name, description } of offered.attachments) {
    const blob = await findBlob(tx, sha256)
    if (!blob) throw new OfferRefused(file_name)
    const file = await offerStoredFile(tx.as(actorOf(call)), blob, { file_name, base_url: call.base_url })
    await send(`/expenses/${id}/attachments`, {
      file,
      ...(description === null ? {} : { description }),
    })
  }
  for (const content of offered.comments) await send(`/expenses/${id}/comments`, { content })
}
