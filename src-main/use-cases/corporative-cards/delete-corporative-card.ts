import { DomainError } from '#shared/domain/errors'
import { hasExpenses } from '#main/store/records/organizations/corporative-card-reader'
import { deleteCorporativeCard as storeDeletion } from '#main/store/records/organizations/corporative-card-writer'
import type { Tx } from '#main/store/core/store'
import { getManagedCard } from './card-rules'

/** Deletes a card without expenses (contract 4.6). Throws {@link DomainError}. */
export async function deleteCorporativeCard(tx: Tx, id: number): Promise<void> {
  const card = await getManagedCard(tx, id, 'corporative_cards.destroy')
  if (await hasExpenses(tx, id)) throw new DomainError({ kind: 'not_possible', code: 'card_in_use' })
  await storeDeletion(tx, card)
}
