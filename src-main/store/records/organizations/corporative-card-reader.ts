import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { type ListQuery, type Page, readPage } from '../../core/list-query'
import { listOrganizationIdsWhere } from './membership-reader'
import { listStatement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'
import { isHeldIn } from '../visible-records'

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
