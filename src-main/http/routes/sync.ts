import { migrations } from '#db/index'
import { protocol, syncRoutes } from '#shared/contract/sync'
import { isInHistory, judgeCursor, readCursor, writeCursor } from '#main/change-feed/cursor'
import { readChanges } from '#main/change-feed/changes'
import { readSnapshot } from '#main/change-feed/snapshot'
import { listReadableBlobs } from '#main/store/records/files/blob-reader'
import { listReadings, toReadReceipt } from '#main/store/records/files/receipt-readings'
import { sumRecords } from '#main/store/sync/feed-reader'
import { getAudience } from '#main/store/sync/audience'
import { isMadeByReplicas } from '#main/store/sync/shared-records'
import { grantIds } from '#main/store/sync/sync-operations'
import { findUser } from '#main/store/records/users/user-reader'
import { notFound } from '#shared/domain/errors'
import { readChain } from '#main/use-cases/audit/read-chain'
import { beginExchange } from '#main/use-cases/sync/begin-exchange'
import { type Context, type Endpoint, type WriteContext, mutation, query } from '../endpoint'

/** How many ids of a table a device leases at a time. */
const leaseSize = 500

/** Replicas and their remote (supplement 4, "/sync/*"; `src-main/sync/SPEC.md`); `http/sync/push` applies operations. */
export const syncEndpoints: Endpoint[] = [
  mutation(syncRoutes.handshake, async ({ tx, caller, deps }: WriteContext<'instance'>, { body }) => {
    const user = await findUser(tx, caller.user_id)
    if (!user) throw notFound()
    const about = {
      protocol: protocol.version,
      schema: Object.keys(migrations).length,
      version: deps.settings.version,
      ...deps.instance,
      user,
      scopes: [...(await getAudience(tx, caller.user_id)).scopes],
      history: body.cursor === null ? ('same' as const) : await judgeCursor(tx, readCursor(body.cursor), deps.instance.epoch),
    }
    if (body.protocol.max < protocol.min || body.protocol.min > protocol.max)
      return { body: { ...about, kind: 'too_old' as const, turn: '' }, status: 426 }
    const begun = await beginExchange(tx, body.device)
    return { body: { ...about, kind: begun.kind, turn: begun.kind === 'known' ? begun.turn : '' } }
  }),
  mutation(syncRoutes.lease, async ({ tx }, { body }) => {
    const leases = []
    for (const table of body.tables.filter(isMadeByReplicas)) leases.push({ table, ...(await grantIds(tx, table, leaseSize)) })
    return { body: { leases } }
  }),
  query(syncRoutes.changes, async ({ reader, caller, deps: { instance } }: Context<'instance'>, { query: { cursor, scopes, limit } }) => {
    const { epoch } = instance
    return reader.atOneMoment(async (now) => {
      const audience = await getAudience(now, caller.user_id)
      return { body: await readChanges(now, { cursor: readCursor(cursor), epoch, audience, scopes, limit }) }
    })
  }),
  query(syncRoutes.snapshot, async ({ reader, caller, deps: { instance } }: Context<'instance'>, { query: { next, limit } }) => {
    const { epoch } = instance
    return reader.atOneMoment(async (now) => {
      const audience = await getAudience(now, caller.user_id)
      return { body: await readSnapshot(now, { next, limit, audience, epoch }) }
    })
  }),
  query(syncRoutes.common, async ({ reader }, { body }) => {
    for (const text of body.cursors) {
      const cursor = readCursor(text)
      if (await isInHistory(reader, cursor)) return { body: { cursor: text, seq: cursor.seq } }
    }
    return { body: { cursor: null, seq: 0 } }
  }),
  query(syncRoutes.readings, async ({ reader, caller }, { body: { files } }) => {
    const audience = await getAudience(reader, caller.user_id)
    const readable = await listReadableBlobs(reader, { hashes: files, audience })
    const rows = await listReadings(reader, readable)
    return {
      body: {
        readings: rows.flatMap((row) =>
          row.state === 'read' && row.engine !== null ? { file: row.sha256, engine: row.engine, fields: toReadReceipt(row).fields } : [],
        ),
      },
    }
  }),
  query(syncRoutes.heads, async ({ reader, caller }, { body: { seen } }) => {
    const { member_of } = await getAudience(reader, caller.user_id)
    const numbers = new Map(seen.map(({ organization_id, number }) => [organization_id, number]))
    const chains = []
    for (const organization_id of member_of) {
      const chain = await readChain(reader, organization_id, numbers.get(organization_id))
      if (chain) chains.push(chain)
    }
    return { body: { chains } }
  }),
  query(syncRoutes.checksums, async ({ reader, caller, deps: { instance } }: Context<'instance'>) => {
    const { epoch } = instance
    const { tables, end } = await reader.atOneMoment(async (now) => sumRecords(now, await getAudience(now, caller.user_id)))
    return { body: { cursor: writeCursor({ epoch, ...end }), tables } }
  }),
]
