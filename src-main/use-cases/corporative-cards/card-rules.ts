import type { Row } from '#db/schema'
import { forbidden, invalid, notFound } from '#shared/domain/errors'
import { type Action, may } from '#shared/domain/permissions'
import { findCorporativeCard } from '#main/store/records/organizations/corporative-card-reader'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import type { Reader, Tx } from '#main/store/core/store'
import { assertFresh, getWritableOrganization } from '../access/preconditions'

/** The user and organization of a card. */
export interface CardHolder {
  readonly organization_id: number
  readonly user_id: number
}

/** The card, if the caller may see it; otherwise 404, as for a missing one (contract 4.6). */
export async function getVisibleCard(reader: Reader, { id, user_id }: { id: number; user_id: number }) {
  const card = await findCorporativeCard(reader, id)
  if (!card) throw notFound()
  const role = await findRole(reader, { organization_id: card.organization_id, user_id })
  const relation = { role, is_holder: card.user_id === user_id }
  if (!may('corporative_cards.read', relation)) throw notFound()
  return { card, relation }
}

/** The card, if the acting user may do this with it now: 404, then 402, 403, 412. */
export async function getManagedCard(tx: Tx, id: number, action: Action): Promise<Row<'corporative_cards'>> {
  const { card, relation } = await getVisibleCard(tx, { id, user_id: tx.actor.user_id })
  await getWritableOrganization(tx, card.organization_id)
  if (!may(action, relation)) throw forbidden()
  await assertFresh(tx, card)
  return card
}

/**
 * Throws unless the acting user may register a card there: they must belong to its organization, which otherwise counts as missing, and only managers
 * and above may name another member (contract 4.6, "Rules").
 */
export async function assertHolder(tx: Tx, { organization_id, user_id }: CardHolder): Promise<void> {
  const role = await findRole(tx, { organization_id, user_id: tx.actor.user_id })
  if (!may('organizations.read', { role }) || !(await findOrganization(tx, organization_id))) throw invalid('organization_id', 'invalid')
  await getWritableOrganization(tx, organization_id)
  if (!may('corporative_cards.create', { role })) throw forbidden()
  if (user_id === tx.actor.user_id) return
  if (!may('corporative_cards.create_for_others', { role })) throw forbidden()
  if (!(await findRole(tx, { organization_id, user_id }))) throw invalid('user_id', 'not_a_member')
}
