import type { Row } from '#db/schema'
import type { CorporativeCard } from '#shared/contract/corporative-cards'
import { cardFlagImagePath } from '#shared/domain/card-flags'
import { maskCardNumber } from '#shared/domain/card-numbers'
import { expirationDateOf } from '#main/store/records/organizations/corporative-card-writer'
import type { Context } from '../endpoint'
import { memberLinks } from './links'
import { loadPeople, toOrganizationParty, toUserParty } from './people'

type Stored = Row<'corporative_cards'>

/** Cards as the contract shows them (2.8), with all they embed read together. */
export async function toCorporativeCards(context: Context, rows: readonly Stored[]): Promise<CorporativeCard[]> {
  const people = await loadPeople(context, {
    user_ids: rows.map(({ user_id }) => user_id),
    organization_ids: rows.map(({ organization_id }) => organization_id),
  })
  return rows.map((row) => ({
    id: row.id,
    uid: row.uid,
    version: row.version,
    name: row.name,
    number: maskCardNumber({ length: row.number_length, last4: row.number_last4 }),
    flag: { name: row.flag, image_url: `${context.base_url}${cardFlagImagePath(row.flag)}` },
    expiration_date: expirationDateOf(row),
    expiration_month: row.expiration_month,
    expiration_year: row.expiration_year,
    active: row.active === 1,
    user: toUserParty(people, row.user_id),
    organization: toOrganizationParty(people, row.organization_id),
    created_at: row.created_at,
    updated_at: row.updated_at,
    _links: memberLinks(`/corporative_cards/${row.id}`),
  }))
}

/** One card. */
export async function toOneCorporativeCard(context: Context, row: Stored): Promise<CorporativeCard> {
  const [card] = await toCorporativeCards(context, [row])
  if (!card) throw new Error('A card has no representation.')
  return card
}
