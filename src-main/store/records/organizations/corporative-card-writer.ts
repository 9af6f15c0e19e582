import type { Row } from '#db/schema'
import { corporativeCard as definition } from '#shared/records/corporative-card'
import { recordActivity } from '../conversations/activity-writer'
import { type ActivityDetail, toActivityDetails, writtenDetails } from '../conversations/activity-details'
import { type Changes, type NewRecord, deleteRecord, insertRecord, updateRecord } from '../../core/record-writer'
import type { Tx } from '../../core/store'

type Card = Row<'corporative_cards'>

/** Stores a new card. */
export async function insertCorporativeCard(tx: Tx, values: NewRecord<'corporative_cards'>): Promise<Card> {
  const card = await insertRecord(tx, 'corporative_cards', { values, scope: scopeOf(values) })
  await recordActivity(tx, { ...subjectOf(card), event: 'corporative_card_created', details: detailsOf(undefined, card) })
  return card
}

/** Changes a card and records it in the audit trail; writes nothing if nothing differs. */
export async function updateCorporativeCard(tx: Tx, row: Card, changes: Changes<'corporative_cards'>): Promise<Card> {
  const stored = await updateRecord(tx, 'corporative_cards', { row, changes, scope: scopeOf(row) })
  const details = detailsOf(row, stored)
  if (details.length > 0) await recordActivity(tx, { ...subjectOf(stored), event: 'corporative_card_updated', details })
  return stored
}

/** Deletes a card: gone for callers, kept internally. */
export async function deleteCorporativeCard(tx: Tx, row: Card): Promise<void> {
  await deleteRecord(tx, 'corporative_cards', { row, scope: scopeOf(row) })
  await recordActivity(tx, { ...subjectOf(row), event: 'corporative_card_destroyed', details: detailsOf(row, undefined) })
}

/** A card's last valid month as `MM/YY` (contract 2.8). */
export function expirationDateOf({ expiration_month, expiration_year }: Card): string {
  return `${String(expiration_month).padStart(2, '0')}/${String(expiration_year % 100).padStart(2, '0')}`
}

/** The trail's details of a card, old and new. Card numbers are never in the trail. */
function detailsOf(before: Card | undefined, after: Card | undefined): ActivityDetail[] {
  const written = writtenDetails(definition.attributes, before ?? {}, after ?? {})
  const organization_id = (before ?? after)?.organization_id ?? null
  const byHand = toActivityDetails(plain(before, organization_id), plain(after, organization_id), [
    'expiration_date',
    'organization_id',
    'user_id',
  ])
  return [...written, ...byHand].sort((one, other) => placeOf(one) - placeOf(other))
}

/** A card's values for the trail; a new or deleted card counts as in its organization. */
function plain(card: Card | undefined, organization_id: number | null) {
  if (!card) return { organization_id, expiration_date: null, user_id: null }
  return { organization_id: card.organization_id, expiration_date: expirationDateOf(card), user_id: card.user_id }
}

/** The contract's order of attributes; others come last. */
const order = ['name', 'user_id', 'expiration_date', 'active', 'organization_id']
function placeOf({ attribute }: ActivityDetail): number {
  return order.includes(attribute) ? order.indexOf(attribute) : order.length
}
function scopeOf({ organization_id, user_id }: { organization_id: number; user_id: number }) {
  return { organization_id, user_id }
}
function subjectOf({ organization_id, id }: Card) {
  return { organization_id, subject: { type: 'CorporativeCard', id } } as const
}
