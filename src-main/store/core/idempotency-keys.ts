import { z } from 'zod'
import type { Row } from '#db/schema'
import { statement } from './statement'
import type { Reader, Tx } from './store'

/** The user and the key. */
export interface ResponseSlot {
  readonly user_id: number
  readonly key: string
}

/** The first response to a request with an `Idempotency-Key`, kept for at least 30 days. */
export interface StoredResponse {
  readonly request_hash: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

const headersSchema = z.record(z.string(), z.string())

const findRow = statement<{ user_id: number; key: string }, Row<'idempotency_keys'>>((db, p) =>
  db.selectFrom('idempotency_keys').selectAll().where('user_id', '=', p('user_id')).where('key', '=', p('key')),
)
const insertRow = statement<Row<'idempotency_keys'>, unknown>((db, p) =>
  db
    .insertInto('idempotency_keys')
    .values({
      user_id: p('user_id'),
      key: p('key'),
      request_hash: p('request_hash'),
      status: p('status'),
      headers: p('headers'),
      body: p('body'),
      created_at: p('created_at'),
    }),
)
const updateRow = statement<Pick<Row<'idempotency_keys'>, 'user_id' | 'key' | 'status' | 'headers' | 'body'>, unknown>((db, p) =>
  db
    .updateTable('idempotency_keys')
    .set({ status: p('status'), headers: p('headers'), body: p('body') })
    .where('user_id', '=', p('user_id'))
    .where('key', '=', p('key')),
)
const deleteOld = statement<{ before: string; limit: number }, unknown>((db, p) =>
  db
    .deleteFrom('idempotency_keys')
    .where((on) =>
      on(
        on.refTuple('user_id', 'key'),
        'in',
        on
          .selectFrom('idempotency_keys as old')
          .select(['old.user_id', 'old.key'])
          .where('old.created_at', '<', p('before'))
          .orderBy('old.created_at')
          .limit(p('limit'))
          .$asTuple('user_id', 'key'),
      ),
    ),
)

export async function findStoredResponse(reader: Reader, slot: ResponseSlot): Promise<StoredResponse | undefined> {
  const row = await reader.first(findRow, slot)
  if (!row) return undefined
  const body: unknown = JSON.parse(row.body)
  return { request_hash: row.request_hash, status: row.status, headers: headersSchema.parse(JSON.parse(row.headers)), body }
}

export async function storeResponse(tx: Tx, response: StoredResponse & ResponseSlot): Promise<void> {
  const { headers, body, ...rest } = response
  await tx.run(insertRow, { ...rest, headers: JSON.stringify(headers), body: JSON.stringify(body), created_at: tx.now })
}

/** Replaces the stored response to a request. Does nothing if the row was removed meanwhile, such as with its user. */
export async function changeStoredResponse(tx: Tx, response: Omit<StoredResponse, 'request_hash'> & ResponseSlot): Promise<void> {
  const { headers, body, ...rest } = response
  await tx.run(updateRow, { ...rest, headers: JSON.stringify(headers), body: JSON.stringify(body) })
}

/** Deletes the oldest of the responses given before an instant, at most `limit`; returns how many. */
export function deleteStoredResponses(tx: Tx, query: { before: string; limit: number }): Promise<number> {
  return tx.run(deleteOld, query)
}
