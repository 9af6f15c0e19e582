import type { Row } from '#db/schema'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import { cardFlagImagePath } from '#shared/domain/card-flags'
import { maskCardNumber } from '#shared/domain/card-numbers'
import { corporativeCard } from '#shared/records/corporative-card'
import { expirationDateOf } from '#main/store/records/organizations/corporative-card-writer'
import type { Context } from '../endpoint'
import { memberLinks } from './links'
import { loadParties, toRecord } from './records'

type Stored = Row<'corporative_cards'>

/** Cards in the contract's form (2.8); reads everything they embed together. */
export async function toCorporativeCards(context: Context, rows: readonly Stored[]): Promise<CorporativeCard[]> {
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
export async function toOneCorporativeCard(context: Context, row: Stored): Promise<CorporativeCard> {
  const [card] = await toCorporativeCards(context, [row])
  if (!card) throw new Error('A card has no representation.')
  return card
}
