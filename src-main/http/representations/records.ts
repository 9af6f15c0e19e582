import type { Attributes, ColumnsOf } from '#shared/records/attributes'
import { type Counts, toCounts, toParties, toShown } from '#shared/records/columns'
import type { RecordDefinition } from '#shared/records/definition'
import type { Context } from '../endpoint'
import { type People, loadPeople, toOrganizationParty, toUserParty } from './people'

/** What representations show of every record: its identity, its attributes, its parties and its counts. */

type Counted = NonNullable<RecordDefinition['counts']>

/** The part of a definition that a representation needs. */
interface ShownDefinition<A extends Attributes, C extends Counted> {
  readonly attributes: A
  readonly counts?: C
}

interface Identity {
  readonly id: number
  readonly uid: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

/** Reads the people whom records name as parties; `user_ids`: others whom their representations show, with addresses. */
export function loadParties<A extends Attributes>(
  context: Context,
  { attributes }: { readonly attributes: A },
  { rows, user_ids = [] }: { rows: ReadonlyArray<Readonly<ColumnsOf<A>>>; user_ids?: readonly number[] },
): Promise<People> {
  const named = { User: [...user_ids], Organization: new Array<number>() }
  for (const row of rows) toParties(attributes, row, (of, id) => named[of].push(id))
  const with_emails = user_ids.length > 0
  return loadPeople(context, { user_ids: named.User, organization_ids: named.Organization, with_emails })
}

/** A record as representations show it; its tags, what it embeds and its links aside. */
export function toRecord<A extends Attributes, C extends Counted = readonly []>(
  { attributes, counts }: ShownDefinition<A, C>,
  row: Identity & Readonly<ColumnsOf<A>> & Counts<C>,
  people: People,
) {
  const { id, uid, version, created_at, updated_at } = row
  const show = (of: 'Organization' | 'User', party: number) =>
    of === 'User' ? toUserParty(people, party) : toOrganizationParty(people, party)
  const shown = { ...toShown(attributes, row), ...toParties(attributes, row, show), ...toCounts(counts, row) }
  return { id, uid, version, ...shown, created_at, updated_at }
}
