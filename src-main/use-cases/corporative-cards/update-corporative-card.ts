import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { corporativeCardRoutes } from '#shared/contract/corporative-cards'
import { invalid } from '#shared/domain/errors'
import { toColumns } from '#shared/records/columns'
import { corporativeCard } from '#shared/records/corporative-card'
import { hasExpenses } from '#main/store/records/organizations/corporative-card-reader'
import { updateCorporativeCard as storeCard } from '#main/store/records/organizations/corporative-card-writer'
import type { Tx } from '#main/store/core/store'
import { assertHolder, getManagedCard } from './card-rules'

/** Attributes to change; absent ones stay, and number and user never change (contract 4.6). */
export type UpdateCorporativeCard = z.output<typeof corporativeCardRoutes.update.body>

/** Changes a card. Throws {@link DomainError}. */
export async function updateCorporativeCard(
  tx: Tx,
  id: number,
  { expiration_date, organization_id, ...input }: UpdateCorporativeCard,
): Promise<Row<'corporative_cards'>> {
  const card = await getManagedCard(tx, id, 'corporative_cards.write')
  if (organization_id !== undefined && organization_id !== card.organization_id) await assertMovable(tx, card, organization_id)
  return storeCard(tx, card, {
    ...toColumns(corporativeCard.attributes, input),
    organization_id,
    expiration_month: expiration_date?.month,
    expiration_year: expiration_date?.year,
  })
}

/** Throws for another organization in which the card could not be registered, or if the card has expenses with a payer. */
async function assertMovable(tx: Tx, card: Row<'corporative_cards'>, organization_id: number): Promise<void> {
  await assertHolder(tx, { organization_id, user_id: card.user_id })
  if (await hasExpenses(tx, card.id)) throw invalid('organization_id', 'in_use')
}
