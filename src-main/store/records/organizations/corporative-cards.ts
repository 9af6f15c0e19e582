import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { corporativeCard as definition } from '#shared/records/corporative-card'
import { type ListQuery, type Page, readPage } from '../../core/list-query'
import { type Changes, type NewRecord, deleteRecord, insertRecord, updateRecord } from '../../core/record-writer'
import { listStatement, statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { type ActivityDetail, toActivityDetails, writtenDetails } from '../conversations/activity-details'
import { recordActivity } from '../conversations/activity-writer'
import { isHeldIn } from '../visible-records'
import { listOrganizationIdsWhere } from './membership-reader'

const findRow = statement<{ id: number }, Row<'corporative_cards'>>((db, p) =>
  db.selectFrom('corporative_cards').selectAll().where('id', '=', p('id')).where('deleted_at', 'is', null),
)
const findExpense = statement<{ id: number }, { id: number }>((db, p) =>
  db.selectFrom('expenses').select('id').where('corporative_card_id', '=', p('id')).where('deleted_at', 'is', null).limit(1),
)

const listAny = listStatement<number, Row<'corporative_cards'>>((db, ids) =>
  db.selectFrom('corporative_cards').selectAll().where('id', 'in', ids),
)

/** The names of those cards that a user may see, by id: their own, and those of organizations whose cards they manage. */
export async function listSeenCardNames(reader: Reader, ids: readonly number[], user_id: number): Promise<Map<number, string>> {
  const managed = await listOrganizationIdsWhere(reader, user_id, 'corporative_cards.read')
  const seen = (await reader.allOf(listAny, ids)).filter((card) => card.user_id === user_id || managed.includes(card.organization_id))
  return new Map(seen.map(({ id, name }) => [id, name]))
}

/** A corporative card by id. */
export function findCorporativeCard(reader: Reader, id: number) {
  return reader.first(findRow, { id })
}

/** Whether expenses are attached to a card. */
export async function hasExpenses(reader: Reader, id: number): Promise<boolean> {
  return (await reader.first(findExpense, { id })) !== undefined
}

/**
 * A page of a user's own cards (contract 4.6, "cards of the authenticated user"). If a filter names organizations, also others' cards there that the
 * user may see; without the filter clients get only their user's own.
 */
export async function listCorporativeCards(reader: Reader, user_id: number, query: ListQuery): Promise<Page<Row<'corporative_cards'>>> {
  const namesOrganizations = query.filter.conditions.some(
    ({ attribute, predicate }) => attribute === 'organization_id' && (predicate === 'in' || predicate === 'eq'),
  )
  const where = async () => {
    const inOwn = await isHeldIn(reader, user_id, { action: 'corporative_cards.read', organization: 'corporative_cards.organization_id' })
    const own = sql<SqlBool>`(corporative_cards.user_id = ${user_id} and ${inOwn})`
    return [namesOrganizations ? await visibleTo(reader, user_id, own) : own]
  }
  return readPage(reader, 'corporative_cards', { user_id, query, where })
}

async function visibleTo(reader: Reader, user_id: number, own: RawBuilder<SqlBool>): Promise<RawBuilder<SqlBool>> {
  const managed = await listOrganizationIdsWhere(reader, user_id, 'corporative_cards.read')
  return managed.length === 0 ? own : sql<SqlBool>`(${own} or corporative_cards.organization_id in (${sql.join(managed)}))`
}

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
