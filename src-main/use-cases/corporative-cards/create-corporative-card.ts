import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { corporativeCardRoutes } from '#shared/contract/corporative-cards'
import { detectCardFlag } from '#shared/domain/card-flags'
import { lastDigitsOf } from '#shared/domain/card-numbers'
import { newColumns } from '#shared/records/columns'
import { corporativeCard } from '#shared/records/corporative-card'
import { insertCorporativeCard } from '#main/store/records/organizations/corporative-card-writer'
import type { Tx } from '#main/store/core/store'
import { keyedHash } from '../access/keyed-hash'
import { assertHolder } from './card-rules'

/** The input for a new card; `number`: its digits. */
export type CreateCorporativeCard = z.output<typeof corporativeCardRoutes.create.body>

/**
 * Registers a card (contract 4.6). Stores only the length of its number, the last four digits and a hash keyed with the instance's `secret`, never
 * the number. Throws {@link DomainError}: `invalid`, `forbidden`, `expired_organization`.
 */
export async function createCorporativeCard(
  tx: Tx,
  { number, expiration_date, organization_id, user_id = tx.actor.user_id, ...input }: CreateCorporativeCard,
  secret: string,
): Promise<Row<'corporative_cards'>> {
  await assertHolder(tx, { organization_id, user_id })
  return insertCorporativeCard(tx, {
    ...newColumns(corporativeCard.attributes, { active: true, ...input }),
    organization_id,
    user_id,
    number_length: number.length,
    number_last4: lastDigitsOf(number),
    number_hmac: keyedHash({ secret, purpose: 'card', text: number }),
    flag: detectCardFlag(number),
    expiration_month: expiration_date.month,
    expiration_year: expiration_date.year,
  })
}
