import { forbidden, invalid } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { findCorporativeCard } from '#main/store/records/organizations/corporative-cards'
import { findRole } from '#main/store/records/organizations/membership-reader'
import type { Tx } from '#main/store/core/store'

/** Throws for a receiver whom the caller may not name: analysts and above may name another member (supplement 2, "Expenses"). */
export async function assertReceiver(tx: Tx, { payer_id, receiver_id }: { payer_id: number; receiver_id: number }): Promise<void> {
  if (receiver_id === tx.actor.user_id) return
  const role = await findRole(tx, { organization_id: payer_id, user_id: tx.actor.user_id })
  if (!may('expenses.create_for_others', { role })) throw forbidden()
  if (!(await findRole(tx, { organization_id: payer_id, user_id: receiver_id }))) throw invalid('receiver', 'not_a_member')
}

/** An expense's payer and receiver, and its card. */
export interface ChargedCard {
  readonly payer_id: number
  readonly receiver_id: number
  readonly card_id: number | null
}

/**
 * Throws for a card of another organization, or one that is neither the receiver's nor visible to the caller, which counts as missing (supplement 3,
 * "`corporative_card_id`").
 */
export async function assertCard(tx: Tx, { payer_id, receiver_id, card_id }: ChargedCard): Promise<void> {
  if (card_id === null) return
  const card = await findCorporativeCard(tx, card_id)
  if (card?.organization_id !== payer_id) throw invalid('corporative_card_id', 'invalid')
  const { user_id } = tx.actor
  const role = await findRole(tx, { organization_id: payer_id, user_id })
  const isSeen = may('corporative_cards.read', { role, is_holder: card.user_id === user_id })
  if (card.user_id !== receiver_id && !isSeen) throw invalid('corporative_card_id', 'invalid')
}
