import type { Row } from '#db/schema'
import { corporativeCardRoutes } from '#shared/contract/corporative-cards'
import { listCorporativeCards } from '#main/store/records/organizations/corporative-card-reader'
import { etagOf } from '#main/use-cases/access/preconditions'
import {
  createCorporativeCard,
  deleteCorporativeCard,
  getVisibleCard,
  updateCorporativeCard,
} from '#main/use-cases/corporative-cards/corporative-cards'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { toCorporativeCards, toOneCorporativeCard } from '../representations/corporative-cards'

async function member(context: Context, row: Row<'corporative_cards'>) {
  return { body: await toOneCorporativeCard(context, row), etag: etagOf(row) }
}

/** Corporative cards (contract 4.6). */
export const corporativeCardEndpoints: Endpoint[] = [
  query(corporativeCardRoutes.list, async (context, { list }) => {
    const { rows, frame, next } = toPage(
      list,
      await listCorporativeCards(context.reader, context.caller.user_id, { ...list, ...windowOf(list) }),
    )
    return { body: { ...frame, corporative_cards: await toCorporativeCards(context, rows) }, next }
  }),
  mutation(corporativeCardRoutes.create, async (context, { body }) =>
    member(context, await createCorporativeCard(context.tx, body, context.deps.signing_secret)),
  ),
  query(corporativeCardRoutes.show, async (context, { params: { id } }) => {
    const { card } = await getVisibleCard(context.reader, { id, user_id: context.caller.user_id })
    return member(context, card)
  }),
  ...[corporativeCardRoutes.replace, corporativeCardRoutes.update].map((route) =>
    mutation(route, async (context, { params, body }) => member(context, await updateCorporativeCard(context.tx, params.id, body))),
  ),
  mutation(corporativeCardRoutes.destroy, async ({ tx }, { params }) => {
    await deleteCorporativeCard(tx, params.id)
    return { body: null }
  }),
]
