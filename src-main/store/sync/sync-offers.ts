import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { statement } from '../core/statement'
import type { Reader, Tx } from '../core/store'

type Offer = Row<'sync_offers'>

const listRows = statement<Record<string, never>, Offer>((db) =>
  db.selectFrom('sync_offers').selectAll().where('state', '=', 'offered').orderBy('id'),
)
const findRow = statement<{ id: number }, Offer>((db, p) => db.selectFrom('sync_offers').selectAll().where('id', '=', p('id')))
const insertRow = statement<Omit<Offer, 'id'>, unknown>((db, p) =>
  db
    .insertInto('sync_offers')
    .values({ kind: p('kind'), title: p('title'), payload: p('payload'), state: p('state'), created_at: p('created_at') }),
)
const moveRow = statement<Pick<Offer, 'id' | 'state' | 'payload'>, unknown>((db, p) =>
  db
    .updateTable('sync_offers')
    .where('id', '=', p('id'))
    .set({ state: p('state'), payload: p('payload') }),
)
const findAccepted = statement<{ uid: string }, { made: string | null }>((db, p) =>
  db
    .selectFrom('sync_offers')
    .select(sql<string | null>`json_extract(payload, '$.made')`.as('made'))
    .where('state', '=', 'accepted')
    .where(sql<string>`json_extract(payload, '$.uid')`, '=', p('uid')),
)
const countRows = statement<Record<string, never>, { count: number }>((db) =>
  db
    .selectFrom('sync_offers')
    .select(sql<number>`count(*)`.as('count'))
    .where('state', '=', 'offered'),
)

/** Records made here before there was a remote, to offer to it; oldest first. */
export function listOffers(reader: Reader): Promise<Offer[]> {
  return reader.all(listRows, {})
}

/** The number of offers. */
export async function countOffers(reader: Reader): Promise<number> {
  return (await reader.first(countRows, {}))?.count ?? 0
}

/** An offer by id. */
export function findOffer(reader: Reader, id: number): Promise<Offer | undefined> {
  return reader.first(findRow, { id })
}

/** Stores an offer of a local record. */
export async function insertOffer(tx: Tx, offer: Pick<Offer, 'kind' | 'title' | 'payload'>): Promise<void> {
  await tx.run(insertRow, { ...offer, state: 'offered', created_at: tx.now })
}

/** Stores a person's decision about an offer, and its result. */
export async function moveOffer(tx: Tx, offer: Pick<Offer, 'id' | 'state' | 'payload'>): Promise<void> {
  await tx.run(moveRow, offer)
}

/** The uid of the record made from an offered one; undefined if nobody has accepted the offer. */
export async function findMadeUid(reader: Reader, uid: string): Promise<string | undefined> {
  return (await reader.first(findAccepted, { uid }))?.made ?? undefined
}
