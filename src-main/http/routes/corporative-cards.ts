import type { Row } from '#db/schema'
import { type CorporativeCard, corporativeCardRoutes } from '#shared/contract/corporative-cards'
import { cardFlagImagePath } from '#shared/domain/card-flags'
import { maskCardNumber } from '#shared/domain/card-numbers'
import { corporativeCard } from '#shared/records/corporative-card'
import { expirationDateOf, listCorporativeCards } from '#main/store/records/organizations/corporative-cards'
import { etagOf } from '#main/use-cases/access/preconditions'
import {
  createCorporativeCard,
  deleteCorporativeCard,
  getVisibleCard,
  updateCorporativeCard,
} from '#main/use-cases/corporative-cards/corporative-cards'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { loadParties, memberLinks, toRecord } from '../representations/records'

type Stored = Row<'corporative_cards'>

/** Cards in the contract's form (2.8); reads everything they embed together. */
async function toCorporativeCards(context: Context, rows: readonly Stored[]): Promise<CorporativeCard[]> {
  const people = await loadParties(context, corporativeCard, { rows })
  return rows.map((row) => ({
    ...toRecord(corporativeCard, row, people),
    number: maskCardNumber({ length: row.number_length, last4: row.number_last4 }),
    flag: { name: row.flag, image_url: `${context.base_url}${cardFlagImagePath(row.flag)}` },
    expiration_date: expirationDateOf(row),
    expiration_month: row.expiration_month,
    expiration_year: row.expiration_year,
    _links: memberLinks(`/corporative_cards/${row.id}`),
  }))
}

/** One card. */
async function toOneCorporativeCard(context: Context, row: Stored): Promise<CorporativeCard> {
  const [card] = await toCorporativeCards(context, [row])
  if (!card) throw new Error('A card has no representation.')
  return card
}

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
