import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { corporativeCardRoutes } from '#shared/contract/corporative-cards'
import { detectCardFlag } from '#shared/domain/card-flags'
import { lastDigitsOf } from '#shared/domain/card-numbers'
import { DomainError, forbidden, invalid, notFound } from '#shared/domain/errors'
import { type Action, may } from '#shared/domain/permissions'
import { newColumns, toColumns } from '#shared/records/columns'
import { corporativeCard } from '#shared/records/corporative-card'
import type { Reader, Tx } from '#main/store/core/store'
import {
  deleteCorporativeCard as storeDeletion,
  findCorporativeCard,
  hasExpenses,
  insertCorporativeCard,
  updateCorporativeCard as storeCard,
} from '#main/store/records/organizations/corporative-cards'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import { keyedHash } from '../access/keyed-hash'
import { assertFresh, getWritableOrganization } from '../access/preconditions'

/** The user and organization of a card. */
interface CardHolder {
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
async function getManagedCard(tx: Tx, id: number, action: Action): Promise<Row<'corporative_cards'>> {
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
async function assertHolder(tx: Tx, { organization_id, user_id }: CardHolder): Promise<void> {
  const role = await findRole(tx, { organization_id, user_id: tx.actor.user_id })
  if (!may('organizations.read', { role }) || !(await findOrganization(tx, organization_id))) throw invalid('organization_id', 'invalid')
  await getWritableOrganization(tx, organization_id)
  if (!may('corporative_cards.create', { role })) throw forbidden()
  if (user_id === tx.actor.user_id) return
  if (!may('corporative_cards.create_for_others', { role })) throw forbidden()
  if (!(await findRole(tx, { organization_id, user_id }))) throw invalid('user_id', 'not_a_member')
}

/**
 * Registers a card (contract 4.6). Stores only the length of its number, the last four digits and a hash keyed with the instance's `secret`, never
 * the number. Throws {@link DomainError}: `invalid`, `forbidden`, `expired_organization`.
 */
export async function createCorporativeCard(
  tx: Tx,
  { number, expiration_date, organization_id, user_id = tx.actor.user_id, ...input }: z.output<typeof corporativeCardRoutes.create.body>,
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

/** Changes a card. Throws {@link DomainError}. */
export async function updateCorporativeCard(
  tx: Tx,
  id: number,
  { expiration_date, organization_id, ...input }: z.output<typeof corporativeCardRoutes.update.body>,
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

/** Deletes a card without expenses (contract 4.6). Throws {@link DomainError}. */
export async function deleteCorporativeCard(tx: Tx, id: number): Promise<void> {
  const card = await getManagedCard(tx, id, 'corporative_cards.destroy')
  if (await hasExpenses(tx, id)) throw new DomainError({ kind: 'not_possible', code: 'card_in_use' })
  await storeDeletion(tx, card)
}
