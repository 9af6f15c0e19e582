import type { Row } from '#db/schema'
import { invalid } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import type { Role } from '#shared/domain/roles'
import { findCorporativeCard } from '#main/store/records/organizations/corporative-cards'
import { listCardsOfFiles } from '#main/store/records/organizations/statement-reader'
import { findRole } from '#main/store/records/organizations/membership-reader'
import type { Reader } from '#main/store/core/store'

/** Whether a member in this role works with the statements of a card: its holder, and those who see all cards. */
export function worksWithCard(role: Role | undefined, { user_id }: { readonly user_id: number }, caller_id: number): boolean {
  return may('corporative_cards.read', { role, is_holder: user_id === caller_id })
}

/** The card, if the caller works with its statements; one that they do not see is treated as missing. Throws {@link DomainError}. */
export async function getStatementCard(
  reader: Reader,
  { id, organization_id, user_id }: { id: number; organization_id: number; user_id: number },
): Promise<Row<'corporative_cards'>> {
  const card = await findCorporativeCard(reader, id)
  const role = await findRole(reader, { organization_id, user_id })
  if (card?.organization_id !== organization_id || !worksWithCard(role, card, user_id)) throw invalid('corporative_card_id', 'invalid')
  return card
}

/** The cards of an organization with whose statements the caller works, and the accounts of their earlier files. */
export async function listCardsToImport(reader: Reader, { organization_id, user_id }: { organization_id: number; user_id: number }) {
  const [role, cards] = [await findRole(reader, { organization_id, user_id }), await listCardsOfFiles(reader, organization_id)]
  return cards.filter((card) => worksWithCard(role, card, user_id))
}
